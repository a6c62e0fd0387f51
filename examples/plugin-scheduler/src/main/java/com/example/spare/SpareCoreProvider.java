package com.example.spare;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code spare-core}; named in META-INF/services, so that Cella finds it. */
public final class SpareCoreProvider implements SchedulerProvider {
    private static final SchedulerOption SPARE =
            new SchedulerOption("spareCpuMilli", "1000", "the CPU that stays free on each machine");

    @Override
    public String type() {
        return "spare-core";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(SPARE);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        return new SpareCorePlanner(options.number(SPARE.name(), 0, 1_000_000)).scheduler();
    }
}
