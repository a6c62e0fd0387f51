/**
 * Bytes, and back: log entries, commands, changes and snapshots. Every format ever released stays readable.
 *
 * <p>May use {@code model}.
 */
@NullMarked
package dev.cella.transactions.codec;

import org.jspecify.annotations.NullMarked;
