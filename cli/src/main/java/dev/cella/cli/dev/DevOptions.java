package dev.cella.cli.dev;

import dev.cella.cli.plugin.SchedulerSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The options of a development cell.
 *
 * @param data the data directory
 * @param port 0 for any
 * @param replicas the number of servers
 * @param hollowMachines the number of hollow machines, besides this one
 * @param hollowRunTime the run time of hollow tasks that set none
 * @param taskUser the user that runs the tasks
 * @param schedulers one of each type, with its options
 * @param chaos whether faults may be injected
 */
record DevOptions(
        Path data,
        int port,
        int replicas,
        int hollowMachines,
        Optional<Duration> hollowRunTime,
        Optional<String> taskUser,
        List<SchedulerSetting> schedulers,
        boolean chaos) {
    /** The names in the data directory besides the files of the server in this process. */
    static final Set<String> BESIDE = Set.of("dev.log", DevClaim.LOCK, "agent", "token");

    DevOptions {
        schedulers = List.copyOf(schedulers);
    }

    Path log() {
        return data.resolve("dev.log");
    }

    /** The token for this user's commands. */
    Path token() {
        return data.resolve("token");
    }

    Path agentData() {
        return data.resolve("agent");
    }
}
