/**
 * The cell as data, and the one rule that decides who gets what. Start reading in {@code cell}, where a transaction is
 * decided; {@code codec} is how it is written down, {@code model} are the words.
 *
 * <p>May use the JDK, without I/O, clock, threads or randomness, and nothing else of ours. Inside, one direction:
 * {@code cell} uses {@code codec} uses {@code model}.
 */
@NullMarked
package dev.cella.transactions;

import org.jspecify.annotations.NullMarked;
