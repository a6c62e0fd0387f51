package dev.cella.simulator.replicated;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import java.util.List;

/**
 * Statically Partitioned State Scheduling (4.2.1): each scheduler has machines of its own, which it is kept within as a live
 * one is by {@code --within}, and by its rights. A part that is not used is not lent to another.
 */
public final class Partitioned implements Architecture {
    private final Replicated cells;

    /** The scheduler types that a run may name. */
    public Partitioned(List<SchedulerProvider> types) {
        this.cells = new Replicated(types);
    }

    @Override
    public String label() {
        return "partitioned";
    }

    @Override
    public String description() {
        return "each scheduler has a fixed part of the machines to itself (4.2.1)";
    }

    @Override
    public RunParameters adopt(RunParameters parameters) {
        StaticParts.check(parameters);
        return parameters;
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        return cells.simulate(parameters, work, StaticParts.of(parameters), progress)
                .result();
    }
}
