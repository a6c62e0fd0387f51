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

    @Override
    public String type() {
        return "megha";
    }

    @Override
    public List<SchedulerOption> options() {
        return List.of(VARIANT, QueueOrder.OPTION);
    }

    @Override
    public Scheduler<?> create(SchedulerOptions options) {
        String variant = options.text(VARIANT.name());
        GlobalMaster.Choice choice = switch (variant) {
            case "paper" -> GlobalMaster.Choice.FIRST_IN_TURNS;
            case "public" -> GlobalMaster.Choice.RANDOM;
            default -> throw new IllegalArgumentException("option variant is one of paper, public, not " + variant);
        };
        return new MeghaScheduler(choice, QueueOrder.of(options));
    }
}
