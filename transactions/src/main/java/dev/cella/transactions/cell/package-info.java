/**
 * The cell: the common copy, the private copies, and the view that planners, agents and doors read.
 *
 * <p>Start reading at {@link dev.cella.transactions.cell.Cell}, which applies the log command by command. Then read {@code
 * CommitRule} in the room {@code rule}, {@link dev.cella.transactions.cell.CellReplica} and {@link
 * dev.cella.transactions.cell.CellView}. Below this package are its rooms. Each may use those under it in this table, and
 * {@code model} and {@code codec}.
 *
 * <pre>
 * copies     the whole cell at one version, and its snapshot
 * commands   one class per subject: what a command does to the tables
 * rule       decides a transaction, writes nothing
 * tables     the rows, and the only way to change them
 * pages      rows in pages that copies share
 * </pre>
 *
 * <p>Other modules use this package, {@code CellCopy}, and the rows of the room {@code tables} that a view hands out.
 * Everything else in the rooms is public only for the other rooms; the architecture test keeps other modules out.
 */
@NullMarked
package dev.cella.transactions.cell;

import org.jspecify.annotations.NullMarked;
