package dev.cella.transactions.cell;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cell state: every table of one copy, common or private, and the only way to change them.
 *
 * <p>Each method of {@link ChangeSink} writes the rows of one kind of change, keeps the digests, and hands the same call
 * on to the next sink. In the common copy that is the writer of the change stream; a private copy is driven by the reader
 * of that stream, and has nobody after it. So both copies run the very same code on the very same arguments, and their
 * digests agree by construction. Owned by the thread that applies.
 */
final class Tables implements ChangeSink {
    final MachineTable machines = new MachineTable();
    final JobTable jobs = new JobTable();
    final TaskTable tasks = new TaskTable();
    final SessionTable sessions = new SessionTable();
    final PolicyTable policies = new PolicyTable();
    final HoldTable holds = new HoldTable();
    final TaskCounts counts = new TaskCounts();
    private final ChangeSink next;
    private final List<JobRow> changedJobs = new ArrayList<>();
    private final SortedSet<Long> toSweep = new TreeSet<>();
    private final List<Integer> evictedNow = new ArrayList<>();
    private final List<Integer> holdsEndedOn = new ArrayList<>();
    private @Nullable CellName name;
    private Incarnation incarnation = Incarnation.UNSAID;
    private int featureLevel = 1;
    private Dimensions dimensions = Dimensions.FOUNDING;
    private boolean hasSets;
    private long version;
    private long cellTimeMillis;
    private long wallTimeMillis;
    private @Nullable Origin origin;

    Tables(ChangeSink next) {
        this.next = next;
    }

    // ---- reading

    @Nullable
    CellName name() {
        return name;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    int featureLevel() {
        return featureLevel;
    }

    Dimensions dimensions() {
        return dimensions;
    }

    /** Whether any dimension is one whose members are named. */
    boolean hasSets() {
        return hasSets;
    }

    long version() {
        return version;
    }

    long cellTimeMillis() {
        return cellTimeMillis;
    }

    long wallTimeMillis() {
        return wallTimeMillis;
    }

    /** The machines on which holds have ended in the newest version, by themselves: no change of the stream says so. */
    List<Integer> holdsEndedOn() {
        return holdsEndedOn;
    }

    // ---- frames

    @Override
    public void begin(long nextVersion, long nextCellTime, long nextWallTime, @Nullable Origin by) {
        checkInvariant(nextVersion == version + 1, "version %s after version %s", nextVersion, version);
        checkInvariant(
                nextCellTime >= cellTimeMillis, "cell time goes back from %s to %s", cellTimeMillis, nextCellTime);
        version = nextVersion;
        cellTimeMillis = nextCellTime;
        wallTimeMillis = nextWallTime;
        origin = by;
        next.begin(nextVersion, nextCellTime, nextWallTime, by);
        holdsEndedOn.clear();
        holds.expired(cellTimeMillis).forEach(this::endHold);
    }

    /** What follows from the changes of tasks is brought up to date once a command. */
    @Override
    public void end() {
        changedJobs.removeIf(job -> jobs.find(job.id().version()) == null);
        for (JobRow job : changedJobs) {
            job.noteChange(false);
            jobs.derive(job, version, wallTimeMillis, cellTimeMillis);
            if (job.isEnded()) {
                holds.of(job).forEach(this::endHold);
            }
        }
        changedJobs.clear();
        evictedNow.clear();
        origin = null;
        next.end();
    }

    private void changed(JobRow job) {
        if (!job.hasChanged()) {
            job.noteChange(true);
            changedJobs.add(job);
        }
    }

    // ---- the cell

    @Override
    public void founded(CellName as, Incarnation with) {
        name = as;
        incarnation = with;
        next.founded(as, with);
    }

    @Override
    public void featureLevelRaised(int level) {
        featureLevel = level;
        next.featureLevelRaised(level);
    }

    @Override
    public void dimensionAdded(Dimension dimension) {
        know(dimensions.with(dimension));
        next.dimensionAdded(dimension);
    }

    private void know(Dimensions all) {
        dimensions = all;
        hasSets = all.hasSets();
        machines.widen(all.size());
    }

    // ---- machines

    @Override
    public void machineRegistered(
            int slot,
            String machineName,
            Amounts capacity,
            Map<String, String> attributes,
            @Nullable AgentIdentity agent) {
        dropHolds(slot);
        machines.register(slot, machineName, capacity, attributes, agent, version);
        next.machineRegistered(slot, machineName, capacity, attributes, agent);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        machines.renew(slot, capacity, attributes, agent, version);
        settle(slot);
        next.machineRenewed(slot, capacity, attributes, agent);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        machines.drain(slot, drain, version);
        next.machineDrained(slot, drain);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        machines.mark(slot, draining, down, version);
        next.machineMarked(slot, draining, down);
    }

    @Override
    public void machineRemoved(int slot) {
        dropHolds(slot);
        machines.remove(slot);
        next.machineRemoved(slot);
    }

    // ---- jobs

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        JobRow job = jobs.submit(header, specification, generation, attemptsBefore, version, wallTimeMillis);
        job.join(policies.pool(header.pool()));
        counts.add(TaskState.PENDING, header.tasks());
        next.jobSubmitted(header, specification, generation, attemptsBefore);
    }

