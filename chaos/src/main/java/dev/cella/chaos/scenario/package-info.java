/**
 * The script of a run: faults with their times, a workload, schedulers, and the required properties. It knows no world.
 */
@NullMarked
package dev.cella.chaos.scenario;

import org.jspecify.annotations.NullMarked;
