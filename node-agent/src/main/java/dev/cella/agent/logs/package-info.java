/**
 * The output of tasks: kept on the machine, bounded, and served from there. {@link dev.cella.agent.logs.OutputStore} stores it
 * and {@link dev.cella.agent.logs.LogService} serves it; start reading at either.
 *
 * <p>It may use Armeria, which comes with {@code cell-client}.
 */
@NullMarked
package dev.cella.agent.logs;

import org.jspecify.annotations.NullMarked;
