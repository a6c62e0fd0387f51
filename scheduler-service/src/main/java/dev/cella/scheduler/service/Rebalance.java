package dev.cella.scheduler.service;

import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** For which reasons the tasks of a settled service are moved. */
enum Rebalance {
    /** For none. */
    NEVER,
    /** Their machine drains until a deadline. */
    DRAINS,
    /** The same, and their spread has become bad. */
    SPREAD;

    static final SchedulerOption OPTION = new SchedulerOption(
            "rebalance",
            "drains",
            "moves tasks of services: never, off machines that drain until a deadline (drains), or also for a better spread"
                    + " (spread)");

    static final SchedulerOption EVERY =
            new SchedulerOption("rebalance-seconds", "60", "how often it looks at each service's spread, in seconds");

    static Rebalance of(SchedulerOptions options) {
        String word = options.text(OPTION.name());
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("option rebalance is one of "
                        + Arrays.stream(values()).map(Rebalance::word).collect(Collectors.joining(", ")) + ", not "
                        + word));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
