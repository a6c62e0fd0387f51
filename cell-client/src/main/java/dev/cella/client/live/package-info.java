/**
 * Long-lived connections over gRPC: the feed into a private replica, streamed transactions, sessions, agents' calls. Start
 * reading at {@link dev.cella.client.live.PrivateReplica} and {@link dev.cella.client.live.TransactionStream}.
 *
 * <p>A single-threaded executor, given by the caller, owns every class here. Events of the network, and calls from other
 * threads, are handed over to it. A lost stream is opened again after a growing, jittered pause; nothing here gives up on a
 * cell by itself. The owner of the executor ends it with {@code shutdownNow}: a plain shutdown waits for timers.
 *
 * <p>It may use {@code transactions}, {@code json}, {@code dev.cella.client} and the generated messages.
 */
@NullMarked
package dev.cella.client.live;

import org.jspecify.annotations.NullMarked;
