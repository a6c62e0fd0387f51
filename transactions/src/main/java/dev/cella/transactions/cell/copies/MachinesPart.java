package dev.cella.transactions.cell.copies;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.LoadedTask;
import dev.cella.transactions.cell.tables.MachineTable;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TableLoader;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.Predicate;

/**
 * Makes a small cell of what concerns some machines: their rows, the tasks, holds and queue rows on them, and the jobs of
 * these. Groups that ask for it have their tasks on other machines too, and those machines with nothing else on them. It is at
 * the same version as the cell, and a replica loads it like any snapshot, with its own digests.
 *
 * <p>Slots and rows are numbered from 0. Jobs count only the tasks that are in the part. A job's specification is in the part
 * only while a task of it is about to start, because it can be larger than everything else. There are no pools' limits,
 * rights and sessions.
 */
public final class MachinesPart {
    private static final CellLimits NO_OUTCOMES = new CellLimits(1, 1, 1);

    private final Tables cell;
    private final Tables part = new Tables(new IgnoredChanges());
    private final TableLoader loader = new TableLoader(part);
    private final Map<Integer, List<Integer>> rowsBySlot = new TreeMap<>();
    private final Set<Integer> ownSlots = new LinkedHashSet<>();
    private final Set<Integer> rowsOnNoList = new LinkedHashSet<>();
    private final Map<Long, JobRow> jobs = new TreeMap<>();
    private final Set<Long> starting = new LinkedHashSet<>();
    private final Set<GroupRow> groups = new LinkedHashSet<>();
    private final Set<JobId> jobsWithPeers = new LinkedHashSet<>();

    /**
     * A part, and what to watch for: it changes when something changes on these slots, or with a task of these jobs.
     *
     * @param chunks as {@code CellReplica.load} reads them
     */
    public record Made(List<byte[]> chunks, Set<Integer> slots, Set<JobId> jobsWithPeers) {
        public Made {
            chunks = List.copyOf(chunks);
            slots = Set.copyOf(slots);
            jobsWithPeers = Set.copyOf(jobsWithPeers);
        }
    }

    private MachinesPart(Tables cell) {
        this.cell = cell;
    }

    /**
     * Makes the part of the machines with these names; a name without a machine has none. Call this while the cell does not
     * change.
     *
     * @param hasPeers whether a group with a task on the machines shows its other tasks
     * @param ended tasks that have ended on the machines and are shown once more
     */
    public static Made of(
            Tables cell, Collection<String> machines, Predicate<GroupRow> hasPeers, Collection<TaskId> ended) {
        MachinesPart made = new MachinesPart(cell);
        machines.stream().map(cell.machines::find).filter(slot -> slot >= 0).forEach(made::addMachine);
        ended.forEach(made::addEnded);
        made.groups.stream().filter(hasPeers).forEach(made::addPeers);
        made.load();
        CellCopy copy = new CellCopy(made.part, new OutcomeTable(NO_OUTCOMES));
        return new Made(copy.snapshotForReplicas(), made.ownSlots, made.jobsWithPeers);
    }

    // ---- what is in it

    private void addMachine(int slot) {
        ownSlots.add(slot);
        List<Integer> rows = rowsOn(slot);
        for (int row = cell.machines.firstTask(slot); row != TaskTable.NO_ROW; row = cell.tasks.nextOnMachine(row)) {
            rows.add(row);
            addGroup(cell.tasks.group(row), cell.tasks.state(row) == TaskState.PLACED);
        }
        cell.holds.on(slot).forEach(hold -> hold.job().ifPresent(this::addJob));
        for (QueueRow queued : cell.queues.on(slot)) {
            addGroup(queued.group(), true);
            int row = queued.group().row(queued.index());
            if (row != TaskTable.NO_ROW) {
                rowsOnNoList.add(row);
            }
        }
    }

    private List<Integer> rowsOn(int slot) {
        return rowsBySlot.computeIfAbsent(slot, added -> new ArrayList<>());
    }

    private void addGroup(GroupRow group, boolean isStarting) {
        groups.add(group);
        addJob(group.job());
        if (isStarting) {
            starting.add(group.job().id().version());
        }
    }

    private void addJob(JobRow job) {
        jobs.put(job.id().version(), job);
    }

    private void addEnded(TaskId task) {
        int row = cell.findRow(task.job().version(), task.group(), task.index());
        boolean isHere = row != TaskTable.NO_ROW
                && cell.tasks.state(row).isEnded()
                && ownSlots.contains(cell.tasks.machine(row));
        if (isHere) {
            rowsOnNoList.add(row);
            addJob(cell.tasks.group(row).job());
        }
    }

    private void addPeers(GroupRow group) {
        jobsWithPeers.add(group.job().id());
        for (int index = 0; index < group.rowsEnd(); index++) {
            int row = group.row(index);
            boolean isElsewhere = row != TaskTable.NO_ROW
                    && cell.tasks.state(row).isOnMachine()
                    && !ownSlots.contains(cell.tasks.machine(row));
            if (isElsewhere) {
                rowsOn(cell.tasks.machine(row)).add(row);
            }
        }
    }

