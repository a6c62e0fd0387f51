/**
 * From a command to its outcome: batcher, log, apply, store, feed. Start reading where a command comes in.
 *
 * <p>May use {@code transactions}, and knows no library: the log and the store are interfaces here.
 */
@NullMarked
package dev.cella.state.core;

import org.jspecify.annotations.NullMarked;
