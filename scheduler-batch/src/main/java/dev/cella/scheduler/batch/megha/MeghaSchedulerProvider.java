package dev.cella.scheduler.batch.megha;

import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import java.util.List;

/** The type {@code megha}: a global master over one cell or several. */
public final class MeghaSchedulerProvider implements SchedulerProvider {
    private static final SchedulerOption VARIANT = new SchedulerOption(
            "variant",
            "paper",
            "paper: partitions in turns, and the first machine that fits; public: any partition, any machine that fits");

    private static final SchedulerOption SHARES = new SchedulerOption(
            "shares",
            "none",
            "pools: if nothing is free, a root pool below its share of the weights ends tasks of pools above theirs");

    private static final SchedulerOption HEARTBEAT = new SchedulerOption(
            "heartbeatSeconds",
            "0",
            "how often the state of another cell comes, besides with answers; 0: its feed is followed");

    private static final int HEARTBEAT_SECONDS_MAX = 3_600;

    @Override
    public String type() {
        return "megha";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(VARIANT, SHARES, HEARTBEAT, QueueOrder.OPTION);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        String variant = options.text(VARIANT.name());
        GlobalMaster.Choice choice = switch (variant) {
            case "paper" -> GlobalMaster.Choice.FIRST_IN_TURNS;
            case "public" -> GlobalMaster.Choice.RANDOM;
            default -> throw new IllegalArgumentException("option variant is one of paper, public, not " + variant);
        };
        boolean preempts = switch (options.text(SHARES.name())) {
            case "none" -> false;
            case "pools" -> true;
            default ->
                throw new IllegalArgumentException(
                        "option shares is one of none, pools, not " + options.text(SHARES.name()));
        };
        long heartbeatMillis = 1_000L * options.number(HEARTBEAT.name(), 0, HEARTBEAT_SECONDS_MAX);
        return new MeghaScheduler(choice, QueueOrder.of(options), preempts, heartbeatMillis);
    }
}
