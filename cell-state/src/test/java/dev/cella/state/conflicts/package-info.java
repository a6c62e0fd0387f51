/** Tests of the counts of conflicts, without a cell. */
@NullMarked
package dev.cella.state.conflicts;

import org.jspecify.annotations.NullMarked;
