/**
 * The cell as data, and the one rule that decides transactions. Start reading in {@code cell}, where a transaction is decided.
 * {@code codec} has the byte formats and {@code model} the values.
 *
 * <p>It may use the JDK, without I/O, clock, threads or randomness, and no other module of ours. The packages depend in one
 * direction: {@code cell} uses {@code codec} uses {@code model}.
 */
@NullMarked
package dev.cella.transactions;

import org.jspecify.annotations.NullMarked;
