package dev.cella.simulator.replicated;

import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.Architecture;
import dev.cella.simulator.engine.Retry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunProgress;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.RunWork;
import java.util.List;
import java.util.Optional;

/**
 * Two-level scheduling by the live code from end to end: a scheduler of type {@code offers} offers whole machines, and each
 * other scheduler plans on what it is offered, with refusals and 50 offers outstanding at most.
 */
public final class OffersOnLoops implements Architecture {
    private static final String TYPE = "offers";

    private final List<SchedulerProvider> types;
    private final Replicated cells;

    /** The scheduler types, with {@code offers} among them. */
    public OffersOnLoops(List<SchedulerProvider> types) {
        this.types = List.copyOf(types);
        this.cells = new Replicated(types);
    }

    @Override
    public String label() {
        return "offers-live";
    }

    @Override
    public String description() {
        return "offers of whole machines by the live allocator to live schedulers, with refusals (slow)";
    }

    /** The live order of jobs: a scheduler that tries again at once would never give back what no job of it can use. */
    @Override
    public RunParameters adopt(RunParameters parameters) {
        return parameters.withRetry(new Retry(
                Optional.of(RetryOrder.KEEPS_PLACE), parameters.retry().limits()));
    }

    @Override
    public RunResult run(RunParameters parameters, RunWork work, RunProgress progress) {
        return simulate(parameters, work, progress).result();
    }

    /** The cell as it is when the run is over. */
    ReplicatedCell simulate(RunParameters asked, RunWork work, RunProgress progress) {
        RunParameters parameters = adopt(asked);
        SchedulerProvider allocator = types.stream()
                .filter(type -> type.type().equals(TYPE))
                .findFirst()
                .orElseThrow();
        return cells.simulate(parameters, work, StaticParts.SHARED, Optional.of(allocator), progress);
    }
}
