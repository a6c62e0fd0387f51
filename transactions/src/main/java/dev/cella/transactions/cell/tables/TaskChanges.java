package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the changes of a task: its row, the machine that it comes to or leaves, the counts of its job, the use of its pool,
 * what it takes over and gives back. Owned by the thread that applies changes.
 */
final class TaskChanges {
    private final Tables tables;
    private final MachineTable machines;
    private final JobTable jobs;
    private final TaskTable tasks;
    private final PolicyTable policies;
    private final TaskCounts counts;
    private final TaskFacts facts;
    private final HoldChanges holdChanges;

    /** The tasks that the command has evicted, by the ordinal of their claim. */
    private final Map<Integer, List<Integer>> evictedFor = new HashMap<>();

    /**
     * The amounts of each ended task of the current group that the pool does not know about yet; {@link #freedTimes} counts
     * the tasks.
     */
    private Amounts freed = Amounts.NONE;

    private int freedTimes;

    TaskChanges(Tables tables, HoldChanges holdChanges) {
        this.tables = tables;
        this.machines = tables.machines;
        this.jobs = tables.jobs;
        this.tasks = tables.tasks;
        this.policies = tables.policies;
        this.counts = tables.counts;
        this.facts = tables.facts;
        this.holdChanges = holdChanges;
    }

    /** The command is over, so its evicted tasks are taken over. */
    void end() {
        evictedFor.clear();
    }

    // ---- placed

    void placed(GroupRow in, GroupPlacements placed, Origin by) {
        boolean sets = tables.hasSets();
        Amounts asked = in.header().shape();
        boolean plain = !sets && evictedFor.isEmpty() && tables.holds.isEmpty();
        Settlement free = Settlement.ofFree(asked);
        TaskTable.Run run = null;
        for (int place = 0; place < placed.count(); place++) {
            int slot = placed.slot(place);
            int ordinal = placed.ordinal(place);
            List<Integer> victims = plain ? List.of() : victims(by, ordinal, slot);
            Settlement settlement = plain ? free : settle(in.job(), by, slot, asked, victims);
            run = run == null || sets ? tasks.run(in, settlement.asked(), by, false) : run;
            int row = place(run, placed.index(place), slot, ordinal);
            holdChanges.use(in.job(), by, slot, settlement);
            takeOver(row, settlement, victims);
            tasks.link(row, machines.place(slot, row, settlement.fromFree(), by));
            in.take(placed.index(place));
            tables.queues.dropTask(in, placed.index(place));
        }
        in.countOnMachines(placed.count());
        policies.claim(in.job().pool(), asked, placed.count(), by);
        move(in.job(), TaskState.PENDING, TaskState.PLACED, placed.count());
    }

    /** Spare tasks take nothing that is free and count in no quota. */
    void placedSpare(GroupRow in, GroupPlacements placed, Origin by) {
        TaskTable.Run run = tasks.run(in, in.header().shape(), by, true);
        for (int place = 0; place < placed.count(); place++) {
            int slot = placed.slot(place);
            int row = place(run, placed.index(place), slot, placed.ordinal(place));
            tasks.link(row, machines.placeSpare(slot, row, by.version()));
            tables.spare.add(row);
            in.take(placed.index(place));
            tables.queues.dropTask(in, placed.index(place));
        }
        in.countOnMachines(placed.count());
        move(in.job(), TaskState.PENDING, TaskState.PLACED, placed.count());
    }

    void upgraded(GroupRow group, int index, Origin by) {
        int row = group.row(index);
        checkInvariant(tasks.isSpare(row), "task %s is upgraded, and is no spare work", index);
        tables.spare.remove(row);
        tasks.upgrade(row, by.version());
        machines.upgrade(tasks.machine(row), tasks.held(row), by);
        policies.claim(group.job().pool(), tasks.held(row), 1, by);
        tables.changed(group.job());
    }