    @Override
    public void jobUpdated(long id, JobHeader header, Specification specification) {
        JobRow job = jobs.get(id);
        jobs.update(job, header, specification);
        movePool(job, policies.pool(header.pool()));
        recount(job);
        next.jobUpdated(id, header, specification);
    }

    /** What the job's tasks and holds have moves with it. */
    private void movePool(JobRow job, PoolRow to) {
        PoolRow from = job.pool();
        if (from == to) {
            return;
        }
        for (GroupRow group : job.groups()) {
            for (int index = 0; index < group.rowsEnd(); index++) {
                int row = group.row(index);
                if (row != TaskTable.NO_ROW && tasks.state(row).isOnMachine()) {
                    move(from, to, tasks.held(row));
                }
            }
        }
        holds.of(job).forEach(hold -> move(from, to, hold.got()));
        job.join(to);
    }

    private void move(PoolRow from, PoolRow to, Amounts amounts) {
        policies.add(from, amounts, -1);
        policies.add(to, amounts, 1);
    }

    @Override
    public void jobScaled(long id, int group, int count) {
        JobRow job = jobs.get(id);
        jobs.change(job, scaled -> scaled.scale(group, count));
        recount(job);
        next.jobScaled(id, group, count);
    }

    /** The job's groups are others than before: its counts, and the cell's with them. */
    private void recount(JobRow job) {
        counts.addAll(job.counts(), -1);
        job.recount(this);
        counts.addAll(job.counts(), 1);
        toSweep.add(job.id().version());
        changed(job);
    }

    @Override
    public void jobForgotten(long id) {
        JobRow job = jobs.get(id);
        checkInvariant(job.isEnded() && job.hasNoTasks(), "job %s is forgotten with tasks", id);
        jobs.forget(job);
        toSweep.remove(id);
        next.jobForgotten(id);
    }

    @Override
    public void jobProgress(long id, Progress progress) {
        JobRow job = jobs.get(id);
        jobs.change(job, remembering -> remembering.remember(progress));
        changed(job);
        next.jobProgress(id, progress);
    }

    /** The jobs that may have tasks to stop or rows to drop; whoever asks has to look. */
    SortedSet<Long> toSweep() {
        return toSweep;
    }

    @Override
    public void jobStopped(long id, TaskReason reason) {
        JobRow job = jobs.get(id);
        counts.move(TaskState.PENDING, TaskState.KILLED, job.pending());
        jobs.stop(job, reason);
        toSweep.add(id);
        changed(job);
        next.jobStopped(id, reason);
    }

