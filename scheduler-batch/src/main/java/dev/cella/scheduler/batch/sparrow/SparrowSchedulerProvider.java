package dev.cella.scheduler.batch.sparrow;

import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code sparrow}: batch sampling with late binding at the machines' queues. */
public final class SparrowSchedulerProvider implements SchedulerProvider {
    private static final int PROBES_MAX = 8;
    private static final SchedulerOption PROBES =
            new SchedulerOption("probes", "2", "in how many machines' queues each task waits, 1 to " + PROBES_MAX);

    @Override
    public String type() {
        return "sparrow";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(PROBES, QueueOrder.OPTION);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        int probes = options.number(PROBES.name(), 1, PROBES_MAX);
        return new SparrowPlanner(probes).scheduler(QueueOrder.of(options));
    }
}
