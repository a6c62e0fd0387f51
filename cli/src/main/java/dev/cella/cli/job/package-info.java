/**
 * The commands about jobs: {@code cella job run}, {@code list}, {@code logs} and their like. Start reading at {@code
 * JobRun}.
 *
 * <p>It may use {@code dev.cella.cli.terminal}, {@code dev.cella.cli.cell} and {@code dev.cella.client}.
 */
@NullMarked
package dev.cella.cli.job;

import org.jspecify.annotations.NullMarked;
