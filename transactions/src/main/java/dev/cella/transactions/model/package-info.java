/**
 * The words as values: identities, amounts, job headers, commands, transactions and what becomes of them.
 *
 * <p>Everything here is immutable and checked when it is made, so that what reaches the tables is well formed. Start
 * reading at {@link dev.cella.transactions.model.Transaction}, then {@link dev.cella.transactions.model.Command} (what
 * else can be asked of a cell).
 *
 * <p>May use the JDK alone, without I/O, clock, threads or randomness.
 */
@NullMarked
package dev.cella.transactions.model;

import org.jspecify.annotations.NullMarked;
