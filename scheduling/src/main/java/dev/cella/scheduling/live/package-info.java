/**
 * Connects a scheduler to a running cell: the feed in, transactions out, one thread. Start reading at {@link
 * dev.cella.scheduling.live.LiveScheduler}.
 *
 * <p>It may use {@code dev.cella.scheduling} and {@code cell-client}.
 */
@NullMarked
package dev.cella.scheduling.live;

import org.jspecify.annotations.NullMarked;
