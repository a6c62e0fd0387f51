package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineRule;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The cell state: every table of one copy, common or private, and the only way to change them.
 *
 * <p>Each method of {@link ChangeSink} lets one class write the rows for one kind of change, with their digests, and passes
 * the call on to the next sink. In the common copy the next sink is the writer of the change stream. The reader of that stream
 * drives a private copy, which has no next sink. So both copies run the same code on the same arguments, and their digests
 * agree by construction. {@link JobChanges}, {@link TaskChanges} and {@link HoldChanges} write what a change of jobs, tasks or
 * holds affects beyond its own row. Owned by the thread that applies.
 */
public final class Tables implements ChangeSink {
    public final MachineTable machines;
    public final JobTable jobs;
    public final TaskTable tasks;
    public final SessionTable sessions = new SessionTable();
    public final PolicyTable policies = new PolicyTable();
    public final TokenTable tokens = new TokenTable(policies.digest);
    public final HoldTable holds = new HoldTable();
    public final QueueTable queues = new QueueTable();
    public final SpareTasks spare;
    public final EndedTasks ended = new EndedTasks();
    public final TaskCounts counts = new TaskCounts();
    public final TaskFacts facts;
    private final HoldChanges holdChanges;
    private final JobChanges jobChanges;
    private final TaskChanges taskChanges;
    private final ChangeSink next;
    private final ChangedJobs changedJobs = new ChangedJobs();
    private final SortedSet<Long> toSweep = new TreeSet<>();
    private final SortedMap<Long, JobRow> mayHoldForNothing = new TreeMap<>();
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

    /** A copy of the cell that is compared with others by its digests. */
    public Tables(ChangeSink next) {
        this(next, true);
    }

    private Tables(ChangeSink next, boolean digested) {
        this.next = next;
        machines = new MachineTable(digested);
        jobs = new JobTable(digested);
        tasks = new TaskTable(digested);
        spare = new SpareTasks(tasks);
        facts = new TaskFacts(machines, tasks);
        holdChanges = new HoldChanges(this);
        jobChanges = new JobChanges(this);
        taskChanges = new TaskChanges(this, holdChanges);
    }

    /** The tables of a cell that has only this copy. */
    public static Tables ofOnlyCopy() {
        return new Tables(new IgnoredChanges(), false);
    }

    // ---- reading

    @Nullable
    public CellName name() {
        return name;
    }

    public Incarnation incarnation() {
        return incarnation;
    }

    public int featureLevel() {
        return featureLevel;
    }

    public Dimensions dimensions() {
        return dimensions;
    }

    /** Returns whether any dimension is a set, whose members are named. */
    public boolean hasSets() {
        return hasSets;
    }

    public long version() {
        return version;
    }

    public long cellTimeMillis() {
        return cellTimeMillis;
    }

    public long wallTimeMillis() {
        return wallTimeMillis;
    }

    /**
     * The machines on which holds have ended by themselves in the newest version. The stream has no change for that.
     */
    public List<Integer> holdsEndedOn() {
        return holdsEndedOn;
    }

    /** Returns whether a scheduler with these rights may use the machine. */
    public boolean mayUse(Rights rights, int slot) {
        return rights.machines().isEmpty() || rights.mayUse(attribute -> attribute(slot, attribute));
    }

    /** From feature level 11 on, the attribute {@code machine} is the machine's name, as for constraints. */
    private Optional<String> attribute(int slot, String attribute) {
        return featureLevel >= EntryCodec.NAMED_MACHINES_LEVEL && attribute.equals(MachineRule.MACHINE)
                ? Optional.of(machines.name(slot))
                : Optional.ofNullable(machines.attributes(slot).get(attribute));
    }

    /** The row of the task, or {@link TaskTable#NO_ROW} if the task was never placed or does not exist. */
    public int findRow(long jobId, int group, int index) {
        JobRow job = jobs.find(jobId);
        return job == null || group >= job.groupCount()
                ? TaskTable.NO_ROW
                : job.group(group).row(index);
    }

    // ---- loading a snapshot

    public void loadHead(
            @Nullable CellName as, Incarnation with, int level, long atVersion, long cellTime, long wallTime) {
        checkInvariant(version == 0, "a snapshot is loaded over version %s", version);
        name = as;
        incarnation = with;
        featureLevel = level;
        version = atVersion;
        cellTimeMillis = cellTime;
        wallTimeMillis = wallTime;
    }

