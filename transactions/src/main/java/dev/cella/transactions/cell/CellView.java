package dev.cella.transactions.cell;

import dev.cella.transactions.cell.commands.JobCommands;
import dev.cella.transactions.cell.copies.MachinesPart;
import dev.cella.transactions.cell.rule.CommitRule;
import dev.cella.transactions.cell.rule.CopyRule;
import dev.cella.transactions.cell.rule.ScaleRule;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskCounts;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.cell.tables.Truths;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The read side of a copy of the cell state. Planners plan on it, agents reconcile with it, and doors answer from it.
 *
 * <p>Machines are read by slot, without making an object: {@code for (int slot = 0; slot < view.machineSlots(); slot++) if
 * (view.isReady(slot)) ...}. Slots are the same on every copy at the same version. Reads by name or identity return a row. The
 * view is live: it shows each version whole once its owner has applied it. Read it on the thread that applies, or under its
 * lock. You may keep rows that are records; {@link JobRow} and {@link GroupRow} are live.
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

    /** The wall time of the last entry, for people to read. */
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

    /** One number made of {@link #digests}. It is equal on two copies at the same version. */
    public long digest() {
        return digests().together();
    }

    public CellDigests digests() {
        return CellDigests.of(tables);
    }

    /** How many tasks of the cell are in each state. */
    public TaskCounts taskCounts() {
        return tables.counts;
    }

    // ---- machines, by slot

    /** The reason for which the cell would refuse that number of tasks for the group, if it would. */
    public Optional<Reason> refusedScale(JobRow job, int group, int count) {
        return Optional.ofNullable(ScaleRule.refuse(job, group, count));
    }

    /** One more than the highest slot in use. */
    public int machineSlots() {
        return tables.machines.slots();
    }

    public boolean machineExists(int slot) {
        return tables.machines.exists(slot);
    }

    /** Returns whether there is a machine in the slot that takes claims. */
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

    /** What all machines that are not DOWN have, at most {@link Amounts#AMOUNT_MAX}. */
    public long totalCapacity(int dimension) {
        return tables.machines.totalCapacity(dimension);
    }

    /** What all machines that are DOWN have, at most {@link Amounts#AMOUNT_MAX}. */
    public long totalCapacityDown(int dimension) {
        return tables.machines.totalCapacityDown(dimension);
    }

    /** What all machines that are not DOWN have free, at most {@link Amounts#AMOUNT_MAX}. */
    public long totalFree(int dimension) {
        return tables.machines.totalFree(dimension);
    }

    /** What the machine has of each set, free or held. */
    public Members capacityMembers(int slot) {
        return tables.machines.members(slot).capacity();
    }

    /** The free members of each set. */
    public Members freeMembers(int slot) {
        return tables.machines.members(slot).free();
    }

    /** Returns whether amounts fit into what is free now. {@link Draft} answers the same question for a plan in progress. */
    public boolean fits(int slot, Amounts amounts) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            if (amounts.at(dimension) > tables.machines.free(slot, dimension)) {
                return false;
            }
        }
        return !tables.hasSets()
                || tables.machines.members(slot).firstLacking(amounts, Members.NONE, tables.dimensions()) < 0;
    }

    /** How the machine is being emptied, if it is. */
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

    /** How many tasks hold amounts on the machine. */
    public int tasksOn(int slot) {
        return tables.machines.taskCount(slot);
    }

    /** The newest version at which a machine changed, came or went. A copy that was loaded does not know which have gone. */
    public long machinesChangedVersion() {
        return tables.machines.changedVersion();
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
        return MachineRow.of(tables.machines, tables.dimensions().size(), slot);
    }

    public Optional<MachineRow> machine(String name) {
        int slot = tables.machines.find(name);
        return slot < 0 ? Optional.empty() : Optional.of(machine(slot));
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

    /** The newest version at which a job came or changed. */
    public long jobsChangedVersion() {
        return tables.jobs.changedVersion();
    }

    /** The bytes of the specifications of all jobs, also of those that have ended. Every replica keeps them in memory. */
    public long specificationBytes() {
        return tables.jobs.specificationBytes();
    }

    /** The jobs of a scheduler that have pending tasks, oldest first. */
    public Collection<JobRow> pendingJobs(String scheduler) {
        return tables.jobs.pending(scheduler);
    }

    /** The jobs that have tasks on machines, the least important first, and those of one priority in no certain order. */
    public Stream<JobRow> jobsOnMachines() {
        return jobsOnMachines(JobHeader.PRIORITY_MAX);
    }

    /** Those of them that have at most that priority. */
    public Stream<JobRow> jobsOnMachines(int priorityMax) {
        return tables.jobs.onMachines(priorityMax);
    }

    // ---- tasks

    /**
     * Empty if the job, group or index does not exist. A task that was never placed is PENDING with attempt 0. A task that its
     * group has lost stays until it has ended and its row is dropped.
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
        return TaskRow.of(tables.facts, group, index);
    }

    /** The state of the task at that index of the group. */
    public TaskState taskState(GroupRow group, int index) {
        return tables.facts.stateOf(group, index);
    }

    /** Returns whether a lost task has to wait for its machine before it is tried again ({@link OnLost#WAIT}). */
    public boolean waitsForMachine(TaskId id) {
        JobRow job = Objects.requireNonNull(tables.jobs.find(id.job().version()));
        int row = job.group(id.group()).row(id.index());
        return row != TaskTable.NO_ROW && tables.facts.waitsForMachine(row);
    }

    /** The slot of the machine on which the task holds amounts, or -1. This makes no row. */
    public int machineOf(GroupRow group, int index) {
        int row = group.row(index);
        boolean isOnMachine = row != TaskTable.NO_ROW && tables.tasks.state(row).isOnMachine();
        return isOnMachine ? tables.tasks.machine(row) : TaskTable.NO_MACHINE;
    }

    /** The slot of the machine on which the task holds amounts, or -1. This makes no row. */
    public int machineOf(TaskId id) {
        JobRow job = tables.jobs.find(id.job().version());
        return job == null || id.group() >= job.groups().size()
                ? TaskTable.NO_MACHINE
                : machineOf(job.group(id.group()), id.index());
    }

    /** The slot of the machine on which the task is or was last, or -1. This makes no row. */
    public int lastMachineOf(TaskId id) {
        JobRow job = tables.jobs.find(id.job().version());
        return job == null || id.group() >= job.groups().size()
                ? TaskTable.NO_MACHINE
                : lastMachineOf(job.group(id.group()), id.index());
    }

    /** The slot of the machine on which the task is or was last, or -1. This makes no row. */
    public int lastMachineOf(GroupRow group, int index) {
        int row = group.row(index);
        return row == TaskTable.NO_ROW ? TaskTable.NO_MACHINE : tables.tasks.machine(row);
    }

    /** The tasks that hold amounts on the machine. Its agent should be running or ending them. */
    public void forEachTaskOn(int slot, Consumer<TaskRow> consumer) {
        forEachTaskRowOn(slot, (rows, row) -> consumer.accept(task(rows.tasks.group(row), rows.tasks.index(row))));
    }

    /** The amounts that tasks of such jobs hold on the machine. An evicted task does not hold what it has handed over. */
    public Amounts heldOn(int slot, Predicate<JobRow> such) {
        List<Amounts> held = new ArrayList<>();
        forEachTaskRowOn(slot, (rows, row) -> {
            if (such.test(rows.tasks.group(row).job())) {
                held.add(rows.tasks.held(row));
            }
        });
        return held.stream().reduce(Amounts.NONE, Amounts::plus);
    }

    /** Receives a task that holds amounts on a machine, without a row of it. */
    @FunctionalInterface
    public interface HoldingTask {
        /**
         * Receives one task.
         *
         * @param placedVersion of the transaction that placed it
         */
        void holds(GroupRow group, int index, TaskState state, Amounts amounts, long placedVersion);
    }

    /** The tasks that hold amounts on the machine, in the same order. This makes no rows. */
    public void forEachHoldingTaskOn(int slot, HoldingTask consumer) {
        forEachTaskRowOn(slot, (rows, row) -> {
            TaskTable tasks = rows.tasks;
            consumer.holds(
                    tasks.group(row),
                    tasks.index(row),
                    rows.facts.stateOf(row),
                    tasks.shape(row),
                    tasks.placedVersion(row));
        });
    }

    /** The same by their places in the tables; this makes no rows. */
    void forEachTaskRowOn(int slot, ObjIntConsumer<Tables> consumer) {
        int row = tables.machines.firstTask(slot);
        while (row != TaskTable.NO_ROW) {
            int following = tables.tasks.nextOnMachine(row);
            consumer.accept(tables, row);
            row = following;
        }
    }

    /** How many tasks are, or were last, on a machine of that name. */
    public int tasksLastOn(String machine) {
        return tables.machines.slotsNamed(machine).stream()
                .map(tables.machines::references)
                .sum();
    }

    /** Receives one task of a group. */
    @FunctionalInterface
    public interface TaskPlace {
        void at(GroupRow group, int index);
    }

    /**
     * The tasks that are, or were last, on a machine of that name, in no order. This makes no rows. The cost is proportional to
     * the number of these tasks.
     */
    public void forEachTaskLastOn(String machine, TaskPlace consumer) {
        tables.machines.slotsNamed(machine).stream().forEach(slot -> {
            forEachTaskRowOn(slot, (rows, row) -> consumer.at(rows.tasks.group(row), rows.tasks.index(row)));
            for (int row = tables.ended.first(slot); row != TaskTable.NO_ROW; row = tables.ended.next(row)) {
                consumer.at(tables.tasks.group(row), tables.tasks.index(row));
            }
        });
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

    /** The holds for the job, machine by machine. */
    public List<HoldRow> holdsOf(JobRow job) {
        return tables.holds.of(job);
    }

    /** All open offers, oldest first. */
    public Collection<HoldRow> offers() {
        return tables.holds.offers();
    }

    public Optional<HoldRow> offer(OfferId id) {
        return Optional.ofNullable(tables.holds.find(id));
    }

    /** Returns whether a scheduler with these rights may use the machine. */
    public boolean mayUse(Rights rights, int slot) {
        return tables.mayUse(rights, slot);
    }

    /** Returns whether the scheduler takes part in offers, so that it may claim only from what it is offered or holds. */
    public boolean takesOffers(String scheduler) {
        return tables.sessions.takesOffers(scheduler);
    }

    /** The offers to the session, machine by machine. */
    public List<HoldRow> offersTo(SessionId session) {
        return tables.holds.ofSession(session.version());
    }

    /**
     * The machines that the session does not want to be offered: by slot, until which cell time (ms). Some of these times may
     * be over.
     */
    public SortedMap<Integer, Long> offersRefused(SessionId session) {
        return tables.sessions.refusals(session.version());
    }

    // ---- spare work

    /** How many spare tasks are on machines. */
    public int spareTasks() {
        return tables.spare.size();
    }

    /** How many spare tasks of the job are on machines. The cost is a walk over the spare tasks of the cell. */
    public int spareTasksOf(JobRow job) {
        return tables.spare.of(job);
    }

    /** How many spare tasks are on the machine, those that were told to end included. */
    public int spareTasksOn(int slot) {
        return tables.spare.on(slot).size();
    }

    /** How much of the dimension the machine's spare tasks use. It counts as free for other work. */
    public long spare(int slot, int dimension) {
        return tables.spare.used(slot, dimension);
    }

    // ---- copies of tasks

    /** Returns whether the task's work is done: it finished, or a copy of it did. */
    public boolean isDone(GroupRow group, int index) {
        return tables.facts.isDone(group, index);
    }

    /** Returns whether a copy of the task may run beside it now, so that the step COPY would be accepted. */
    public boolean mayCopy(TaskId task) {
        JobRow job = tables.jobs.find(task.job().version());
        return job != null
                && task.group() < job.groupCount()
                && task.index() < job.group(task.group()).header().count()
                && CopyRule.refuse(tables, job.group(task.group()), task.index(), 0) == null;
    }

    // ---- queues

    /** The tasks that wait in the machine's queue, the head first. */
    public Collection<QueueRow> queueOn(int slot) {
        return tables.queues.on(slot);
    }

    /** How many tasks wait in the machine's queue. */
    public int queuedOn(int slot) {
        return tables.queues.count(slot);
    }

    /** Returns whether a row that was read before is in its queue still. */
    public boolean isQueued(QueueRow row) {
        return tables.queues.has(row);
    }

    /** The queue rows of the task, oldest first. */
    public List<QueueRow> queuedAt(GroupRow group, int index) {
        return tables.queues.of(group, index);
    }

    /** How many queue rows the job has. */
    public int queuedOf(JobRow job) {
        return tables.queues.count(job);
    }

    /** How many queue rows there are. */
    public int queued() {
        return tables.queues.size();
    }

    // ---- policies

    /** All pools that a job or a limit has ever named, and their ancestors, by path. */
    public Collection<PoolRow> pools() {
        return tables.policies.pools();
    }

    public Optional<PoolRow> pool(String path) {
        return Optional.ofNullable(tables.policies.find(path));
    }

    /** The rights of the scheduler: those that an operator set, or the default. */
    public Rights rights(String scheduler) {
        return tables.policies.rights(scheduler);
    }

    /** Returns whether an operator has paused the scheduler. */
    public boolean isPaused(String scheduler) {
        return tables.policies.isPaused(scheduler);
    }

    /** The tokens, by name. */
    public Collection<Token> tokens() {
        return Collections.unmodifiableCollection(tables.tokens.all());
    }

    public Optional<Token> token(String name) {
        return Optional.ofNullable(tables.tokens.find(name));
    }

    /** The tokens by their hashes: an immutable map, which any thread may read without waiting. */
    public Map<String, Token> tokensByHash() {
        return tables.tokens.byHash();
    }

    // ---- what would be

    /** An empty draft on this view, for a plan. */
    public Draft draft() {
        return new Draft(tables);
    }

    /**
     * Decides the transaction on what this view shows, without recording it. The decision drafts on the rows, so the caller
     * needs the view for itself, as a command does.
     */
    public Outcome preview(Transaction transaction) {
        return new CommitRule(tables).decide(transaction, version(), version());
    }

    /** Returns the answer that this view would give if the job were submitted now. Writes nothing. */
    public CommandResult preview(Command.SubmitJob submit) {
        return new JobCommands(tables, CellLimits.STANDARD).preview(submit);
    }

    /** Throws with the first truth of SEMANTICS section 5 that this copy breaks. The cost is a walk over all rows. */
    public void checkTruths() {
        Truths.check(tables);
    }

    /** A small cell of what concerns the machines with these names. See {@link MachinesPart}. */
    public MachinesPart.Made part(Collection<String> machines, Predicate<GroupRow> hasPeers, Collection<TaskId> ended) {
        return MachinesPart.of(tables, machines, hasPeers, ended);
    }

    Tables tables() {
        return tables;
    }
}
