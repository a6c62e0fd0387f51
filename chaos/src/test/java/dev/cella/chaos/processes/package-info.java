/** The tools of the processes world, on the machine that runs the test. */
@NullMarked
package dev.cella.chaos.processes;

import org.jspecify.annotations.NullMarked;
