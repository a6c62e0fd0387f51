/**
 * Keeps the cell. {@code core} has the main path: it batches, logs and applies commands, and publishes the changes on the
 * feed. {@code ratis} (the log), {@code rocksdb} (the store) and {@code web} (the doors) surround it.
 *
 * <p>It may use {@code cell-client} and, through it, {@code transactions}. This package wires the others; none of them uses it.
 */
@NullMarked
package dev.cella.state;

import org.jspecify.annotations.NullMarked;
