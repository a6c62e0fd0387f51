/**
 * Finds the cell that a command talks to, and the notes by which the {@code cella dev} processes of a user find each other.
 * Start reading at {@code CellAddress}.
 *
 * <p>It may use {@code dev.cella.cli.terminal} and {@code dev.cella.client}.
 */
@NullMarked
package dev.cella.cli.cell;

import org.jspecify.annotations.NullMarked;
