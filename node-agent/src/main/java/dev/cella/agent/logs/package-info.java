/**
 * What tasks print: kept on the machine, bounded, and served from there. {@link dev.cella.agent.logs.OutputStore} is
 * the disk, {@link dev.cella.agent.logs.LogService} the door; start reading at either.
 *
 * <p>May use Armeria, which comes with {@code cell-client}.
 */
@NullMarked
package dev.cella.agent.logs;

import org.jspecify.annotations.NullMarked;
