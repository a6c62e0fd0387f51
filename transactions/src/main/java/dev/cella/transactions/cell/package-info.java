/**
 * The cell state and its replicas: tables of machines, jobs and tasks, the conflict rule that decides a commit against
 * them, and the view that planners read.
 *
 * <p>Start reading at {@link dev.cella.transactions.cell.Cell} (the common copy, which applies the log), then {@code
 * CommitRule} (what fits and what is a conflict), {@link dev.cella.transactions.cell.CellReplica} (a private copy that
 * follows) and {@link dev.cella.transactions.cell.CellView} (what both show).
 *
 * <p>May use {@code model} and {@code codec}.
 */
@NullMarked
package dev.cella.transactions.cell;

import org.jspecify.annotations.NullMarked;
