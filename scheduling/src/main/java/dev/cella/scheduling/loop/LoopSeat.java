package dev.cella.scheduling.loop;

import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.SessionId;

/**
 * A scheduler's place in one cell: the session that fences its transactions there, and its private copy of that cell.
 *
 * @param placements the requirements of the cell's jobs for machines
 */
public record LoopSeat(SessionId session, CellView view, Placements placements) {}
