/**
 * Whole cells, tried from outside: real processes of the real command, spoken to over HTTP alone.
 *
 * <p>Start reading at {@link dev.cella.wholecell.OneJobTest}. {@link dev.cella.wholecell.RealCell} starts and
 * kills the parts.
 */
@NullMarked
package dev.cella.wholecell;

import org.jspecify.annotations.NullMarked;
