package dev.cella.scheduling.loop;

import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.SessionId;

/**
 * A scheduler's place in one cell: the session that its transactions there are fenced by, and its private copy of that cell.
 *
 * @param placements what jobs of the cell ask of machines
 */
public record LoopSeat(SessionId session, CellView view, Placements placements) {}
