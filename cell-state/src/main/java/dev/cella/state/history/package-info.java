/**
 * What happened to the cell, kept for people who ask later: the steps of every task ({@link
 * dev.cella.state.history.StepLog}), what happened to machines and schedulers ({@link dev.cella.state.history.Mark}), and
 * time series ({@link dev.cella.state.history.Series}), what was claimed on each machine ({@link
 * dev.cella.state.history.ClaimedAmounts}), and who asked for which command ({@link dev.cella.state.history.AuditLog}). Start
 * reading at {@link dev.cella.state.history.CellHistory}.
 *
 * <p>Everything here is read from the changes that the apply makes or from the cell, lives in bounded memory, and decides
 * nothing. May use {@code transactions} alone.
 */
@NullMarked
package dev.cella.state.history;

import org.jspecify.annotations.NullMarked;
