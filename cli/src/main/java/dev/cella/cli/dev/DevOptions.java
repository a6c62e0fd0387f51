package dev.cella.cli.dev;

import dev.cella.cli.plugin.SchedulerSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What may be chosen about a development cell.
 *
 * @param data where everything is kept
 * @param port 0 for any
 * @param replicas how many servers there are
 * @param hollowMachines how many machines there are in name only, besides this one
 * @param hollowRunTime how long hollow tasks live, if they do not say so themselves
 * @param taskUser the user that runs the tasks
 * @param schedulers one of each type, as it was set
 */
record DevOptions(
        Path data,
        int port,
        int replicas,
        int hollowMachines,
        Optional<Duration> hollowRunTime,
        Optional<String> taskUser,
        List<SchedulerSetting> schedulers) {
    /** What stands in the data directory beside the files of the server in this process. */
    static final Set<String> BESIDE = Set.of("dev.log", DevClaim.LOCK, "agent", "token");

    DevOptions {
        schedulers = List.copyOf(schedulers);
    }

    Path log() {
        return data.resolve("dev.log");
    }

    /** What lets this user's commands in. */
    Path token() {
        return data.resolve("token");
    }

    Path agentData() {
        return data.resolve("agent");
    }
}