    @Override
    public void jobTried(long id, int conflicts) {
        JobRow job = jobs.get(id);
        jobs.tried(job, conflicts);
        changed(job);
        next.jobTried(id, conflicts);
    }

    // ---- tasks

    @Override
    public void taskPlaced(long jobId, int group, int index, int slot, int ordinal) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a placement outside of a transaction");
        }
        JobRow job = jobs.get(jobId);
        GroupRow in = job.group(group);
        Amounts asked = in.header().shape();
        Amounts shape = hasSets ? chooseMembers(job, slot, asked, by, ordinal) : asked;
        int row = rowOf(in, index);
        tasks.place(row, in, shape, slot, by, ordinal);
        machines.take(slot, takeOver(row, slot, useHolds(job, slot, shape)), by);
        tasks.link(row, machines.firstTask(slot));
        machines.linkTask(slot, row);
        machines.refer(slot, 1);
        in.take(index);
        in.countOnMachines(1);
        policies.claim(job.pool(), shape, by);
        move(job, TaskState.PENDING, TaskState.PLACED);
        next.taskPlaced(jobId, group, index, slot, ordinal);
    }

    /** The members that a claim gets are chosen in the order in which it takes: from holds, from victims, of what is free. */
    private Amounts chooseMembers(JobRow job, int slot, Amounts asked, Origin by, int ordinal) {
        List<Members> sources = new ArrayList<>();
        for (HoldRow hold : holds.on(slot)) {
            if (hold.job().id().equals(job.id())) {
                sources.add(hold.got().members());
            }
        }
        for (int victim : evictedNow) {
            if (tasks.yieldsTo(victim, by.version(), ordinal) && tasks.machine(victim) == slot) {
                sources.add(tasks.held(victim).members());
            }
        }
        sources.add(machines.members(slot).open());
        return asked.choosing(sources.toArray(Members[]::new));
    }

    /** The claim takes first from what its job holds on the machine. Answers what it still needs. */
    private Amounts useHolds(JobRow job, int slot, Amounts shape) {
        if (holds.isEmpty()) {
            return shape;
        }
        Amounts need = shape;
        for (HoldRow hold : List.copyOf(holds.on(slot))) {
            if (hold.job().id().equals(job.id())) {
                Amounts used = holds.use(hold, need);
                policies.add(job.pool(), used, -1);
                need = need.minus(used);
                if (hold.isUsedUp()) {
                    holds.remove(hold);
                }
            }
        }
        return need;
    }

    /**
     * Then from the victims that were evicted for it, in their order. Answers what it still needs of what is free. Victims
     * of the claims before it may have ended by now: they hold nothing, and yield to nobody.
     */
    private Amounts takeOver(int row, int slot, Amounts shape) {
        if (evictedNow.isEmpty()) {
            return shape;
        }
        Amounts need = shape;
        for (int victim : evictedNow) {
            if (tasks.yieldsTo(victim, row) && tasks.machine(victim) == slot) {
                Amounts handed = tasks.held(victim).min(need);
                tasks.handOver(victim, tasks.handedOver(victim).plus(handed), version, tasks.ordinal(row));
                policies.add(tasks.group(victim).job().pool(), handed, -1);
                need = need.minus(handed);
            }
        }
        return need;
    }

    @Override
    public void taskEvicted(long jobId, int group, int index, int forOrdinal) {
        JobRow job = jobs.get(jobId);
        int row = job.group(group).row(index);
        TaskState before = tasks.state(row);
        tasks.evict(
                row,
                TaskState.STOPPING,
                TaskReason.PREEMPTED,
                forOrdinal < 0 ? 0 : version,
                Math.max(forOrdinal, 0),
                version);
        if (forOrdinal >= 0) {
            evictedNow.add(row);
        }
        move(job, before, TaskState.STOPPING);
        next.taskEvicted(jobId, group, index, forOrdinal);
    }

    private int rowOf(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW) {
            checkInvariant(tasks.state(row) == TaskState.PENDING, "task %s of a group is not pending", index);
            return row;
        }
        int added = tasks.add(index, group.job().attemptsBefore() + 1);
        group.setRow(index, added);
        group.job().attempted(tasks.attempt(added));
        return added;
    }

    @Override
    public void taskStepped(
            long jobId,
            int group,
            int index,
            TaskState state,
            TaskReason reason,
            int exitCode,
            long startedAtMillis,
            long endedAtMillis) {
        JobRow job = jobs.get(jobId);
        int row = rowToStep(job.group(group), index);
        TaskState before = tasks.state(row);
        tasks.step(row, state, reason, exitCode, startedAtMillis, endedAtMillis, version);
        move(job, before, state);
        if (state.isEnded()) {
            endTask(job, row, before);
        }
        next.taskStepped(jobId, group, index, state, reason, exitCode, startedAtMillis, endedAtMillis);
    }

    /** A pending task that is killed before it was ever placed gets its row now. */
    private int rowToStep(GroupRow group, int index) {
        int row = group.row(index);
        if (row != TaskTable.NO_ROW) {
            return row;
        }
        int added = rowOf(group, index);
        tasks.waiting(added, group);
        return added;
    }

    /** What the attempt held is free again. */
    private void endTask(JobRow job, int row, TaskState before) {
        if (before.isOnMachine()) {
            int slot = tasks.machine(row);
            tasks.group(row).countOnMachines(-1);
            machines.unlinkTask(slot, tasks.unlink(row, machines.firstTask(slot)));
            policies.add(job.pool(), tasks.held(row), -1);
            machines.release(slot, giveBack(row, slot), version);
            settle(slot);
            tasks.handOver(row, Amounts.NONE, 0, 0);
        } else {
            tasks.group(row).take(tasks.index(row));
        }
        if (isSurplus(row)) {
            job.counts().add(tasks.state(row), -1);
            counts.add(tasks.state(row), -1);
            toSweep.add(job.id().version());
        } else if (isForGood(row)) {
            tasks.group(row).countForGood(tasks.state(row));
        }
    }

    private boolean isSurplus(int row) {
        return tasks.group(row).isSurplus(tasks.index(row));
    }

    /**
     * What the ended task held, less what goes back to its own victims: they still run in what they had handed over to it.
     * From now on they yield to whom it had yielded to itself.
     */
    private Amounts giveBack(int row, int slot) {
        Amounts rest = tasks.held(row);
        if (tasks.yielding() == 0) {
            return rest;
        }
        for (int victim = machines.firstTask(slot); victim != TaskTable.NO_ROW; victim = tasks.nextOnMachine(victim)) {
            if (tasks.yieldsTo(victim, row)) {
                Amounts back = rest.min(tasks.handedOver(victim));
                Amounts handed = tasks.handedOver(victim).minus(back);
                tasks.handOver(victim, handed, tasks.yieldsToVersion(row), tasks.yieldsToOrdinal(row));
                policies.add(tasks.group(victim).job().pool(), back, 1);
                rest = rest.minus(back);
            }
        }
        return rest;
    }

    /** The state it shows: what was pending when its job was stopped, or its group shrank, is killed. */
    TaskState stateOf(int row) {
        TaskState state = tasks.state(row);
        boolean isOver = state == TaskState.PENDING && (tasks.group(row).job().isStopped() || isSurplus(row));
        return isOver ? TaskState.KILLED : state;
    }

    /** The reason it shows. */
    TaskReason reasonOf(int row) {
        JobRow job = tasks.group(row).job();
        if (tasks.state(row) != TaskState.PENDING) {
            return tasks.reason(row);
        }
        return !job.isStopped() && isSurplus(row) ? TaskReason.UPDATED : job.reason();
    }

    /** Whether the task has ended in a way that no new attempt follows by itself. FINISHED is counted as a state. */
    boolean isForGood(int row) {
        if (tasks.state(row) == TaskState.FAILED) {
            return tasks.failures(row) > tasks.group(row).header().restart().attempts();
        }
        return tasks.state(row) == TaskState.KILLED && tasks.reason(row) == TaskReason.KILLED;
    }

    /** Whether no new attempt may follow: over for good, or a batch task that did its work. */
    boolean isOver(int row) {
        boolean batch = tasks.group(row).job().header().type() == JobType.BATCH;
        return isForGood(row) || (batch && tasks.state(row) == TaskState.FINISHED);
    }

    /** Whether its group never runs twice, and the machine that lost it is still gone: the same incarnation, and down. */
    boolean waitsForMachine(int row) {
        Origin placed = tasks.origin(row);
        int slot = tasks.machine(row);
        return tasks.group(row).header().onLost() == OnLost.WAIT
                && tasks.state(row) == TaskState.LOST
                && placed != null
                && machines.exists(slot)
                && machines.isDown(slot)
                && machines.registeredVersion(slot) <= placed.version();
    }

    @Override
    public void taskAgain(long jobId, int group, int index) {
        JobRow job = jobs.get(jobId);
        int row = job.group(group).row(index);
        TaskState before = tasks.state(row);
        if (tasks.machine(row) != TaskTable.NO_MACHINE) {
            machines.refer(tasks.machine(row), -1);
        }
        tasks.again(row, version);
        job.group(group).putBack(index);
        job.attempted(tasks.attempt(row));
        move(job, before, TaskState.PENDING);
        next.taskAgain(jobId, group, index);
    }

    @Override
    public void taskForgotten(long jobId, int group, int index) {
        JobRow job = jobs.get(jobId);
        GroupRow of = job.group(group);
        int row = of.row(index);
        checkInvariant(of.isSurplus(index), "task %s is forgotten, and its group has it", index);
        checkInvariant(!tasks.state(row).isOnMachine(), "task %s is forgotten on a machine", index);
        if (tasks.machine(row) != TaskTable.NO_MACHINE) {
            machines.refer(tasks.machine(row), -1);
        }
        if (tasks.attempt(row) > job.attemptsBefore()) {
            jobs.change(job, forgetting -> forgetting.forgetAttempt(tasks.attempt(row)));
        }
        tasks.remove(row);
        of.removeRow(index);
        changed(job);
        next.taskForgotten(jobId, group, index);
    }

    private void move(JobRow job, TaskState from, TaskState to) {
        job.counts().move(from, to, 1);
        counts.move(from, to, 1);
        changed(job);
    }

    // ---- sessions

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
        sessions.open(scheduler, instance, type, leaseMillis, version);
        next.sessionOpened(scheduler, instance, type, leaseMillis);
    }

    @Override
    public void sessionRenewed(long session, String type, long leaseMillis) {
        sessions.renew(session, type, leaseMillis, version);
        next.sessionRenewed(session, type, leaseMillis);
    }

    @Override
    public void sessionClosed(long session) {
        sessions.close(session);
        next.sessionClosed(session);
    }

    // ---- loading a snapshot

    void loadHead(@Nullable CellName as, Incarnation with, int level, long atVersion, long cellTime, long wallTime) {
        checkInvariant(version == 0, "a snapshot is loaded over version %s", version);
        name = as;
        incarnation = with;
        featureLevel = level;
        version = atVersion;
        cellTimeMillis = cellTime;
        wallTimeMillis = wallTime;
    }

    void loadDimensions(Dimensions all) {
        know(all);
    }

    void loadJob(JobRow job) {
        jobs.load(job);
        job.join(policies.pool(job.header().pool()));
    }

    void loadTask(
            int row,
            GroupRow group,
            int index,
            int attempt,
            TaskState state,
            TaskReason reason,
            int failures,
            int generation,
            Amounts shape,
            int slot,
            @Nullable Origin by,
            int ordinal,
            int exitCode,
            long startedAtMillis,
            long endedAtMillis,
            Amounts handed,
            long yieldsToVersion,
            int yieldsToOrdinal,
            long changedVersion,
            int nextOnMachine) {
        group.setRow(index, row);
        tasks.load(
                row,
                group,
                index,
                attempt,
                state,
                reason,
                failures,
                generation,
                shape,
                slot,
                by,
                ordinal,
                exitCode,
                startedAtMillis,
                endedAtMillis,
                handed,
                yieldsToVersion,
                yieldsToOrdinal,
                changedVersion,
                nextOnMachine);
        if (slot != TaskTable.NO_MACHINE) {
            machines.refer(slot, 1);
        }
        if (state.isOnMachine()) {
            policies.add(group.job().pool(), tasks.held(row), 1);
        }
        if (state != TaskState.PENDING) {
            group.take(index);
        }
    }

    void loadHold(HoldRow hold, Amounts got) {
        hold.grow(got);
        holds.put(hold);
        policies.add(hold.job().pool(), got, 1);
    }

    void finishLoad() {
        tasks.finishLoad();
        for (int slot = 0; slot < machines.slots(); slot++) {
            machines.countTask(slot, tasks.finishList(machines.firstTask(slot)));
        }
        jobs.finishLoad(this);
        jobs.all().values().forEach(job -> counts.addAll(job.counts(), 1));
    }

    // ---- holds

    @Override
    public void holdPut(long jobId, int ordinal, int slot, Amounts wanted, long expiresAtMillis) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a hold outside of a transaction");
        }
        holds.put(new HoldRow(by, ordinal, jobs.get(jobId), slot, wanted, expiresAtMillis));
        settle(slot);
        next.holdPut(jobId, ordinal, slot, wanted, expiresAtMillis);
    }

    /** What is free on the machine goes to the holds that want it there, oldest first. */
    private void settle(int slot) {
        for (HoldRow hold : holds.on(slot)) {
            Amounts free = freeOn(slot);
            Amounts more = hold.lacks().choosing(free.members()).min(free);
            if (!more.isNone()) {
                holds.grow(hold, more);
                machines.hold(slot, more, version);
                policies.add(hold.job().pool(), more, 1);
            }
        }
    }

    private Amounts freeOn(int slot) {
        long[] free = new long[dimensions.size()];
        Arrays.setAll(free, dimension -> machines.free(slot, dimension));
        return hasSets ? machines.members(slot).open(free, dimensions) : Amounts.of(free);
    }

    private void endHold(HoldRow hold) {
        holdsEndedOn.add(hold.slot());
        holds.remove(hold);
        policies.add(hold.job().pool(), hold.got(), -1);
        machines.release(hold.slot(), hold.got(), version);
        settle(hold.slot());
    }

    /** The machine goes, or comes back as another: nothing on it can be held any more. */
    private void dropHolds(int slot) {
        for (HoldRow hold : List.copyOf(holds.on(slot))) {
            holds.remove(hold);
            policies.add(hold.job().pool(), hold.got(), -1);
        }
    }

    // ---- policies

    @Override
    public void poolPut(String path, Limits limits) {
        policies.limit(path, limits);
        next.poolPut(path, limits);
    }

    @Override
    public void rightsSet(String scheduler, Rights rights) {
        policies.set(scheduler, rights);
        next.rightsSet(scheduler, rights);
    }

    @Override
    public void schedulerPaused(String scheduler, boolean paused) {
        policies.pause(scheduler, paused);
        next.schedulerPaused(scheduler, paused);
    }

    // ---- what is said, but in no table

    @Override
    public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {
        next.transactionDecided(verdict, basis, accepted, conflicted, refused);
    }

    @Override
    public void itemRefused(long job, int group, int index, int slot, ItemResult result) {
        next.itemRefused(job, group, index, slot, result);
    }
}
