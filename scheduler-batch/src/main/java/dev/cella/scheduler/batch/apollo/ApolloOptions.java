package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import java.util.List;

/**
 * What a user sets for the type {@code apollo}, for all jobs or for one.
 *
 * @param runSeconds how long a task runs, as long as none of its group has finished
 * @param inputMegabytes how much a task reads, if its job names the places of its input
 */
record ApolloOptions(int runSeconds, int inputMegabytes) {
    private static final int RUN_SECONDS_MAX = 30 * 24 * 3600;
    private static final int INPUT_MEGABYTES_MAX = 1_000_000_000;

    private static final SchedulerOption RUN = new SchedulerOption(
            "runSeconds", "60", "how long a task runs, as long as no task of its group has finished");
    private static final SchedulerOption INPUT = new SchedulerOption(
            "inputMegabytes", "1000", "how much a task reads, if its group names the places of its inputs");

    static List<SchedulerOption> all() {
        return List.of(RUN, INPUT);
    }

    static ApolloOptions of(SchedulerOptions options) {
        return new ApolloOptions(
                options.number(RUN.name(), 1, RUN_SECONDS_MAX), options.number(INPUT.name(), 0, INPUT_MEGABYTES_MAX));
    }
}
