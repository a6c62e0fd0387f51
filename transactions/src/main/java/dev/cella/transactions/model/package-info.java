/**
 * The words as values: identities, amounts, machines, jobs, tasks, transactions and what becomes of them. Start
 * reading at the transaction.
 *
 * <p>May use the JDK alone, without I/O, clock, threads or randomness.
 */
@NullMarked
package dev.cella.transactions.model;

import org.jspecify.annotations.NullMarked;
