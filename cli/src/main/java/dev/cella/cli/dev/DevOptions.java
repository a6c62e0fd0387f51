package dev.cella.cli.dev;

import dev.cella.cli.plugin.SchedulerSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What may be chosen about a development cell.
 *
 * @param data where everything is kept
 * @param port 0 for any
 * @param replicas how many servers there are
 * @param hollowMachines how many machines there are in name only, besides this one
 * @param taskUser whom tasks run as
 * @param schedulers one of each type, as it was set
 */
record DevOptions(
        Path data,
        int port,
        int replicas,
        int hollowMachines,
        Optional<String> taskUser,
        List<SchedulerSetting> schedulers) {
    DevOptions {
        schedulers = List.copyOf(schedulers);
    }

    Path log() {
        return data.resolve("dev.log");
    }

    Path agentData() {
        return data.resolve("agent");
    }
}
