package dev.cella.transactions.cell.commands;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds work that is marked but not finished: machines that are down with tasks on them, stopped jobs and shrunk groups with
 * tasks to stop or rows to drop, drains past their deadline, holds past their time, and jobs that ended long enough ago to be
 * forgotten. A command changes a bounded number of rows, so further commands continue a large change. The tables alone say
 * what is left, so any replica can take over in the middle.
 */
public final class FollowUps {
    private static final int FORGOTTEN_AT_ONCE = 100;

    private final Tables tables;
    private final SortedSet<Long> losing = new TreeSet<>();
    private final DueDrains drains;
    private final TaskEnds ends;
    private final long endedJobMillis;

    public FollowUps(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.ends = new TaskEnds(tables);
        this.drains = new DueDrains(tables, ends);
        this.endedJobMillis = limits.endedJobMillis();
    }

    /** Call this after the command that drains the machine. */
    public void mayNeedDrain(MachineId machine) {
        drains.add(machine.version());
    }

    public void mayNeedLoss(MachineId machine) {
        losing.add(machine.version());
    }

    /** Call this after loading a snapshot. */
    public void findAll() {
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            if (tables.machines.exists(slot)) {
                losing.add(tables.machines.registeredVersion(slot));
                drains.add(tables.machines.registeredVersion(slot));
            }
        }
        tables.toSweep().addAll(tables.jobs.all().keySet());
    }

    /** The commands that are due at {@code now}: the time of the newest command, or the leader's clock. */
    public List<Command> due(CellTime now) {
        dropFinished();
        List<Command> due = new ArrayList<>();
        losing.forEach(machine -> due.add(new Command.ContinueLoss(new MachineId(machine))));
        tables.toSweep().forEach(job -> due.add(new Command.ContinueStop(new JobId(job))));
        drain(now, due);
        expire(now, due);
        forget(now, due);
        return due;
    }

    /** Returns whether {@link #due} has a command. It builds no list, because the apply thread asks after every entry. */
    public boolean isAnyDue(CellTime now) {
        dropFinished();
        return !losing.isEmpty()
                || !tables.toSweep().isEmpty()
                || drains.isAnyAt(now)
                || tables.holds.firstExpired(now.millis()) != null
                || isJobToForget(now);
    }

    private boolean isJobToForget(CellTime now) {
        Iterator<JobRow> ended = tables.jobs.ended().iterator();
        return ended.hasNext() && isToForget(ended.next(), now);
    }

    private void dropFinished() {
        losing.removeIf(machine -> !needsLoss(tables.machines.findById(machine)));
        tables.toSweep().removeIf(job -> !needsSweep(tables.jobs.find(job)));
    }

    private void drain(CellTime now, List<Command> due) {
        drains.at(now).forEach(machine -> due.add(new Command.ContinueDrain(new MachineId(machine))));
    }

    /**
     * Any command ends the holds whose time is over. On an idle cell no command comes, and jobs that wait for the held amounts
     * would keep waiting. So this proposes a command without another effect: it continues the stop of a job that is not
     * stopped.
     */
    private void expire(CellTime now, List<Command> due) {
        HoldRow expired = tables.holds.firstExpired(now.millis());
        if (due.isEmpty() && expired != null) {
            due.add(end(expired));
        }
    }

    private static Command end(HoldRow expired) {
        return expired.job()
                .<Command>map(job -> new Command.ContinueStop(job.id()))
                .orElseGet(() -> new Command.EndOffer(expired.offer(), 0));
    }

    /** Forgets jobs that ended long enough ago. */
    private void forget(CellTime now, List<Command> due) {
        int left = FORGOTTEN_AT_ONCE;
        for (JobRow job : tables.jobs.ended()) {
            if (left-- == 0 || !isToForget(job, now)) {
                return;
            }
            due.add(new Command.ForgetJob(job.id()));
        }
    }

    private boolean isToForget(JobRow job, CellTime now) {
        return job.endedCellTimeMillis() + endedJobMillis <= now.millis();
    }

    private boolean needsLoss(int slot) {
        return slot >= 0 && tables.machines.isDown(slot) && tables.machines.taskCount(slot) > 0;
    }

    private boolean needsSweep(@Nullable JobRow job) {
        return job != null && ends.needsSweep(job);
    }
}
