/**
 * {@code cella simulate}: runs and figures of the simulator, set by flags. Start reading at {@link
 * dev.cella.cli.simulate.RunOptions}, which has a flag for every parameter.
 */
@NullMarked
package dev.cella.cli.simulate;

import org.jspecify.annotations.NullMarked;
