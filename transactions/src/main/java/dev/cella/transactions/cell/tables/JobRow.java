package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.ValueCodec;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One job: its header, its specification, its groups, and what follows from its tasks. A live row: it changes with the tables,
 * on the thread that owns them. Copy the values that you keep.
 */
public final class JobRow {
    private static final int SAID = 1;
    private static final int TRIED = 2;
    private static final int WHEN = 3;
    /**
     * Added, not mixed, so that 0 (the value below the level that stores it) moves no digest. Odd and large compared with the
     * other numbers in the sum.
     */
    private static final long UPDATED_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private static final long GRACE_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;
    private static final long ASKED_FACTOR = 0x1656_67B1_9E37_79F9L;

    private final JobId id;
    private final long submittedAtMillis;
    private final TaskCounts counts = new TaskCounts();
    private final List<GroupRow> groups = new ArrayList<>();
    private JobHeader header;
    private Specification specification;
    private @Nullable PoolRow pool;
    private int generation;
    private long updatedVersion;
    private TaskReason stopReason = TaskReason.NONE;
    /** One more than the milliseconds, so that 0 is no grace of its own. */
    private long stopGrace;

    private int failedForGood;
    private int killed;
    private int beside;
    private boolean hasCopies;
    private int attemptMax;
    private int transactions;
    private int conflicts;
    private long startedAtMillis;
    private long endedAtMillis;
    private long endedCellTimeMillis;
    private Progress progress = Progress.NONE;
    private long progressDigest = Progress.NONE.digest();
    private int attemptsBefore;
    private long changedVersion;
    private JobState state = JobState.PENDING;
    private long saidDigest;
    private boolean saidIsDigested;
    private boolean listedPending;
    private boolean listedOnMachines;
    private boolean changed;

    JobRow(JobId id, JobHeader header, Specification specification, int generation, int attemptsBefore, long wallTime) {
        this.id = id;
        this.header = header;
        this.specification = specification;
        this.generation = generation;
        this.attemptsBefore = attemptsBefore;
        this.attemptMax = attemptsBefore;
        this.submittedAtMillis = wallTime;
        this.changedVersion = id.version();
        header.groups().forEach(this::add);
        counts.add(TaskState.PENDING, header.tasks());
    }

    /** The job and its groups at this moment, for reading them and their tasks. It is in no table and belongs to no pool. */
    public JobRow copy() {
        return new JobRow(this);
    }

    /**
     * The job with that specification and without its tasks, for the tables of a part of the cell, which gives it those that it
     * has. Its state follows from them.
     */
    public JobRow withoutTasks(Specification shown) {
        JobRow part = new JobRow(id, header, shown, generation, attemptsBefore, submittedAtMillis);
        part.updatedVersion = updatedVersion;
        part.stopReason = stopReason;
        part.stopGrace = stopGrace;
        part.attemptMax = attemptMax;
        part.transactions = transactions;
        part.conflicts = conflicts;
        part.startedAtMillis = startedAtMillis;
        part.endedAtMillis = endedAtMillis;
        part.endedCellTimeMillis = endedCellTimeMillis;
        part.changedVersion = changedVersion;
        for (GroupRow group : groups) {
            for (int index = 0; group.isOfCopies() && index < group.header().count(); index++) {
                part.group(group.place()).loadCopy(group.copied(index));
            }
        }
        return part;
    }

    private JobRow(JobRow copied) {
        id = copied.id;
        submittedAtMillis = copied.submittedAtMillis;
        header = copied.header;
        specification = copied.specification;
        generation = copied.generation;
        updatedVersion = copied.updatedVersion;
        stopReason = copied.stopReason;
        stopGrace = copied.stopGrace;
        failedForGood = copied.failedForGood;
        killed = copied.killed;
        beside = copied.beside;
        attemptMax = copied.attemptMax;
        transactions = copied.transactions;
        conflicts = copied.conflicts;
        startedAtMillis = copied.startedAtMillis;
        endedAtMillis = copied.endedAtMillis;
        endedCellTimeMillis = copied.endedCellTimeMillis;
        progress = copied.progress;
        attemptsBefore = copied.attemptsBefore;
        changedVersion = copied.changedVersion;
        state = copied.state;
        counts.addAll(copied.counts, 1);
        copied.groups.forEach(group -> link(group.copy(this)));
    }

    private void add(GroupHeader group) {
        link(new GroupRow(this, groups.size(), group));
    }

    private void link(GroupRow added) {
        groups.add(added);
        if (added.isOfCopies()) {
            hasCopies = true;
            added.original().copiedBy(added);
        }
    }

    public JobId id() {
        return id;
    }

    public JobHeader header() {
        return header;
    }

