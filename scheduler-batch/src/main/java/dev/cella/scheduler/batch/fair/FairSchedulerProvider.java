package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code fair}: fair sharing among pools, with delay scheduling. */
public final class FairSchedulerProvider implements SchedulerProvider {
    private static final int JOBS_PER_POOL_MAX = 100_000;
    private static final SchedulerOption JOBS_PER_POOL =
            new SchedulerOption("jobsPerPool", "32", "how many jobs of a pool, at most, one plan looks at");

    @Override
    public String type() {
        return "fair";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(JOBS_PER_POOL);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        return new FairScheduler(options.number(JOBS_PER_POOL.name(), 1, JOBS_PER_POOL_MAX));
    }
}
