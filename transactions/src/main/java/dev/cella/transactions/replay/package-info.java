/**
 * A window of a cell's past as plain data, and the interface of whatever replays it. The server records a window, the
 * simulator replays it, and neither knows the other (ADR 49).
 *
 * <p>Start at {@link dev.cella.transactions.replay.RecordedWindow}.
 *
 * <p>It may use {@code transactions.model}.
 */
@NullMarked
package dev.cella.transactions.replay;

import org.jspecify.annotations.NullMarked;