    // ---- its tables

    private void load() {
        part.loadHead(
                cell.name(),
                cell.incarnation(),
                cell.featureLevel(),
                cell.version(),
                cell.cellTimeMillis(),
                cell.wallTimeMillis());
        part.loadDimensions(new Dimensions(cell.dimensions().list()));
        Map<Integer, Integer> slots = new TreeMap<>();
        int firstRow = 0;
        for (Map.Entry<Integer, List<Integer>> each : rowsBySlot.entrySet()) {
            int slot = slots.size();
            slots.put(each.getKey(), slot);
            loadMachine(slot, each.getKey(), each.getValue().isEmpty() ? TaskTable.NO_ROW : firstRow);
            firstRow += each.getValue().size();
        }
        jobs.forEach((id, job) ->
                loader.job(job.withoutTasks(starting.contains(id) ? job.specification() : Specification.EMPTY)));
        int row = 0;
        for (Map.Entry<Integer, List<Integer>> each : rowsBySlot.entrySet()) {
            List<Integer> rows = each.getValue();
            for (int place = 0; place < rows.size(); place++) {
                int next = place + 1 < rows.size() ? row + 1 : TaskTable.NO_ROW;
                loadTask(row++, rows.get(place), slots.getOrDefault(each.getKey(), TaskTable.NO_MACHINE), next);
            }
        }
        for (int other : rowsOnNoList) {
            int slot = cell.tasks.machine(other);
            loadTask(row++, other, slots.getOrDefault(slot, TaskTable.NO_MACHINE), TaskTable.NO_ROW);
        }
        ownSlots.forEach(slot -> loadHoldsAndQueue(slot, slots.getOrDefault(slot, TaskTable.NO_MACHINE)));
        loader.finishPart();
    }

    private void loadMachine(int slot, int inCell, int firstTask) {
        MachineTable machines = cell.machines;
        boolean isOwn = ownSlots.contains(inCell);
        Amounts taken = isOwn ? Amounts.NONE : held(rowsOn(inCell));
        part.machines.load(
                slot,
                machines.name(inCell),
                machines.registeredVersion(inCell),
                isOwn
                        ? amounts(at -> machines.capacity(inCell, at))
                                .naming(machines.members(inCell).capacity())
                        : taken,
                isOwn
                        ? amounts(at -> machines.capacityWanted(inCell, at))
                                .naming(machines.members(inCell).wanted())
                        : taken,
                isOwn
                        ? amounts(at -> machines.free(inCell, at))
                                .naming(machines.members(inCell).free())
                        : Amounts.NONE,
                machines.attributes(inCell),
                machines.agent(inCell),
                machines.isDraining(inCell),
                machines.isDown(inCell),
                machines.drain(inCell),
                machines.claimedVersion(inCell),
                machines.claimedByOthersVersion(inCell),
                machines.claimedBy(inCell),
                machines.changedVersion(inCell),
                firstTask);
    }

    private Amounts amounts(IntToLongFunction at) {
        long[] values = new long[cell.dimensions().size()];
        Arrays.setAll(values, at);
        return Amounts.of(values);
    }

    /** What these tasks hold: the whole of a machine that is in the part only for them. */
    private Amounts held(List<Integer> rows) {
        return rows.stream().map(cell.tasks::held).reduce(Amounts.NONE, Amounts::plus);
    }

    private void loadTask(int row, int inCell, int slot, int next) {
        TaskTable tasks = cell.tasks;
        GroupRow group = tasks.group(inCell);
        loader.task(
                row,
                new LoadedTask(
                        part.jobs.get(group.job().id().version()).group(group.place()),
                        tasks.index(inCell),
                        tasks.attempt(inCell),
                        tasks.state(inCell),
                        tasks.reason(inCell),
                        tasks.failures(inCell),
                        tasks.generation(inCell),
                        tasks.shape(inCell),
                        slot,
                        tasks.origin(inCell),
                        tasks.ordinal(inCell),
                        tasks.exitCode(inCell),
                        tasks.startedAt(inCell),
                        tasks.endedAt(inCell),
                        tasks.handedOver(inCell),
                        tasks.yieldsToVersion(inCell),
                        tasks.yieldsToOrdinal(inCell),
                        tasks.changedVersion(inCell),
                        next,
                        tasks.isSpare(inCell)));
    }

    private void loadHoldsAndQueue(int inCell, int slot) {
        for (HoldRow hold : cell.holds.on(inCell)) {
            JobRow job = hold.job().map(of -> part.jobs.get(of.id().version())).orElse(null);
            loader.hold(hold.in(slot, job), hold.got());
        }
        for (QueueRow queued : cell.queues.on(inCell)) {
            GroupRow group = part.jobs
                    .get(queued.group().job().id().version())
                    .group(queued.group().place());
            part.queues.put(new QueueRow(group, queued.index(), slot, queued.origin(), queued.ordinal()));
        }
    }
}
