/**
 * The commands about machines and about the cell as a whole.
 *
 * <p>It may use {@code dev.cella.cli.terminal}, {@code dev.cella.cli.cell}, the tables of jobs in {@code dev.cella.cli.job} and
 * of schedulers in {@code dev.cella.cli.conflict}, and {@code dev.cella.client}.
 */
@NullMarked
package dev.cella.cli.machine;

import org.jspecify.annotations.NullMarked;
