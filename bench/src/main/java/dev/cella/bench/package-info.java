/**
 * Measurements, always beside a peer or a bound in the same run. Start reading at {@code rule}: what one
 * claim costs the common copy.
 *
 * <p>May use every module that ships. It is never shipped itself.
 */
@NullMarked
package dev.cella.bench;

import org.jspecify.annotations.NullMarked;
