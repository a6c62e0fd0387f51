/**
 * From a command to its outcome: batcher, log, apply, store, feed. Start reading at {@link
 * dev.cella.state.core.Replica#submit}, where a command comes in, then {@code Batcher}, {@code Applier}, {@code Feed} and
 * {@code Persister}. What a replica needs from outside is an interface or an argument: {@link
 * dev.cella.state.core.ReplicatedLog}, {@link dev.cella.state.core.CellStore}, {@link dev.cella.state.core.Time}, {@link
 * dev.cella.state.core.Threads}; so the same classes run under a simulated log, in one thread and in manual time.
 *
 * <p>May use {@code transactions}, and knows no library: the log and the store are interfaces here.
 */
@NullMarked
package dev.cella.state.core;

import org.jspecify.annotations.NullMarked;
