package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduling.SchedulerOption;
import dev.cella.scheduling.SchedulerOptions;
import java.util.List;

/**
 * What a user sets for the type {@code apollo}, for all jobs or for one.
 *
 * @param runSeconds how long a task runs, as long as none of its group has finished
 * @param inputMegabytes how much a task reads, if its job names the places of its input
 * @param tokens how many regular tasks a job may have at a time; {@link #UNBOUNDED} for any number
 * @param sparePerToken how many opportunistic tasks it may have for each token
 */
record ApolloOptions(int runSeconds, int inputMegabytes, int tokens, int sparePerToken) {
    static final int UNBOUNDED = 0;

    private static final int TOKENS_MAX = 1_000_000;
    private static final int SPARE_PER_TOKEN_MAX = 1_000;

    private static final int RUN_SECONDS_MAX = 30 * 24 * 3600;
    private static final int INPUT_MEGABYTES_MAX = 1_000_000_000;

    private static final SchedulerOption RUN = new SchedulerOption(
            "runSeconds", "60", "how long a task runs, as long as no task of its group has finished");
    private static final SchedulerOption INPUT = new SchedulerOption(
            "inputMegabytes", "1000", "how much a task reads, if its group names the places of its inputs");
    private static final SchedulerOption TOKENS = new SchedulerOption(
            "tokens", "0", "how many tasks of a job may be queued or run as regular work; 0: any number");
    private static final SchedulerOption SPARE = new SchedulerOption(
            "sparePerToken", "1", "how many more tasks for each token may run as spare work, which ends first");

    static List<SchedulerOption> all() {
        return List.of(RUN, INPUT, TOKENS, SPARE);
    }

    static ApolloOptions of(SchedulerOptions options) {
        return new ApolloOptions(
                options.number(RUN.name(), 1, RUN_SECONDS_MAX),
                options.number(INPUT.name(), 0, INPUT_MEGABYTES_MAX),
                options.number(TOKENS.name(), 0, TOKENS_MAX),
                options.number(SPARE.name(), 0, SPARE_PER_TOKEN_MAX));
    }
}
