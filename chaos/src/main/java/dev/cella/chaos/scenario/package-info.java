/** What a run is asked to do: faults and when, a workload, schedulers, and what must hold. It knows no world. */
@NullMarked
package dev.cella.chaos.scenario;

import org.jspecify.annotations.NullMarked;
