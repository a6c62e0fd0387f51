/**
 * The replicated log on Apache Ratis, and the only package that sees its types.
 *
 * <p>May use {@code core}.
 */
@NullMarked
package dev.cella.state.ratis;

import org.jspecify.annotations.NullMarked;