    /** Its groups with the numbers of tasks that a person asked for last. Nobody asks for copies of tasks. */
    public List<GroupHeader> askedGroups() {
        return groups.stream()
                .map(group -> group.header().withCount(group.isOfCopies() ? 0 : group.askedCount()))
                .toList();
    }

    public String name() {
        return header.name();
    }

    public Specification specification() {
        return specification;
    }

    /** Counted from 1, over all jobs of the name. */
    public int generation() {
        return generation;
    }

    /** The version at which its generation was submitted or updated; 0 if the cell did not store that yet. */
    public long updatedVersion() {
        return updatedVersion;
    }

    public List<GroupRow> groups() {
        return Collections.unmodifiableList(groups);
    }

    public int groupCount() {
        return groups.size();
    }

    public GroupRow group(int place) {
        return groups.get(place);
    }

    public JobState state() {
        return state;
    }

    /** Why it is stopping or was stopped. */
    public TaskReason reason() {
        return stopReason;
    }

    /** The grace that its stop gave to its tasks. */
    public OptionalLong stopGraceMillis() {
        return stopGrace == 0 ? OptionalLong.empty() : OptionalLong.of(stopGrace - 1);
    }

    public TaskCounts counts() {
        return counts;
    }

    /** How many of its tasks are pending and wait in no queue of a machine. */
    public int toPlan() {
        int toPlan = 0;
        for (GroupRow group : groups) {
            toPlan += group.toPlan();
        }
        return toPlan;
    }

    /** How many tasks wait to be placed. */
    public int pending() {
        return counts.of(TaskState.PENDING);
    }

    /** How many tasks failed more often than their restarts allow. */
    public int failedForGood() {
        return failedForGood;
    }

    /** How many transactions tried to place tasks of it. */
    public int attempts() {
        return transactions;
    }

    /** How many of their items were conflicts. */
    public int conflicts() {
        return conflicts;
    }

    public long submittedAtMillis() {
        return submittedAtMillis;
    }

    public OptionalLong startedAtMillis() {
        return startedAtMillis == 0 ? OptionalLong.empty() : OptionalLong.of(startedAtMillis);
    }

    public OptionalLong endedAtMillis() {
        return endedAtMillis == 0 ? OptionalLong.empty() : OptionalLong.of(endedAtMillis);
    }

    /** The progress that its scheduler stored with it. */
    public Progress progress() {
        return progress;
    }

    public long changedVersion() {
        return changedVersion;
    }

    /** Returns whether somebody stopped it or too many of its tasks failed. Its remaining tasks are ending. */
    public boolean isStopped() {
        return stopReason != TaskReason.NONE;
    }

    public boolean isEnded() {
        return state.isEnded();
    }

    // ---- for the tables

    /** The pool that its tasks count in. */
    public PoolRow pool() {
        if (pool == null) {
            throw new IllegalStateException("job " + id + " has no pool");
        }
        return pool;
    }

    void join(PoolRow joined) {
        pool = joined;
    }

    int attemptsBefore() {
        return attemptsBefore;
    }

    public int attemptMax() {
        return attemptMax;
    }

    /** When it ended, by the log's own clock. */
    public long endedCellTimeMillis() {
        return endedCellTimeMillis;
    }

