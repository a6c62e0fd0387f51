/**
 * What each command does to the tables. {@code Cell} calls one class per subject.
 *
 * <p>Start reading at {@code Commit}, which commits a transaction: seen before, decide, apply, remember. The classes named
 * {@code ...Commands} answer the commands of operators and schedulers, {@code TaskReports} those of agents. {@code TaskEnds}
 * makes the ends that the cell itself decides: stopped, killed, lost. {@code FollowUps} finds the work that one command left
 * unfinished. {@code Answers} makes the results. The room may use {@code rule}, {@code tables} and {@code pages}.
 */
@NullMarked
package dev.cella.transactions.cell.commands;

import org.jspecify.annotations.NullMarked;
