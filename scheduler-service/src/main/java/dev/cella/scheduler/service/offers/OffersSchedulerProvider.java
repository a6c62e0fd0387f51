package dev.cella.scheduler.service.offers;

import dev.cella.scheduling.Rounds;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.time.Duration;
import java.util.List;

/** The type {@code offers}: it offers machines to schedulers that take part in offers. */
public final class OffersSchedulerProvider implements SchedulerProvider {
    private static final int WEEK_SECONDS = 7 * 24 * 3_600;
    private static final int OUTSTANDING_MAX = 100_000;
    private static final int MILLIS_MAX = 3_600_000;
    private static final SchedulerOption POLICY = new SchedulerOption(
            "policy",
            "drf",
            "how it picks the framework for a machine: drf (lowest dominant share) or lottery (by weight)");
    private static final SchedulerOption TIMEOUT =
            new SchedulerOption("timeoutSeconds", "30", "after how long an offer that nobody used expires");
    private static final SchedulerOption OUTSTANDING =
            new SchedulerOption("outstanding", "50", "how many offers to one scheduler stand at once, at most");
    private static final SchedulerOption INTERVAL = new SchedulerOption(
            "intervalMillis", "1000", "how often it offers at the latest; it does sooner when something has changed");
    private static final SchedulerOption SOONEST =
            new SchedulerOption("soonestMillis", "50", "how long it waits between two rounds at the least");
    private static final SchedulerOption FAILOVER = new SchedulerOption(
            "failoverSeconds",
            "600",
            "after how long it ends the tasks of a scheduler that took part and has no session; 0 is never");

    @Override
    public String type() {
        return "offers";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(POLICY, TIMEOUT, OUTSTANDING, INTERVAL, SOONEST, FAILOVER);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        int interval = options.number(INTERVAL.name(), 1, MILLIS_MAX);
        return new OffersScheduler(
                policy(options.text(POLICY.name())),
                new Rounds(
                        Duration.ofMillis(interval),
                        Duration.ofMillis(Math.min(interval, options.number(SOONEST.name(), 0, MILLIS_MAX)))),
                options.number(OUTSTANDING.name(), 1, OUTSTANDING_MAX),
                1_000L * options.number(TIMEOUT.name(), 1, WEEK_SECONDS),
                1_000L * options.number(FAILOVER.name(), 0, WEEK_SECONDS));
    }

    private static AllocationPolicy policy(String text) {
        return switch (text) {
            case "drf" -> AllocationPolicy.DRF;
            case "lottery" -> AllocationPolicy.LOTTERY;
            default -> throw new IllegalArgumentException("option policy is drf or lottery, not " + text);
        };
    }
}
