package dev.cella.scheduler.service;

import dev.cella.scheduling.Preempting;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.Arrays;
import java.util.List;

/** The type {@code service}. */
public final class ServiceSchedulerProvider implements SchedulerProvider {
    private static final int DRAWS_MAX = 1_000;
    private static final SchedulerOption DRAWS =
            new SchedulerOption("draws", "4", "how many machines it draws and compares for a task");
    private static final SchedulerOption DOMAINS = new SchedulerOption(
            "domains", "rack", "attributes, by commas, over which it spreads a group that says no spread");

    @Override
    public String type() {
        return "service";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(DRAWS, DOMAINS, Preempting.OPTION, Rebalance.OPTION, Rebalance.EVERY, QueueOrder.OPTION);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        int draws = options.number(DRAWS.name(), 1, DRAWS_MAX);
        ServicePlanner planner = new ServicePlanner(draws, attributes(options.text(DOMAINS.name())));
        Rebalancing rebalancing = Rebalancing.of(options, planner::spreadOut);
        return new ServiceScheduler(Preempting.of(planner, options), rebalancing, QueueOrder.of(options));
    }

    private static List<String> attributes(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(attribute -> !attribute.isEmpty())
                .toList();
    }
}
