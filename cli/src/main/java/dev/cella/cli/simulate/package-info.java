/**
 * {@code cella simulate}: runs and figures of the simulator, asked for by flags. Start reading at {@link
 * dev.cella.cli.simulate.RunOptions}, where every parameter has its flag.
 */
@NullMarked
package dev.cella.cli.simulate;

import org.jspecify.annotations.NullMarked;
