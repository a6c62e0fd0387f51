package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.ArrayList;
import java.util.List;

/** The type {@code apollo}: tasks wait in the queues of the machines on which they should complete first. */
public final class ApolloSchedulerProvider implements SchedulerProvider {
    @Override
    public String type() {
        return "apollo";
    }

    @Override
    public List<SchedulerOption> options() {
        List<SchedulerOption> options = new ArrayList<>(ApolloOptions.all());
        options.add(QueueOrder.OPTION);
        return options;
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        return new ApolloScheduler(ApolloOptions.of(options), QueueOrder.of(options));
    }
}
