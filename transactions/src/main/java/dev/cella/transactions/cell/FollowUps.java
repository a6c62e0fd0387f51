package dev.cella.transactions.cell;

import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is marked but not finished: machines that are down with tasks on them, stopped jobs with tasks that were not told.
 * No command changes more rows than a bound, so large ones go on by further commands. Found from the tables alone, so
 * that any replica can take over in the middle.
 */
final class FollowUps {
    private final Tables tables;
    private final SortedSet<Long> losing = new TreeSet<>();
    private final SortedSet<Long> stopping = new TreeSet<>();

    FollowUps(Tables tables) {
        this.tables = tables;
    }

    void mayNeedLoss(MachineId machine) {
        losing.add(machine.version());
    }

    void mayNeedStop(JobId job) {
        stopping.add(job.version());
    }

    /** After a snapshot was loaded. */
    void findAll() {
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            if (tables.machines.exists(slot)) {
                losing.add(tables.machines.registeredVersion(slot));
            }
        }
        stopping.addAll(tables.jobs.all().keySet());
    }

    List<Command> due() {
        losing.removeIf(machine -> !needsLoss(tables.machines.findById(machine)));
        stopping.removeIf(job -> !needsStop(tables.jobs.find(job)));
        List<Command> due = new ArrayList<>();
        losing.forEach(machine -> due.add(new Command.ContinueLoss(new MachineId(machine))));
        stopping.forEach(job -> due.add(new Command.ContinueStop(new JobId(job))));
        return due;
    }

    private boolean needsLoss(int slot) {
        return slot >= 0 && tables.machines.isDown(slot) && tables.machines.taskCount(slot) > 0;
    }

    private static boolean needsStop(@Nullable JobRow job) {
        return job != null && job.isStopped() && !TaskEnds.isToldToStop(job);
    }
}
