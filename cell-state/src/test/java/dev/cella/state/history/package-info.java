/** Tests of the history. */
@NullMarked
package dev.cella.state.history;

import org.jspecify.annotations.NullMarked;
