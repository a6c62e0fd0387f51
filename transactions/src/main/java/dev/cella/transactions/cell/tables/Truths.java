package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Labels;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The truths of SEMANTICS section 5, checked over a whole copy. Tests, simulations and checkers do it after every command,
 * through {@code CellView.checkTruths}. The cost is proportional to the size of the cell.
 */
public final class Truths {
    private final Tables tables;

    private Truths(Tables tables) {
        this.tables = tables;
    }

    /** Throws with the first truth that does not hold. */
    public static void check(Tables tables) {
        Truths truths = new Truths(tables);
        truths.checkMachines();
        truths.checkEnded();
        truths.checkTasks();
        truths.checkPools();
        truths.checkQueues();
        truths.checkSpare();
        truths.checkCopies();
    }

    /** Checks only the truths about machines. The cost is a walk over the tasks on each. */
    static void checkMachines(Tables tables) {
        new Truths(tables).checkMachines();
    }

    private void checkMachines() {
        checkTotals();
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            if (tables.machines.exists(slot)) {
                checkMachine(slot);
            }
        }
    }

    /** The totals are the sums over the machines, apart for those that are DOWN. */
    private void checkTotals() {
        for (int dimension = 0; dimension < tables.dimensions().size(); dimension++) {
            long capacity = 0;
            long down = 0;
            long free = 0;
            for (int slot = 0; slot < tables.machines.slots(); slot++) {
                if (!tables.machines.exists(slot)) {
                    continue;
                }
                if (tables.machines.status(slot) == MachineStatus.DOWN) {
                    down = Math.min(Amounts.AMOUNT_MAX, down + tables.machines.capacity(slot, dimension));
                } else {
                    capacity = Math.min(Amounts.AMOUNT_MAX, capacity + tables.machines.capacity(slot, dimension));
                    free = Math.min(Amounts.AMOUNT_MAX, free + tables.machines.free(slot, dimension));
                }
            }
            checkInvariant(
                    capacity == tables.machines.totalCapacity(dimension)
                            && free == tables.machines.totalFree(dimension),
                    "the machines have %s of dimension %s, %s of it free, and their totals say something else",
                    capacity,
                    dimension,
                    free);
            checkInvariant(
                    down == tables.machines.totalCapacityDown(dimension),
                    "the machines that are DOWN have %s of dimension %s, and their total says something else",
                    down,
                    dimension);
        }
    }

    private void checkMachine(int slot) {
        long[] held = held(slot);
        for (int dimension = 0; dimension < held.length; dimension++) {
            checkAmount(slot, dimension, held[dimension]);
        }
        if (tables.hasSets()) {
            checkMembers(slot);
        }
        checkHolds(slot);
        checkInvariant(
                tables.machines.claimedVersion(slot) <= tables.version(), "machine %s was claimed in the future", slot);
        checkInvariant(
                tables.machines.claimedVersion(slot) >= tables.machines.registeredVersion(slot),
                "machine %s was claimed before it was registered",
                slot);
    }

    /** Each member of a set is in one place: it is free, or one task holds it, or one hold has got it. */
    private void checkMembers(int slot) {
        MachineMembers has = tables.machines.members(slot);
        Members seen = has.free();
        for (int row = tables.machines.firstTask(slot);
                row != TaskTable.NO_ROW;
                row = tables.tasks.nextOnMachine(row)) {
            seen = disjoint(slot, seen, tables.tasks.held(row).members());
        }
        for (HoldRow hold : tables.holds.on(slot)) {
            seen = disjoint(slot, seen, hold.got().members());
        }
        checkInvariant(
                seen.equals(has.capacity()), "machine %s: its members are not those that are held and free", slot);
        for (int place = 0; place < tables.dimensions().size(); place++) {
            boolean counted = !tables.dimensions().isSet(place)
                    || (has.capacity().at(place).size() == tables.machines.capacity(slot, place)
                            && has.wanted().at(place).size() == tables.machines.capacityWanted(slot, place)
                            && has.free().at(place).size() == tables.machines.free(slot, place));
            checkInvariant(counted, "machine %s: its amount of dimension %s is not the number of members", slot, place);
        }
    }

    private static Members disjoint(int slot, Members some, Members others) {
        checkInvariant(some.and(others).isNone(), "machine %s: a member is held twice, or held and free", slot);
        return some.plus(others);
    }

    /** No hold lacks what is free on its machine. A new hold relies on it. */
    private void checkHolds(int slot) {
        List<HoldRow> on = tables.holds.on(slot);
        if (!on.isEmpty()) {
            boolean served = Settlement.grown(on, HoldChanges.freeOn(tables, slot)).stream()
                    .allMatch(Amounts::isNone);
            checkInvariant(served, "machine %s: a hold lacks what is free there", slot);
        }
    }

    /** The amounts that its tasks and holds have, by dimension. */
    private long[] held(int slot) {
        long[] held = new long[tables.dimensions().size()];
        int count = 0;
        for (int row = tables.machines.firstTask(slot);
                row != TaskTable.NO_ROW;
                row = tables.tasks.nextOnMachine(row)) {
            checkInvariant(tables.tasks.machine(row) == slot, "task row %s is on the list of machine %s", row, slot);
            checkInvariant(tables.tasks.state(row).isOnMachine(), "task row %s holds amounts though it ended", row);
            add(held, tables.tasks.held(row));
            count++;
        }
        for (HoldRow hold : tables.holds.on(slot)) {
            add(held, hold.got());
        }
        checkInvariant(count == tables.machines.taskCount(slot), "machine %s counts %s tasks", slot, count);
        return held;
    }

    private static void add(long[] sums, Amounts amounts) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            sums[dimension] = Math.addExact(sums[dimension], amounts.at(dimension));
        }
    }

    /** free + held by tasks + got by holds = capacity, and free is not negative. */
    private void checkAmount(int slot, int dimension, long held) {
        long free = tables.machines.free(slot, dimension);
        checkInvariant(free >= 0, "machine %s, dimension %s: free is %s", slot, dimension, free);
        checkInvariant(
                free + held == tables.machines.capacity(slot, dimension),
                "machine %s, dimension %s: free and held do not make capacity; held %s",
                slot,
                dimension,
                held);
    }

    /** A pool's use is the sum over its tasks and holds, those of the pools below it included. */
    private void checkPools() {
        for (PoolRow pool : tables.policies.pools()) {
            for (int dimension = 0; dimension < tables.dimensions().size(); dimension++) {
                long held = heldIn(pool, dimension);
                checkInvariant(
                        held == pool.use(dimension),
                        "a pool's use of dimension %s is %s, and its tasks hold %s",
                        dimension,
                        pool.use(dimension),
                        held);
            }
        }
    }

    private long heldIn(PoolRow pool, int dimension) {
        long held = 0;
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            for (int row = tables.machines.firstTask(slot);
                    row != TaskTable.NO_ROW;
                    row = tables.tasks.nextOnMachine(row)) {
                String path = tables.tasks.group(row).job().header().pool();
                if (Labels.isPoolWithin(path, pool.path())) {
                    held += tables.tasks.held(row).at(dimension);
                }
            }
        }
        for (HoldRow hold : tables.holds.all()) {
            String path = hold.job().map(job -> job.header().pool()).orElse("");
            if (Labels.isPoolWithin(path, pool.path())) {
                held += hold.got().at(dimension);
            }
        }
        return held;
    }

    /** A queue row has a pending task, which would fit on its machine, and its machine is READY. */
    private void checkQueues() {
        for (QueueRow row : tables.queues.all()) {
            GroupRow group = row.group();
            checkInvariant(group.isPending(row.index()), "task %s waits in a queue, and is not pending", row.index());
            checkInvariant(
                    tables.jobs.find(group.job().id().version()) == group.job(),
                    "a queue row of no job: %s",
                    row.index());
            checkInvariant(tables.machines.exists(row.slot()), "a queue row on no machine: %s", row.slot());
            checkInvariant(tables.machines.isReady(row.slot()), "machine %s has a queue, and is not ready", row.slot());
            checkInvariant(
                    tables.machines.firstTooLarge(row.slot(), group.header().shape()) < 0,
                    "task %s waits in the queue of a machine that is too small",
                    row.index());
            List<QueueRow> all = tables.queues.of(group, row.index());
            checkInvariant(all.size() <= QueueRow.ROWS_A_TASK_MAX, "task %s has too many queue rows", row.index());
            long machines = all.stream().map(QueueRow::slot).distinct().count();
            checkInvariant(machines == all.size(), "task %s waits twice in a queue", row.index());
        }
    }

    /** The second column is the spare tasks of the machine's list, the youngest first. */
    private void checkSpare() {
        int count = 0;
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            List<Integer> onList = new ArrayList<>();
            for (int row = tables.machines.firstTask(slot);
                    row != TaskTable.NO_ROW;
                    row = tables.tasks.nextOnMachine(row)) {
                if (tables.tasks.isSpare(row)) {
                    onList.add(row);
                    checkInvariant(tables.tasks.held(row).isNone(), "spare task row %s holds amounts", row);
                }
            }
            List<Integer> listed = List.copyOf(tables.spare.on(slot));
            checkInvariant(
                    listed.size() == onList.size() && listed.containsAll(onList),
                    "machine %s has other spare tasks than its list",
                    slot);
            count += listed.size();
        }
        checkInvariant(count == tables.spare.size(), "machines have %s spare tasks", count);
    }

    /** A copy that goes on is of a task that is not over, and a task whose copy finished does not go on. */
    private void checkCopies() {
        for (JobRow job : tables.jobs.all().values()) {
            for (GroupRow group : job.groups()) {
                for (int index = 0; group.isOfCopies() && index < group.header().count(); index++) {
                    checkCopy(job, group, index);
                }
            }
        }
    }

    private void checkCopy(JobRow job, GroupRow copies, int index) {
        GroupRow group = copies.original();
        int task = copies.copied(index);
        if (job.isStopped() || job.isEnded()) {
            return;
        }
        checkInvariant(task < group.header().count(), "a copy is of task %s, which the group does not have", task);
        int row = group.row(task);
        TaskState state = tables.facts.stateOf(copies, index);
        boolean isOver = row != TaskTable.NO_ROW && tables.facts.isOver(row);
        boolean goesOn = state == TaskState.PENDING || state == TaskState.PLACED || state == TaskState.RUNNING;
        checkInvariant(!(goesOn && isOver), "copy %s goes on, and its task is over", index);
        boolean isEnding = row != TaskTable.NO_ROW && tables.tasks.state(row) == TaskState.STOPPING;
        checkInvariant(
                state != TaskState.FINISHED || isOver || isEnding, "copy %s finished, and its task goes on", index);
    }

    /** The list of the tasks that ended on a machine has each row that refers to it and is not on it. */
    private void checkEnded() {
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            int count = 0;
            for (int row = tables.ended.first(slot); row != TaskTable.NO_ROW; row = tables.ended.next(row)) {
                checkInvariant(tables.tasks.machine(row) == slot, "task row %s ended on machine %s", row, slot);
                checkInvariant(!tables.tasks.state(row).isOnMachine(), "task row %s is on its machine still", row);
                count++;
            }
            int ended = tables.machines.references(slot) - tables.machines.taskCount(slot);
            checkInvariant(count == ended, "machine %s lists %s ended tasks, not %s", slot, count, ended);
        }
    }

    private void checkTasks() {
        int[] byCode = new int[TaskState.values().length];
        long specificationBytes = 0;
        for (JobRow job : tables.jobs.all().values()) {
            checkJob(job);
            specificationBytes += job.specification().length();
            for (TaskState state : TaskState.values()) {
                byCode[state.code()] += job.counts().of(state);
            }
        }
        for (TaskState state : TaskState.values()) {
            checkInvariant(
                    byCode[state.code()] == tables.counts.of(state),
                    "the jobs count %s tasks in state %s",
                    byCode[state.code()],
                    state.code());
        }
        checkInvariant(
                specificationBytes == tables.jobs.specificationBytes(),
                "the jobs' specifications have %s bytes, not %s",
                specificationBytes,
                tables.jobs.specificationBytes());
        checkJobsOnMachines();
    }

    /** The jobs with tasks on machines are listed at their priority, and no others are. */
    private void checkJobsOnMachines() {
        List<JobRow> there = tables.jobs.all().values().stream()
                .filter(job -> job.counts().onMachines() > 0)
                .toList();
        Set<Integer> priorities =
                there.stream().map(job -> job.header().priority()).collect(Collectors.toSet());
        priorities.add(JobHeader.PRIORITY_MAX);
        for (int priority : priorities) {
            List<JobRow> listed = tables.jobs
                    .onMachines(priority)
                    .sorted(Comparator.comparingLong(job -> job.id().version()))
                    .toList();
            checkInvariant(
                    listed.equals(there.stream()
                            .filter(job -> job.header().priority() <= priority)
                            .toList()),
                    "%s jobs of priority %s or less are listed with tasks on machines, and others have some",
                    listed.size(),
                    priority);
        }
    }

    /** Counts follow from the tasks; a pending task has no machine, one on a machine has one. */
    private void checkJob(JobRow job) {
        int[] byCode = new int[TaskState.values().length];
        for (GroupRow group : job.groups()) {
            for (int index = 0; index < group.header().count(); index++) {
                TaskState state = tables.facts.stateOf(group, index);
                byCode[state.code()]++;
                checkTask(group, index, state);
            }
            for (TaskState state : surplusOnMachines(group)) {
                byCode[state.code()]++;
            }
            checkGroup(group);
        }
        for (TaskState state : TaskState.values()) {
            checkInvariant(
                    byCode[state.code()] == job.counts().of(state),
                    "job %s counts its tasks in state %s wrongly: there are %s",
                    job.id().version(),
                    state.code(),
                    byCode[state.code()]);
        }
    }

    /** A surplus task counts while it is on a machine. */
    private List<TaskState> surplusOnMachines(GroupRow group) {
        List<TaskState> states = new ArrayList<>();
        for (int index = group.header().count(); index < group.rowsEnd(); index++) {
            int row = group.row(index);
            if (row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine()) {
                states.add(tables.tasks.state(row));
            }
        }
        return states;
    }

    private void checkGroup(GroupRow group) {
        int onMachines = 0;
        int failed = 0;
        for (int index = 0; index < group.rowsEnd(); index++) {
            int row = group.row(index);
            if (row != TaskTable.NO_ROW) {
                boolean isFailed = tables.facts.hasFailedForGood(row);
                onMachines += tables.tasks.state(row).isOnMachine() ? 1 : 0;
                failed += isFailed && !group.isSurplus(index) && !group.isOfCopies() ? 1 : 0;
            }
        }
        checkInvariant(
                onMachines == group.onMachines(), "group %s counts %s on machines", group.place(), group.onMachines());
        checkInvariant(
                failed == group.failedForGood(), "group %s counts %s as failed", group.place(), group.failedForGood());
    }

    private void checkTask(GroupRow group, int index, TaskState state) {
        int row = group.row(index);
        checkInvariant(
                (state == TaskState.PENDING) == group.isPending(index),
                "job %s: task %s is pending for one and not for the other",
                group.job().id().version(),
                index);
        if (row != TaskTable.NO_ROW && state == TaskState.PENDING) {
            checkInvariant(tables.tasks.machine(row) == TaskTable.NO_MACHINE, "pending task row %s has a machine", row);
        }
    }
}
