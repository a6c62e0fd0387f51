package dev.cella.chaos.history;

import dev.cella.chaos.scenario.FaultRun;
import java.util.List;

/**
 * What a run gives, in any world.
 *
 * @param digest in the simulated world the same for two runs with the same events; among processes the cell's at the end
 * @param events the events of the simulated world, or the entries of the log
 */
public record WorldResult(
        History history, Timeline timeline, List<FaultRun> faults, long digest, long events, long elections) {
    public WorldResult {
        faults = List.copyOf(faults);
    }

    public WorldResult withFaults(List<FaultRun> others) {
        return new WorldResult(history, timeline, others, digest, events, elections);
    }
}
