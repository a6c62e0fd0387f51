/** Tests of what is kept of the past. */
@NullMarked
package dev.cella.state.history;

import org.jspecify.annotations.NullMarked;
