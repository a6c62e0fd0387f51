package dev.cella.cli.dev;

import dev.cella.cli.part.MachineName;
import dev.cella.cli.plugin.SchedulerSetting;
import dev.cella.transactions.model.CellName;
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
 * @param schedulers one of each type, and others, each with its options
 * @param chaos whether faults may be injected
 * @param cells the number of cells, each with an equal part of this machine
 * @param number which of them it is; 1 is the home of the others
 */
record DevOptions(
        Path data,
        int port,
        int replicas,
        int hollowMachines,
        Optional<Duration> hollowRunTime,
        Optional<String> taskUser,
        List<SchedulerSetting> schedulers,
        boolean chaos,
        int cells,
        int number) {
    /** The names in the data directory besides the files of the server in this process. */
    static final Set<String> BESIDE = Set.of("dev.log", DevClaim.LOCK, "agent", "token", "cells");

    /** The type that works on all cells; each of the others works on its own. */
    static final String FEDERATED = "megha";

    private static final String ALLOCATOR = "offers";

    DevOptions {
        schedulers = List.copyOf(schedulers);
    }

    boolean isHome() {
        return number == 1;
    }

    CellName name() {
        return new CellName(isHome() ? "dev" : "dev-" + number);
    }

    /** The name of this machine in the cell. */
    String machine() {
        return MachineName.ofThisMachine() + (isHome() ? "" : "-" + number);
    }

    /** The options of another cell, of which this one is the home. It runs what its home may send there. */
    DevOptions member(int other) {
        List<SchedulerSetting> its = schedulers.stream()
                .filter(each -> !each.provider().type().equals(FEDERATED))
                .filter(each -> !each.provider().type().equals(ALLOCATOR))
                .toList();
        Path folder = data.resolve("cells").resolve("dev-" + other);
        return new DevOptions(folder, 0, 1, hollowMachines, hollowRunTime, taskUser, its, chaos, cells, other);
    }

    /** The notes of the agent that offers that cell to this one. */
    Path notesOn(int other) {
        return data.resolve("cells").resolve("agent-" + other);
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
