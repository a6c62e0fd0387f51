/**
 * The cell state and its replicas: tables of machines, jobs and tasks, the conflict rule that decides a commit against
 * them, and the view that planners read.
 *
 * <p>May use {@code model} and {@code codec}.
 */
@NullMarked
package dev.cella.transactions.cell;

import org.jspecify.annotations.NullMarked;
