/**
 * Bytes, and back: log entries, commands, changes and snapshots. Every format ever released stays readable.
 *
 * <p>Start reading at {@link dev.cella.transactions.codec.EntryCodec} (the log) and {@link
 * dev.cella.transactions.codec.ChangeSink} (the feed).
 *
 * <p>It may use {@code model}.
 */
@NullMarked
package dev.cella.transactions.codec;

import org.jspecify.annotations.NullMarked;