    /** Returns whether only its own row is left. */
    public boolean hasNoTasks() {
        for (GroupRow group : groups) {
            if (!group.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** How many of its tasks have a row. */
    public int rows() {
        int rows = 0;
        for (GroupRow group : groups) {
            rows += group.rows();
        }
        return rows;
    }

    /** Returns whether the table lists it among those with pending tasks. */
    boolean isListedPending() {
        return listedPending;
    }

    void listPending(boolean listed) {
        listedPending = listed;
    }

    /** Returns whether the table lists it among those with tasks on machines. */
    boolean isListedOnMachines() {
        return listedOnMachines;
    }

    void listOnMachines(boolean listed) {
        listedOnMachines = listed;
    }

    /** Returns whether the command being applied changed it. */
    boolean hasChanged() {
        return changed;
    }

    void noteChange(boolean hasChanged) {
        changed = hasChanged;
    }

    void attempted(int attempt) {
        attemptMax = Math.max(attemptMax, attempt);
    }

    /** Sets the version at which its generation came, and with it its numbers of tasks; 0 if the cell does not store it. */
    void updatedAt(long version, long askedVersion) {
        updatedVersion = version;
        groups.forEach(group -> group.ask(askedVersion));
    }

    /** Starts the next generation. The former groups keep their places; new ones may follow. */
    void update(JobHeader next, Specification newSpecification) {
        for (GroupRow group : groups) {
            group.update(next.groups().get(group.place()));
        }
        header = next;
        for (int place = groups.size(); place < next.groups().size(); place++) {
            add(next.groups().get(place));
        }
        specification = newSpecification;
        saidIsDigested = false;
        generation++;
    }

    /** Changes the number of tasks in a group, within the same generation. A group that shrinks loses its copies. */
    void scale(int place, int count) {
        boolean shrinks = count < group(place).header().count();
        resize(place, count);
        if (shrinks) {
            group(place).copies().ifPresent(copies -> resize(copies.place(), 0));
        }
        saidIsDigested = false;
    }

    private void resize(int place, int count) {
        header = header.withCount(place, count);
        group(place).update(header.groups().get(place));
    }

    /** Adds a copy of a task; with the first one of its group, the group of copies. */
    void copy(int place, int index) {
        GroupRow group = group(place);
        if (group.copies().isEmpty()) {
            GroupHeader added = group.header().ofCopies(0);
            List<GroupHeader> next = new ArrayList<>(header.groups());
            next.add(added);
            header = header.withGroups(next);
            add(added);
        }
        GroupRow copies = group.copies().orElseThrow();
        List<GroupHeader> next = new ArrayList<>(header.groups());
        next.set(copies.place(), group.header().ofCopies(copies.header().count() + 1));
        header = header.withGroups(next);
        copies.addCopy(header.groups().get(copies.place()), index);
        counts.add(TaskState.PENDING, 1);
        saidIsDigested = false;
    }

    /** Returns whether any of its tasks ever had a copy. */
    public boolean hasCopies() {
        return hasCopies;
    }

    /** Forgets the row of a task. The job's attempt numbers go on from the highest. */
    void forgetAttempt(int attempt) {
        attemptsBefore = Math.max(attemptsBefore, attempt);
    }

    void remember(Progress remembered) {
        progress = remembered;
        progressDigest = remembered.digest();
    }

    void stop(TaskReason reason) {
        stopReason = reason;
        int pending = counts.of(TaskState.PENDING);
        counts.move(TaskState.PENDING, TaskState.KILLED, pending);
        killed += pending;
    }

    void grant(long graceMillis) {
        stopGrace = graceMillis + 1;
    }

    /** Counts up to the largest number that a checkpoint can have, and no further. */
    void tried(int moreConflicts) {
        transactions += transactions < Integer.MAX_VALUE ? 1 : 0;
        conflicts += Math.min(moreConflicts, Integer.MAX_VALUE - conflicts);
    }

    // ---- its tasks, counted

    void countForGood(TaskState ended) {
        if (ended == TaskState.FAILED) {
            failedForGood++;
        } else {
            killed++;
        }
    }

    /** Counts a task whose copy finished, or a copy that did not: the job does its work without it. */
    void countBeside() {
        beside++;
    }

    /** Counts {@code more} tasks without a row: they are pending, or were when the job was stopped. */
    void countPending(int more) {
        counts.add(isStopped() ? TaskState.KILLED : TaskState.PENDING, more);
        killed += isStopped() ? more : 0;
    }

    /** Counts its tasks again. */
    void recount(Tables tables) {
        counts.clear();
        failedForGood = 0;
        killed = 0;
        beside = 0;
        groups.forEach(group -> group.recount(tables));
    }

    public boolean hasTooManyFailures() {
        return groups.stream().anyMatch(GroupRow::hasTooManyFailures);
    }

    // ---- its state, which follows from its tasks

    /** Sets the state that follows from those tasks that the tables have. */
    void deriveFrom(Tables tables) {
        recount(tables);
        become(deriveState());
    }

    /** Updates what follows from the tasks. */
    void derive(long version, long wallTime, long cellTime) {
        changedVersion = version;
        if (state.isEnded()) {
            return;
        }
        JobState next = deriveState();
        if (next == JobState.RUNNING && startedAtMillis == 0) {
            startedAtMillis = wallTime;
        }
        if (next.isEnded()) {
            endedAtMillis = wallTime;
            endedCellTimeMillis = cellTime;
        }
        become(next);
    }

    /** Writes the state only when it changes: the GC barrier stalls on earlier stores. */
    private void become(JobState next) {
        if (state != next) {
            state = next;
        }
    }

    /** Returns whether its state follows from its tasks. Some tasks of an ended job may be forgotten. */
    boolean isStateTrue() {
        JobState derived = deriveState();
        return state.isEnded() ? header.tasks() == 0 || derived.isEnded() : state == derived;
    }

    private JobState deriveState() {
        if (isStopped()) {
            return counts.onMachines() > 0 ? JobState.STOPPING : deriveStopped();
        }
        boolean allEnded = counts.onMachines() == 0
                && counts.of(TaskState.FINISHED) + failedForGood + killed + beside == header.tasks();
        boolean isService = header.type() == JobType.SERVICE;
        if (allEnded && !(isService && (header.tasks() == 0 || counts.of(TaskState.FINISHED) > 0))) {
            return deriveEnd();
        }
        boolean begun = counts.onMachines() > 0 || counts.of(TaskState.FINISHED) > 0;
        return begun ? JobState.RUNNING : JobState.PENDING;
    }

    private JobState deriveStopped() {
        return stopReason == TaskReason.TOO_MANY_FAILURES ? JobState.FAILED : JobState.STOPPED;
    }

    private JobState deriveEnd() {
        if (failedForGood > 0) {
            return JobState.FAILED;
        }
        return killed > 0 ? JobState.STOPPED : JobState.FINISHED;
    }

    // ---- in a snapshot, after identity, header and specification

    void writeRest(ByteWriter out, int format) {
        out.writeVarint(generation);
        out.writeVarint(attemptsBefore);
        out.writeSigned(submittedAtMillis);
        ValueCodec.writeTaskReason(out, stopReason);
        out.writeVarint(attemptMax);
        out.writeVarint(transactions);
        out.writeVarint(conflicts);
        out.writeSigned(startedAtMillis);
        out.writeSigned(endedAtMillis);
        out.writeVarint(endedCellTimeMillis);
        ValueCodec.writeJobState(out, state);
        ValueCodec.writeProgress(out, progress);
        out.writeVarint(changedVersion);
        if (format >= SnapshotFormat.UPDATED_VERSION_FORMAT) {
            out.writeVarint(updatedVersion);
        }
        if (format >= SnapshotFormat.STOP_GRACE_FORMAT) {
            out.writeVarint(stopGrace);
        }
        if (format >= SnapshotFormat.ASKED_COUNT_FORMAT) {
            groups.forEach(group -> group.writeAsked(out));
        }
        if (format >= SnapshotFormat.COPIES_FORMAT) {
            writeCopies(out);
        }
    }

    private void writeCopies(ByteWriter out) {
        for (GroupRow group : groups) {
            for (int index = 0; group.isOfCopies() && index < group.header().count(); index++) {
                out.writeVarint(group.copied(index));
            }
        }
    }

    private void readCopies(ByteReader in) {
        for (GroupRow group : groups) {
            for (int index = 0; group.isOfCopies() && index < group.header().count(); index++) {
                group.loadCopy(in.readInt());
            }
        }
    }

    public static JobRow read(JobId id, JobHeader header, Specification specification, ByteReader in, int format) {
        JobRow job = new JobRow(id, header, specification, in.readInt(), in.readInt(), in.readSigned());
        job.stopReason = ValueCodec.readTaskReason(in);
        job.attemptMax = in.readInt();
        job.transactions = in.readInt();
        job.conflicts = in.readInt();
        job.startedAtMillis = in.readSigned();
        job.endedAtMillis = in.readSigned();
        job.endedCellTimeMillis = in.readVarint();
        job.state = ValueCodec.readJobState(in);
        job.remember(ValueCodec.readProgress(in));
        job.changedVersion = in.readVarint();
        job.updatedVersion = format >= SnapshotFormat.UPDATED_VERSION_FORMAT ? in.readVarint() : 0;
        job.stopGrace = format >= SnapshotFormat.STOP_GRACE_FORMAT ? in.readVarint() : 0;
        if (format >= SnapshotFormat.ASKED_COUNT_FORMAT) {
            job.groups.forEach(group -> group.readAsked(in));
        }
        if (format >= SnapshotFormat.COPIES_FORMAT) {
            job.readCopies(in);
        }
        return job;
    }

    // ---- in the digest of its table

    /** The job's weight, by column: what was submitted, what was tried, and when. */
    long weight() {
        return TableDigest.weight(SAID, digestOfSaid()) + weightOfTries() + weightOfTimes();
    }

    long weightOfTries() {
        return TableDigest.weight(TRIED, (long) transactions << 32 | conflicts);
    }

    /** The part of the weight that {@link #derive} changes. */
    long weightOfTimes() {
        return TableDigest.weight(
                WHEN, changedVersion + submittedAtMillis + startedAtMillis + endedAtMillis + endedCellTimeMillis);
    }

    private long digestOfSaid() {
        return Digests.mix(saidDigest(), generation)
                + stopReason.code()
                + 31L * attemptsBefore
                + progressDigest
                + UPDATED_FACTOR * updatedVersion
                + GRACE_FACTOR * stopGrace
                + ASKED_FACTOR * digestOfAsked();
    }

    private long digestOfAsked() {
        long digest = 0;
        for (GroupRow group : groups) {
            digest = group.mixAsked(digest);
        }
        return digest;
    }

    private long saidDigest() {
        if (!saidIsDigested) {
            ByteWriter bytes = new ByteWriter();
            ValueCodec.writeHeader(bytes, header);
            writeCopies(bytes);
            saidDigest = Digests.mix(Digests.of(bytes.toBytes()), specification.digest());
            saidIsDigested = true;
        }
        return saidDigest;
    }
}
