/**
 * The replicated log on Apache Ratis, and the only package that sees its types.
 *
 * <p>It may use {@code core}.
 */
@NullMarked
package dev.cella.state.ratis;

import org.jspecify.annotations.NullMarked;
