/**
 * Long-lived connections over gRPC: the feed into a private replica, transactions streamed out, sessions kept, agents'
 * calls. Start reading at {@link dev.cella.client.live.PrivateReplica} and {@link
 * dev.cella.client.live.TransactionStream}.
 *
 * <p>Every class here is owned by one single-threaded executor that it is given; what the network says is handed over
 * to it, and so is what a caller asks from another thread. A lost stream is opened again after a pause that grows and
 * is jittered; nothing here gives up on a cell by itself. The owner of the executor ends it, with {@code
 * shutdownNow}: a plain shutdown waits for timers that were set.
 *
 * <p>May use {@code transactions}, {@code json}, {@code dev.cella.client} and the generated messages.
 */
@NullMarked
package dev.cella.client.live;

import org.jspecify.annotations.NullMarked;
