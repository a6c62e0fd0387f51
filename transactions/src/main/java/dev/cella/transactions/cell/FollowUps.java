package dev.cella.transactions.cell;

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
 * What is marked but not finished: machines that are down with tasks on them, stopped jobs and shrunk groups with tasks
 * that were not told or rows that were not dropped, drains whose deadline is over, holds whose time is over, and jobs that
 * ended so long ago that they are to be forgotten. No command changes more rows than a bound, so large ones go on by further
 * commands. Found from the tables alone, so that any replica can take over in the middle.
 */
final class FollowUps {
    private static final int FORGOTTEN_AT_ONCE = 100;

    private final Tables tables;
    private final SortedSet<Long> losing = new TreeSet<>();
    private final SortedSet<Long> draining = new TreeSet<>();
    private final TaskEnds ends;
    private final long endedJobMillis;

    FollowUps(Tables tables, CellLimits limits) {
        this.tables = tables;
        this.ends = new TaskEnds(tables);
        this.endedJobMillis = limits.endedJobMillis();
    }

    void mayNeedDrain(MachineId machine) {
        draining.add(machine.version());
    }

    void mayNeedLoss(MachineId machine) {
        losing.add(machine.version());
    }

    /** After a snapshot was loaded. */
    void findAll() {
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            if (tables.machines.exists(slot)) {
                losing.add(tables.machines.registeredVersion(slot));
                draining.add(tables.machines.registeredVersion(slot));
            }
        }
        tables.toSweep().addAll(tables.jobs.all().keySet());
    }

    /** What is due at {@code now}: the time of the newest command, or what the leader's clock says it is by now. */
    List<Command> due(CellTime now) {
        dropFinished();
        List<Command> due = new ArrayList<>();
        losing.forEach(machine -> due.add(new Command.ContinueLoss(new MachineId(machine))));
        tables.toSweep().forEach(job -> due.add(new Command.ContinueStop(new JobId(job))));
        drain(now, due);
        expire(now, due);
        forget(now, due);
        return due;
    }

    /** Whether {@link #due} has a command. It builds no list, because the apply thread asks after every entry. */
    boolean isAnyDue(CellTime now) {
        dropFinished();
        return !losing.isEmpty()
                || !tables.toSweep().isEmpty()
                || draining.stream().anyMatch(machine -> ends.needsDrain(tables.machines.findById(machine), now))
                || !tables.holds.expired(now.millis()).isEmpty()
                || isJobToForget(now);
    }

    private boolean isJobToForget(CellTime now) {
        Iterator<JobRow> ended = tables.jobs.ended().iterator();
        return ended.hasNext() && isToForget(ended.next(), now);
    }

    private void dropFinished() {
        losing.removeIf(machine -> !needsLoss(tables.machines.findById(machine)));
        draining.removeIf(machine -> !isDrained(tables.machines.findById(machine)));
        tables.toSweep().removeIf(job -> !needsSweep(tables.jobs.find(job)));
    }

    /** Machines whose deadline is over. */
    private void drain(CellTime now, List<Command> due) {
        for (long machine : draining) {
            if (ends.needsDrain(tables.machines.findById(machine), now)) {
                due.add(new Command.ContinueDrain(new MachineId(machine)));
            }
        }
    }

    private boolean isDrained(int slot) {
        return slot >= 0 && tables.machines.drain(slot) != null;
    }

    /**
     * Any command ends the holds whose time is over by then, but on an idle cell none comes, and whoever waits for what they
     * have got would wait on. Going on with the stop of a job that is not stopped changes nothing else.
     */
    private void expire(CellTime now, List<Command> due) {
        List<HoldRow> expired = tables.holds.expired(now.millis());
        if (due.isEmpty() && !expired.isEmpty()) {
            due.add(end(expired.get(0)));
        }
    }

    private static Command end(HoldRow expired) {
        return expired.job()
                .<Command>map(job -> new Command.ContinueStop(job.id()))
                .orElseGet(() -> new Command.EndOffer(expired.offer(), 0));
    }

    /** Jobs that ended long enough ago. */
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
