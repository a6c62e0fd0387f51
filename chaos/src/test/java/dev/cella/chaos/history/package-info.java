/** The evidence of a run: the log replayed as replicas apply it. */
@NullMarked
package dev.cella.chaos.history;

import org.jspecify.annotations.NullMarked;
