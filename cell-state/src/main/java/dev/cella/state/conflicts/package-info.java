/**
 * What came of transactions: who lost what to whom, counted over a window of time, and the newest lost claims one by one.
 * Start reading at {@link dev.cella.state.conflicts.ConflictLog}.
 *
 * <p>All of it is read from the changes that the apply makes, so that every replica counts the same. May use {@code
 * transactions} alone.
 */
@NullMarked
package dev.cella.state.conflicts;

import org.jspecify.annotations.NullMarked;
