/**
 * Keeps the cell. {@code core} is the story: commands are batched, logged, applied, and told on the feed. Around it
 * stand {@code ratis} (the log), {@code rocksdb} (the store) and {@code web} (the doors).
 *
 * <p>May use {@code cell-client} and, through it, {@code transactions}. This package wires the others; none of them
 * uses it.
 */
@NullMarked
package dev.cella.state;

import org.jspecify.annotations.NullMarked;