    private int place(TaskTable.Run run, int index, int slot, int ordinal) {
        GroupRow in = run.group();
        int row = in.row(index);
        if (row != TaskTable.NO_ROW) {
            checkInvariant(tasks.state(row) == TaskState.PENDING, "task %s of a group is not pending", index);
            tasks.place(row, run, index, slot, ordinal);
            return row;
        }
        int first = tasks.placeFirst(run, index, slot, ordinal);
        in.setRow(index, first);
        in.job().attempted(in.job().attemptsBefore() + 1);
        return first;
    }

    private Settlement settle(JobRow job, Origin by, int slot, Amounts asked, List<Integer> victims) {
        List<Amounts> got = holdChanges.gotBy(job, by, slot);
        if (got.isEmpty() && victims.isEmpty() && !tables.hasSets()) {
            return Settlement.ofFree(asked);
        }
        List<Amounts> held = victims.stream().map(tasks::held).toList();
        return Settlement.of(asked, got, held, machines.members(slot).open());
    }

    /** The tasks on the machine that were evicted for the claim. A task that has ended by now yields to nobody. */
    private List<Integer> victims(Origin by, int ordinal, int slot) {
        if (evictedFor.isEmpty()) {
            return List.of();
        }
        List<Integer> victims = new ArrayList<>(evictedFor.getOrDefault(ordinal, List.of()));
        victims.removeIf(victim -> !tasks.yieldsTo(victim, by.version(), ordinal) || tasks.machine(victim) != slot);
        return victims;
    }

    private void takeOver(int row, Settlement settlement, List<Integer> victims) {
        for (int at = 0; at < victims.size(); at++) {
            int victim = victims.get(at);
            Amounts handed = settlement.handed().get(at);
            tasks.handOver(victim, tasks.handedOver(victim).plus(handed), tables.version(), tasks.ordinal(row));
            policies.add(tasks.group(victim).job().pool(), handed, -1);
        }
    }

    // ---- evicted, stepped

    void evicted(GroupRow group, int index, int forOrdinal) {
        int row = group.row(index);
        long version = tables.version();
        TaskState before = tasks.state(row);
        tasks.evict(
                row,
                TaskState.STOPPING,
                before == TaskState.STOPPING ? tasks.reason(row) : TaskReason.PREEMPTED,
                forOrdinal < 0 ? 0 : version,
                Math.max(forOrdinal, 0),
                version);
        if (forOrdinal >= 0) {
            evictedFor.computeIfAbsent(forOrdinal, first -> new ArrayList<>()).add(row);
        }
        move(group.job(), before, TaskState.STOPPING, 1);
    }

    void stepped(GroupRow group, TaskSteps steps) {
        boolean end = steps.state().isEnded();
        if (end && steps.count() > 1) {
            freed = Amounts.NONE;
        }
        TaskState from = TaskState.PENDING;
        int alike = 0;
        for (int place = 0; place < steps.count(); place++) {
            int index = steps.index(place);
            int row = rowToStep(group, index);
            TaskState before = tasks.step(row, group, steps, tables.version());
            if (alike > 0 && before != from) {
                move(group.job(), from, steps.state(), alike);
                alike = 0;
            }
            from = before;
            alike++;
            if (end) {
                endTask(group, index, row, before, steps);
            }
        }
        move(group.job(), from, steps.state(), alike);
        tellFreed(group);
    }

