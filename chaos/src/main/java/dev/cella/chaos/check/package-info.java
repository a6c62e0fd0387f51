/**
 * The checkers C1 to C24: each reads a {@link dev.cella.chaos.history.History} and its replay and reports where its property
 * does not hold. They know no faults and no world, and each takes time near-linear in the history.
 *
 * <p>Start reading at {@link dev.cella.chaos.check.Checkers}.
 */
@NullMarked
package dev.cella.chaos.check;

import org.jspecify.annotations.NullMarked;
