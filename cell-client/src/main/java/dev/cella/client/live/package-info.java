/**
 * Long-lived connections over gRPC: the feed into a private replica, transactions streamed out, sessions kept.
 *
 * <p>May use {@code transactions} and the generated messages.
 */
@NullMarked
package dev.cella.client.live;

import org.jspecify.annotations.NullMarked;