    /** A pending task that is killed before its first placement gets its row now. */
    private int rowToStep(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW) {
            return row;
        }
        int added = tasks.addWaiting(group, index);
        group.setRow(index, added);
        group.job().attempted(tasks.attempt(added));
        return added;
    }

    /** Frees what the attempt held. */
    private void endTask(GroupRow group, int index, int row, TaskState before, TaskSteps steps) {
        if (before.isOnMachine()) {
            int slot = tasks.machine(row);
            Amounts held = tasks.held(row);
            if (tasks.isSpare(row)) {
                tables.spare.remove(row);
            }
            group.countOnMachines(-1);
            free(group, held);
            Amounts rest = giveBack(row, slot, held);
            machines.leave(slot, tasks.unlink(row, machines.firstTask(slot)), rest, tables.version());
            tables.ended.add(slot, row);
            holdChanges.settle(slot);
        } else {
            group.take(index);
            tables.queues.dropTask(group, index);
        }
        if (group.isSurplus(index)) {
            group.job().counts().add(steps.state(), -1);
            counts.add(steps.state(), -1);
            group.mustSweep(index);
            tables.toSweep().add(group.job().id().version());
        } else if (facts.isForGood(row, steps.state(), steps.reason())) {
            group.countForGood(steps.state(), steps.reason());
        }
    }

    /**
     * Most tasks of a group hold the same amounts, so their pool gets one update for many tasks. Tasks that step together
     * mostly share one amounts object, so comparing it is fast. A task that steps alone writes no reference if its amounts
     * equal the previous ones.
     */
    private void free(GroupRow group, Amounts held) {
        if (!held.equals(freed)) {
            tellFreed(group);
            freed = held;
        }
        freedTimes++;
    }

    private void tellFreed(GroupRow group) {
        if (freedTimes > 0) {
            policies.add(group.job().pool(), freed, -freedTimes);
            freedTimes = 0;
        }
    }

    /**
     * The amounts that the ended task {@code held}, less what goes back to its own victims: they still run in the amounts that
     * they had handed over to it. From now on the victims yield to the placement that this task had yielded to, and this task
     * yields to nobody.
     */
    private Amounts giveBack(int row, int slot, Amounts held) {
        if (tasks.yielding() == 0) {
            return held;
        }
        Amounts rest = held;
        for (int victim = machines.firstTask(slot); victim != TaskTable.NO_ROW; victim = tasks.nextOnMachine(victim)) {
            if (tasks.yieldsTo(victim, row)) {
                Amounts back = rest.min(tasks.handedOver(victim));
                Amounts handed = tasks.handedOver(victim).minus(back);
                tasks.handOver(victim, handed, tasks.yieldsToVersion(row), tasks.yieldsToOrdinal(row));
                policies.add(tasks.group(victim).job().pool(), back, 1);
                rest = rest.minus(back);
            }
        }
        tasks.handOver(row, Amounts.NONE, 0, 0);
        return rest;
    }

    // ---- again, forgotten

    void again(GroupRow group, int index) {
        int row = group.row(index);
        TaskState before = tasks.state(row);
        leaveLastMachine(row);
        tasks.again(row, tables.version());
        group.putBack(index);
        group.job().attempted(tasks.attempt(row));
        move(group.job(), before, TaskState.PENDING, 1);
    }

    void forgotten(GroupRow of, int index) {
        JobRow job = of.job();
        int row = of.row(index);
        checkInvariant(of.isSurplus(index), "task %s is forgotten, and its group has it", index);
        if (tasks.attempt(row) > job.attemptsBefore()) {
            jobs.change(job, forgetting -> forgetting.forgetAttempt(tasks.attempt(row)));
        }
        forgottenWithJob(of, row);
        of.removeRow(index);
        tables.changed(job);
    }

    /** Drops the task's row and its reference to a machine. The rest goes with the job. */
    void forgottenWithJob(GroupRow of, int row) {
        checkInvariant(!tasks.state(row).isOnMachine(), "task row %s is forgotten on a machine", row);
        leaveLastMachine(row);
        tasks.remove(row, of);
    }

    /** The ended task no longer refers to the machine on which it was last, if it was on one. */
    private void leaveLastMachine(int row) {
        int slot = tasks.machine(row);
        if (slot != TaskTable.NO_MACHINE) {
            tables.ended.remove(slot, row);
            machines.refer(slot, -1);
        }
    }

    private void move(JobRow job, TaskState from, TaskState to, int count) {
        job.counts().move(from, to, count);
        counts.move(from, to, count);
        tables.changed(job);
    }
}