    public void loadDimensions(Dimensions all) {
        know(all);
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
        queues.begin();
        holds.expired(cellTimeMillis, endedAtOnceMax()).forEach(this::endHold);
    }

    /** The next commands end the rest. */
    private int endedAtOnceMax() {
        return featureLevel < EntryCodec.BOUNDED_HOLDS_LEVEL ? Integer.MAX_VALUE : HoldTable.ENDED_AT_ONCE_MAX;
    }

    /** Updates what follows from tasks, once per command. */
    @Override
    public void end() {
        for (int place = 0; place < changedJobs.count(); place++) {
            JobRow job = changedJobs.get(place);
            if (job.hasChanged()) {
                derive(job);
            }
        }
        changedJobs.clear();
        endHoldsForNothing();
        taskChanges.end();
        origin = null;
        next.end();
    }

    private void derive(JobRow job) {
        job.noteChange(false);
        jobs.derive(job, version, wallTimeMillis, cellTimeMillis);
        if (job.isEnded()) {
            holds.of(job).forEach(this::endHold);
        }
        noteHolder(job);
    }

    /** Notes a job whose holds may be for nothing once the command is over. */
    private void noteHolder(JobRow job) {
        if (featureLevel >= EntryCodec.HOLDS_OF_PENDING_LEVEL && !holds.isEmpty()) {
            mayHoldForNothing.put(job.id().version(), job);
        }
    }

    /**
     * Ends the holds of jobs without a pending task, which would keep room from others until they expire. It goes job by job in
     * their order, because each end settles the holds that are left.
     */
    private void endHoldsForNothing() {
        for (JobRow job : mayHoldForNothing.values()) {
            if (job.pending() == 0) {
                holds.of(job).forEach(this::endHold);
            }
        }
        mayHoldForNothing.clear();
    }

    /** The jobs with copies of tasks that the current command has changed so far. */
    public List<JobRow> changedWithCopies() {
        List<JobRow> changed = List.of();
        for (int place = 0; place < changedJobs.count(); place++) {
            if (changedJobs.get(place).hasCopies()) {
                changed = changed.isEmpty() ? new ArrayList<>() : changed;
                changed.add(changedJobs.get(place));
            }
        }
        return changed;
    }

    /** Marks the job, so that what follows from its tasks is updated when the command ends. */
    void changed(JobRow job) {
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
        holds.all().forEach(hold -> hold.job().ifPresent(this::noteHolder));
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
        holdChanges.dropOn(slot);
        queues.dropOn(slot);
        machines.register(slot, machineName, capacity, attributes, agent, version);
        next.machineRegistered(slot, machineName, capacity, attributes, agent);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        machines.renew(slot, capacity, attributes, agent, version);
        queues.dropOn(
                slot, row -> machines.firstTooLarge(slot, row.group().header().shape()) >= 0);
        holdChanges.settle(slot);
        next.machineRenewed(slot, capacity, attributes, agent);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        machines.drain(slot, drain, version);
        queues.dropOn(slot);
        next.machineDrained(slot, drain);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        machines.mark(slot, draining, down, version);
        if (draining || down) {
            queues.dropOn(slot);
        }
        next.machineMarked(slot, draining, down);
    }

    @Override
    public void machineRemoved(int slot) {
        holdChanges.dropOn(slot);
        queues.dropOn(slot);
        machines.remove(slot, version);
        next.machineRemoved(slot);
    }

