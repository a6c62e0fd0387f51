/**
 * Outcomes of transactions: counts of lost claims over any stretch of time, and the lost claims one by one. Start reading at
 * {@link dev.cella.state.conflicts.ConflictLog}.
 *
 * <p>All of it comes from the changes that the apply thread makes, so every replica counts the same. It may use {@code
 * transactions} and {@code history}.
 */
@NullMarked
package dev.cella.state.conflicts;

import org.jspecify.annotations.NullMarked;
