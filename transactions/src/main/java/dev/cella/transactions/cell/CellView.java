package dev.cella.transactions.cell;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a copy of the cell state: what a planner plans on, an agent reconciles with, and a door answers from.
 *
 * <p>Machines are read by slot, without making an object: {@code for (int slot = 0; slot < view.machineSlots(); slot++) if
 * (view.isReady(slot)) ...}. Slots are the same on every copy at the same version. What is asked by name or identity
 * comes as a row. The view is live: it shows each version whole once its owner has applied it, and must be read on the
 * thread that applies, or under its lock. Rows that are records may be kept; {@link JobRow} and {@link GroupRow} are live.
 */
public final class CellView {
    private final Tables tables;

    CellView(Tables tables) {
        this.tables = tables;
    }

    // ---- the cell

    public CellVersion version() {
        return new CellVersion(tables.version());
    }

    public CellTime time() {
        return new CellTime(tables.cellTimeMillis());
    }

    /** The wall time of the last entry; for people. */
    public long wallTimeMillis() {
        return tables.wallTimeMillis();
    }

    public Incarnation incarnation() {
        return tables.incarnation();
    }

    public boolean isFounded() {
        return tables.name() != null;
    }

    /** Empty before the cell is founded. */
    public Optional<CellName> name() {
        return Optional.ofNullable(tables.name());
    }

    public int featureLevel() {
        return tables.featureLevel();
    }

    public Dimensions dimensions() {
        return tables.dimensions();
    }

    /** Equal on two copies at the same version; one number of {@link #digests}. */
    public long digest() {
        CellDigests each = digests();
        long digest = Digests.mix(each.head(), each.machines());
        digest = Digests.mix(digest, each.jobs());
        digest = Digests.mix(Digests.mix(digest, each.tasks()), each.sessions());
        return Digests.mix(Digests.mix(digest, each.policies()), each.holds());
    }

    public CellDigests digests() {
        long head = Digests.mix(tables.version(), tables.cellTimeMillis());
        head = Digests.mix(Digests.mix(head, tables.incarnation().number()), tables.featureLevel());
        return new CellDigests(
                Digests.mix(head, tables.dimensions().size()),
                tables.machines.digest.value(),
                tables.jobs.digest.value(),
                tables.tasks.digest.value(),
                tables.sessions.digest.value(),
                tables.policies.digest.value(),
                tables.holds.digest.value());
    }

    /** How many tasks of the cell are in each state. */
    public TaskCounts taskCounts() {
        return tables.counts;
    }

    // ---- machines, by slot

    /** One more than the highest slot in use. */
    public int machineSlots() {
        return tables.machines.slots();
    }

    public boolean machineExists(int slot) {
        return tables.machines.exists(slot);
    }

    /** Whether there is a machine in the slot that takes claims. */
    public boolean isReady(int slot) {
        return slot >= 0 && slot < tables.machines.slots() && tables.machines.isReady(slot);
    }

    public MachineId machineId(int slot) {
        return new MachineId(tables.machines.registeredVersion(slot));
    }

    public String machineName(int slot) {
        return tables.machines.name(slot);
    }

    public MachineStatus status(int slot) {
        return tables.machines.status(slot);
    }

    public long capacity(int slot, int dimension) {
        return tables.machines.capacity(slot, dimension);
    }

    public long free(int slot, int dimension) {
        return tables.machines.free(slot, dimension);
    }