    // ---- jobs

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        jobChanges.submitted(header, specification, generation, attemptsBefore);
        next.jobSubmitted(header, specification, generation, attemptsBefore);
    }

    @Override
    public void jobUpdated(long id, JobHeader header, Specification specification) {
        jobChanges.updated(jobs.get(id), header, specification);
        next.jobUpdated(id, header, specification);
    }

    @Override
    public void jobScaled(long id, int group, int count) {
        jobChanges.scaled(jobs.get(id), group, count);
        next.jobScaled(id, group, count);
    }

    @Override
    public void jobCountAsked(long id, int group, int count) {
        jobChanges.asked(jobs.get(id), group, count);
        next.jobCountAsked(id, group, count);
    }

    @Override
    public void jobTried(long id, int conflicts) {
        jobChanges.tried(jobs.get(id), conflicts);
        next.jobTried(id, conflicts);
    }

    @Override
    public void jobProgress(long id, Progress progress) {
        jobChanges.remembered(jobs.get(id), progress);
        next.jobProgress(id, progress);
    }

    @Override
    public void jobStopped(long id, TaskReason reason) {
        jobChanges.stopped(jobs.get(id), reason);
        next.jobStopped(id, reason);
    }

    @Override
    public void jobGrace(long id, long graceMillis) {
        jobChanges.granted(jobs.get(id), graceMillis);
        next.jobGrace(id, graceMillis);
    }

    @Override
    public void jobForgotten(long id) {
        JobRow job = jobs.get(id);
        checkInvariant(job.isEnded() && job.hasNoTasks(), "job %s is forgotten with tasks", id);
        forgetRow(job);
    }

    private void forgetRow(JobRow job) {
        jobChanges.forgotten(job);
        next.jobForgotten(job.id().version());
    }

    /**
     * Forgets an ended job with all its tasks. The stream describes it in the same steps as when several commands do it. This
     * method updates nothing of the job in between, because nothing of it stays.
     */
    public void forget(JobRow job) {
        long id = job.id().version();
        checkInvariant(job.isEnded(), "job %s is forgotten, and has not ended", id);
        counts.addAll(job.counts(), -1);
        for (int place = job.groupCount() - 1; place >= 0; place--) {
            forgetTasks(id, job.group(place));
        }
        forgetRow(job);
    }

    private void forgetTasks(long job, GroupRow group) {
        if (group.header().count() > 0) {
            next.jobScaled(job, group.place(), 0);
        }
        for (int index = 0; index < group.rowsEnd(); index++) {
            int row = group.row(index);
            if (row != TaskTable.NO_ROW) {
                taskChanges.forgottenWithJob(group, row);
                next.taskForgotten(job, group.place(), index);
            }
        }
    }

    /** Notes that nothing is left to do for the group's surplus tasks below that index. */
    public void sweptTo(GroupRow group, int index) {
        group.sweptTo(index);
    }

    /** No copy of the group below this index may have a task to end, or end with its task. */
    public int settledCopies(GroupRow copies) {
        return copies.settledCopies();
    }

    /** Notes that the copies of the group below that index are settled. */
    public void settledCopies(GroupRow copies, int below) {
        copies.settledCopies(below);
    }

    /** The jobs that may have tasks to stop or rows to drop. The caller has to check. */
    public SortedSet<Long> toSweep() {
        return toSweep;
    }

    // ---- tasks

    @Override
    public void tasksPlaced(long jobId, int group, GroupPlacements placed) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a placement outside of a transaction");
        }
        taskChanges.placed(jobs.get(jobId).group(group), placed, by);
        next.tasksPlaced(jobId, group, placed);
    }

    @Override
    public void tasksQueued(long jobId, int group, GroupPlacements queued) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a task is queued outside of a transaction");
        }
        GroupRow of = jobs.get(jobId).group(group);
        for (int place = 0; place < queued.count(); place++) {
            checkInvariant(of.isPending(queued.index(place)), "task %s is queued, and is not pending", place);
            queues.put(new QueueRow(of, queued.index(place), queued.slot(place), by, queued.ordinal(place)));
        }
        next.tasksQueued(jobId, group, queued);
    }

    @Override
    public void spareTasksPlaced(long jobId, int group, GroupPlacements placed) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a spare placement outside of a transaction");
        }
        taskChanges.placedSpare(jobs.get(jobId).group(group), placed, by);
        next.spareTasksPlaced(jobId, group, placed);
    }

    @Override
    public void taskUpgraded(long jobId, int group, int index) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a task is upgraded outside of a transaction");
        }
        taskChanges.upgraded(jobs.get(jobId).group(group), index, by);
        next.taskUpgraded(jobId, group, index);
    }

    /**
     * The rows of the spare tasks that must end so that what is held and spare work fit the machine, in the order in which they
     * are told to end.
     */
    public List<Integer> spareToEnd(int slot) {
        return spare.on(slot).isEmpty()
                ? List.of()
                : SpareOnMachine.of(this, slot)
                        .makeRoom(dimensions.size(), dimension -> machines.free(slot, dimension), false);
    }

    @Override
    public void taskCopied(long jobId, int group, int index) {
        jobChanges.copied(jobs.get(jobId), group, index);
        next.taskCopied(jobId, group, index);
    }

    @Override
    public void taskEvicted(long jobId, int group, int index, int forOrdinal) {
        taskChanges.evicted(jobs.get(jobId).group(group), index, forOrdinal);
        next.taskEvicted(jobId, group, index, forOrdinal);
    }

    @Override
    public void tasksStepped(long jobId, int group, TaskSteps steps) {
        tasksStepped(jobs.get(jobId).group(group), steps);
    }

    /** As {@link #tasksStepped(long, int, TaskSteps)}, for a caller that already has the group. */
    public void tasksStepped(GroupRow of, TaskSteps steps) {
        taskChanges.stepped(of, steps);
        next.tasksStepped(of.job().id().version(), of.place(), steps);
    }

    @Override
    public void taskAgain(long jobId, int group, int index) {
        taskChanges.again(jobs.get(jobId).group(group), index);
        next.taskAgain(jobId, group, index);
    }

    @Override
    public void taskForgotten(long jobId, int group, int index) {
        taskChanges.forgotten(jobs.get(jobId).group(group), index);
        next.taskForgotten(jobId, group, index);
    }

    // ---- sessions

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
        sessions.find(scheduler, instance)
                .ifPresent(older -> endOffersTo(older.id().version()));
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
        endOffersTo(session);
        sessions.close(session);
        next.sessionClosed(session);
    }

    @Override
    public void sessionOffers(long session, Participation participation, boolean suppressed) {
        sessions.offers(session, participation, suppressed, version);
        next.sessionOffers(session, participation, suppressed);
    }

    private void endOffersTo(long session) {
        holds.ofSession(session).forEach(this::endHold);
    }

    // ---- offers

    @Override
    public void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis) {
        Origin by = origin;
        SessionRow to = sessions.find(session);
        if (by == null || to == null) {
            throw new IllegalStateException("an offer outside of a transaction, or to session " + session);
        }
        holdChanges.put(
                new HoldRow(by, ordinal, session, to.scheduler(), cellTimeMillis, slot, amounts, expiresAtMillis));
        next.offerPut(session, ordinal, slot, amounts, expiresAtMillis);
    }

    @Override
    public void offerEnded(OfferId offer) {
        HoldRow ended = holds.find(offer);
        if (ended == null) {
            throw new IllegalStateException("offer " + offer + " has ended before");
        }
        endHold(ended);
        next.offerEnded(offer);
    }

    @Override
    public void offerRefused(long session, int slot, long untilMillis) {
        sessions.refuse(session, slot, untilMillis);
        next.offerRefused(session, slot, untilMillis);
    }

    @Override
    public void offersRevived(long session) {
        sessions.revive(session);
        next.offersRevived(session);
    }

    // ---- holds

    @Override
    public void holdPut(long jobId, int ordinal, int slot, Amounts wanted, long expiresAtMillis) {
        Origin by = origin;
        if (by == null) {
            throw new IllegalStateException("a hold outside of a transaction");
        }
        JobRow job = jobs.get(jobId);
        holdChanges.put(new HoldRow(by, ordinal, job, slot, wanted, expiresAtMillis));
        noteHolder(job);
        next.holdPut(jobId, ordinal, slot, wanted, expiresAtMillis);
    }

    private void endHold(HoldRow hold) {
        holdsEndedOn.add(hold.slot());
        holdChanges.end(hold);
    }

    // ---- policies

    @Override
    public void poolPut(String path, Limits limits) {
        policies.limit(path, limits);
        next.poolPut(path, limits);
    }

    @Override
    public void poolDefined(String path, PoolPolicy policy) {
        policies.define(path, policy);
        next.poolDefined(path, policy);
    }

    @Override
    public void poolRemoved(String path) {
        policies.undefine(path);
        next.poolRemoved(path);
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

    @Override
    public void tokenPut(Token token) {
        tokens.put(token);
        next.tokenPut(token);
    }

    @Override
    public void tokenRevoked(String token) {
        tokens.revoke(token);
        next.tokenRevoked(token);
    }

    // ---- changes that no table stores

    @Override
    public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {
        next.transactionDecided(verdict, basis, accepted, conflicted, refused);
    }

    @Override
    public void itemRefused(long job, int group, int index, int slot, ItemResult result) {
        next.itemRefused(job, group, index, slot, result);
    }
}
