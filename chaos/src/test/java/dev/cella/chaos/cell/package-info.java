/** Whole cells: a server and the parts around it, talking through the port as they do in a real deployment. */
@NullMarked
package dev.cella.chaos.cell;

import org.jspecify.annotations.NullMarked;
