/**
 * The commands about machines and about the cell as a whole.
 *
 * <p>May use {@code dev.cella.cli.terminal}, {@code dev.cella.cli.cell}, the table of jobs in {@code dev.cella.cli.job} and
 * {@code dev.cella.client}.
 */
@NullMarked
package dev.cella.cli.machine;

import org.jspecify.annotations.NullMarked;
