package com.example.staggered;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code staggered}; named in META-INF/services, where Cella finds it. */
public final class StaggeredProvider implements SchedulerProvider {
    private static final SchedulerOption GAP =
            new SchedulerOption("gapMillis", "1000", "the time between two starts on one machine");

    @Override
    public String type() {
        return "staggered";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(GAP);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        return new StaggeredScheduler(options.number(GAP.name(), 1, 3_600_000));
    }
}
