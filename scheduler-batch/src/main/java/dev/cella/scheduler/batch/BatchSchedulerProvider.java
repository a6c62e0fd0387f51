package dev.cella.scheduler.batch;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.Preempting;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code batch}: randomised first fit by default. */
public final class BatchSchedulerProvider implements SchedulerProvider {
    private static final SchedulerOption PLACEMENT = new SchedulerOption(
            "placement",
            BatchPlacement.FIRST_FIT.word(),
            "how it chooses among machines that fit: " + BatchPlacement.words());

    @Override
    public String type() {
        return "batch";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(PLACEMENT, Preempting.OPTION, QueueOrder.OPTION);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        JobPlanner planner = BatchPlacement.of(options.text(PLACEMENT.name())).planner();
        return Preempting.of(planner, options).scheduler(QueueOrder.of(options));
    }
}
