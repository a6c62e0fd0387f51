package dev.cella.scheduler.batch;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code batch}: randomised first fit, which has nothing to set. */
public final class BatchSchedulerProvider implements SchedulerProvider {
    @Override
    public String type() {
        return "batch";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of();
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        return new RandomisedFirstFit().scheduler();
    }
}
