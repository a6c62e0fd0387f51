/**
 * Measurements. Start reading at {@code cell}, what a whole cell does, from outside, behind {@code cella bench}; {@code
 * rule} is what one claim costs the common copy, by JMH, which only those who compile the benchmarks need.
 *
 * <p>May use every module but the command's.
 */
@NullMarked
package dev.cella.bench;

import org.jspecify.annotations.NullMarked;