    /** Whether amounts fit what is free, now and alone. {@link Draft} asks the same of a plan in the making. */
    public boolean fits(int slot, Amounts amounts) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            if (amounts.at(dimension) > tables.machines.free(slot, dimension)) {
                return false;
            }
        }
        return !tables.hasSets()
                || tables.machines.members(slot).firstLacking(amounts, Members.NONE, tables.dimensions()) < 0;
    }

    /** How the machine is emptied; nothing if it is not, or if all tasks on it stay. */
    public Optional<Drain> drain(int slot) {
        return Optional.ofNullable(tables.machines.drain(slot));
    }

    public SortedMap<String, String> attributes(int slot) {
        return Collections.unmodifiableSortedMap(tables.machines.attributes(slot));
    }

    public Optional<AgentIdentity> agent(int slot) {
        return Optional.ofNullable(tables.machines.agent(slot));
    }

    public long registeredVersion(int slot) {
        return tables.machines.registeredVersion(slot);
    }

    public long claimedVersion(int slot) {
        return tables.machines.claimedVersion(slot);
    }

    public long changedVersion(int slot) {
        return tables.machines.changedVersion(slot);
    }

    /** How many tasks are on the machine, holding their amounts. */
    public int tasksOn(int slot) {
        return tables.machines.taskCount(slot);
    }

    // ---- machines, by name and identity

    public OptionalInt findMachine(String name) {
        int slot = tables.machines.find(name);
        return slot < 0 ? OptionalInt.empty() : OptionalInt.of(slot);
    }

    public OptionalInt findMachine(MachineId id) {
        int slot = tables.machines.findById(id.version());
        return slot < 0 ? OptionalInt.empty() : OptionalInt.of(slot);
    }

    /** Everything about the machine in a slot that is in use. */
    public MachineRow machine(int slot) {
        MachineTable machines = tables.machines;
        MachineMembers members = machines.members(slot);
        return new MachineRow(
                slot,
                machineId(slot),
                machines.name(slot),
                machines.status(slot),
                amounts(dimension -> machines.capacity(slot, dimension)).naming(members.capacity()),
                amounts(dimension -> machines.capacityWanted(slot, dimension)).naming(members.wanted()),
                amounts(dimension -> machines.free(slot, dimension)).naming(members.free()),
                attributes(slot),
                agent(slot),
                new CellVersion(machines.claimedVersion(slot)),
                Optional.ofNullable(machines.claimedBy(slot)),
                new CellVersion(machines.changedVersion(slot)),
                machines.taskCount(slot));
    }

    public Optional<MachineRow> machine(String name) {
        int slot = tables.machines.find(name);
        return slot < 0 ? Optional.empty() : Optional.of(machine(slot));
    }

    private Amounts amounts(IntToLongFunction at) {
        long[] values = new long[tables.dimensions().size()];
        Arrays.setAll(values, at);
        return Amounts.of(values);
    }

    // ---- jobs

    public Optional<JobRow> job(JobId id) {
        return Optional.ofNullable(tables.jobs.find(id.version()));
    }

    /** The newest job of that name, live or ended. */
    public Optional<JobRow> job(String name) {
        return Optional.ofNullable(tables.jobs.find(name));
    }

    /** All jobs, oldest first. */
    public Collection<JobRow> jobs() {
        return tables.jobs.all().values();
    }

    /** The jobs of a scheduler that have pending tasks, oldest first. */
    public Collection<JobRow> pendingJobs(String scheduler) {
        return tables.jobs.pending(scheduler);
    }

    // ---- tasks

    /**
     * Empty when there is no such job, group or index. A task that was never placed is PENDING with attempt 0; one that
     * its group has no more is there until it has ended and its row is dropped.
     */
    public Optional<TaskRow> task(TaskId id) {
        JobRow job = tables.jobs.find(id.job().version());
        if (job == null || id.group() >= job.groups().size()) {
            return Optional.empty();
        }
        GroupRow group = job.group(id.group());
        boolean isThere = id.index() < group.header().count() || group.row(id.index()) != TaskTable.NO_ROW;
        return isThere ? Optional.of(task(group, id.index())) : Optional.empty();
    }

    /** The task at that index of the group. */
    public TaskRow task(GroupRow group, int index) {
        int row = group.row(index);
        return row == TaskTable.NO_ROW ? neverPlaced(group, index) : placed(group, index, row);
    }

    /** The state of the task at that index of the group. */
    public TaskState taskState(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW) {
            return tables.facts.stateOf(row);
        }
        return group.job().isStopped() ? TaskState.KILLED : TaskState.PENDING;
    }

    /** Whether a lost task has to wait for its machine before it is tried again ({@link OnLost#WAIT}). */
    public boolean waitsForMachine(TaskId id) {
        JobRow job = Objects.requireNonNull(tables.jobs.find(id.job().version()));
        int row = job.group(id.group()).row(id.index());
        return row != TaskTable.NO_ROW && tables.facts.waitsForMachine(row);
    }

    /** The slot of the machine on which the task holds amounts, or -1; no row is made for it. */
    public int machineOf(GroupRow group, int index) {
        int row = group.row(index);
        boolean isOnMachine = row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine();
        return isOnMachine ? tables.tasks.machine(row) : TaskTable.NO_MACHINE;
    }

    private TaskRow neverPlaced(GroupRow group, int index) {
        JobRow job = group.job();
        return new TaskRow(
                new TaskId(job.id(), group.place(), index),
                job.name(),
                group.header().name(),
                job.generation(),
                0,
                Optional.empty(),
                taskState(group, index),
                job.reason(),
                OptionalInt.empty(),
                Optional.empty(),
                group.header().shape(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                0,
                false,
                List.of(),
                new CellVersion(job.id().version()));
    }

    private TaskRow placed(GroupRow group, int index, int row) {
        TaskTable tasks = tables.tasks;
        JobRow job = group.job();
        boolean pending = tasks.state(row) == TaskState.PENDING;
        Origin origin = tasks.origin(row);
        return new TaskRow(
                new TaskId(job.id(), group.place(), index),
                job.name(),
                group.header().name(),
                pending ? job.generation() : tasks.generation(row),
                tasks.attempt(row),
                placement(row, origin),
                taskState(group, index),
                tables.facts.reasonOf(row),
                optional(tasks.machine(row), TaskTable.NO_MACHINE),
                machineNameOf(row),
                pending ? group.header().shape() : tasks.shape(row),
                Optional.ofNullable(origin),
                optional(tasks.exitCode(row), ChangeSink.EXIT_CODE_NONE),
                time(tasks.startedAt(row)),
                time(tasks.endedAt(row)),
                tasks.failures(row),
                tasks.state(row) == TaskState.FAILED && tables.facts.isForGood(row),
                waitingFor(row),
                new CellVersion(tasks.changedVersion(row)));
    }

    /** The victims whose amounts a placed task has taken over, and which have not ended yet: it is not to start before. */
    private List<TaskId> waitingFor(int row) {
        if (tables.tasks.state(row) != TaskState.PLACED) {
            return List.of();
        }
        List<TaskId> victims = new ArrayList<>();
        forEachRowOn(tables.tasks.machine(row), victim -> {
            if (tables.tasks.yieldsTo(victim, row)) {
                GroupRow group = tables.tasks.group(victim);
                victims.add(new TaskId(group.job().id(), group.place(), tables.tasks.index(victim)));
            }
        });
        return victims;
    }

    private Optional<PlacementId> placement(int row, @Nullable Origin origin) {
        return origin == null
                ? Optional.empty()
                : Optional.of(new PlacementId(origin.version(), tables.tasks.ordinal(row)));
    }

    private Optional<String> machineNameOf(int row) {
        int slot = tables.tasks.machine(row);
        return slot == TaskTable.NO_MACHINE ? Optional.empty() : Optional.of(tables.machines.name(slot));
    }

    private static OptionalInt optional(int value, int none) {
        return value == none ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static OptionalLong time(long millis) {
        return millis == 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /** The tasks that hold amounts on the machine: what its agent should be running or ending. */
    public void forEachTaskOn(int slot, Consumer<TaskRow> consumer) {
        forEachRowOn(slot, row -> consumer.accept(task(tables.tasks.group(row), tables.tasks.index(row))));
    }

    void forEachRowOn(int slot, IntConsumer consumer) {
        int row = tables.machines.firstTask(slot);
        while (row != TaskTable.NO_ROW) {
            int following = tables.tasks.nextOnMachine(row);
            consumer.accept(row);
            row = following;
        }
    }

    // ---- sessions

    /** The session, if it is open. */
    public Optional<SessionRow> session(SessionId id) {
        return Optional.ofNullable(tables.sessions.find(id.version()));
    }

    /** The open session of that instance of the scheduler. */
    public Optional<SessionRow> session(String scheduler, String instance) {
        return tables.sessions.find(scheduler, instance);
    }

    /** The open sessions, oldest first. */
    public Collection<SessionRow> sessions() {
        return tables.sessions.all();
    }

    // ---- holds

    /** The holds on the machine, oldest first. */
    public List<HoldRow> holdsOn(int slot) {
        return Collections.unmodifiableList(tables.holds.on(slot));
    }

    /** What is held for the job, machine by machine. */
    public List<HoldRow> holdsOf(JobRow job) {
        return tables.holds.of(job);
    }

    // ---- policies

    /** The pools that a job or a limit has ever named, and their ancestors, by path. */
    public Collection<PoolRow> pools() {
        return tables.policies.pools();
    }

    public Optional<PoolRow> pool(String path) {
        return Optional.ofNullable(tables.policies.find(path));
    }

    /** What the scheduler may do, as an operator set it or as it is when nobody did. */
    public Rights rights(String scheduler) {
        return tables.policies.rights(scheduler);
    }

    /** Whether an operator has told the scheduler to plan nothing for now. */
    public boolean isPaused(String scheduler) {
        return tables.policies.isPaused(scheduler);
    }

    // ---- what would be

    /**
     * What would become of the transaction if it were decided on what this view shows. Nothing is recorded, but it is drafted
     * on the rows: whoever asks must have the view for itself, as a command does.
     */
    public Outcome preview(Transaction transaction) {
        return new CommitRule(tables).decide(transaction, version(), version());
    }

    /** What would be answered to the job if it were submitted to what this view shows. Nothing is written. */
    public CommandResult preview(Command.SubmitJob submit) {
        return new JobCommands(tables, CellLimits.STANDARD).preview(submit);
    }

    Tables tables() {
        return tables;
    }
}
