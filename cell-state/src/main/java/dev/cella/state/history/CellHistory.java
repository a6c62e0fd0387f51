package dev.cella.state.history;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskCounts;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The past of the cell, for people: the steps of tasks, events of machines and schedulers, and time series.
 *
 * <p>The apply thread only hands over the bytes that it makes for the feed. The replica's timer, or the first question, reads
 * them a moment later. So every answer covers everything that was applied before the question. After a restart the past begins
 * with the log after the checkpoint, and so do the steps after a checkpoint from another replica.
 *
 * <p>Any thread may use it, but not while reading the cell. Guarded by its own monitor.
 */
public final class CellHistory {
    private static final int MARKS_MAX = 2_000;
    private static final int UNREAD_BYTES_MAX = 8 << 20;
    private static final long SAMPLE_MILLIS = 1_000;

    /** Reads the cell. */
    public interface Cell {
        <T> T read(Function<? super CellView, ? extends T> question);
    }

    /** The values gathered between two points of the series. */
    private static final class Since {
        /** Volatile because the timer looks at it without the monitor. */
        volatile long atMillis;

        long placed;
        long conflicted;
        Sample latencyMillis = new Sample();

        void begin(long millis) {
            atMillis = millis;
            placed = 0;
            conflicted = 0;
            latencyMillis = new Sample();
        }
    }

    private final Cell cell;
    private final Queue<byte[]> unread = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unreadBytes = new AtomicInteger();
    private final StepLog steps;
    private final Deque<Mark> marks = new ArrayDeque<>();
    /** By the version at which they were opened: a session that has ended has no row any more. */
    private final Map<Long, String> sessionNames = new HashMap<>();

    private final MachineNames machineNames = new MachineNames();

    /** The tasks of the row that is written. */
    private final GroupPlacements tasks = new GroupPlacements();

    private final Series series = new Series();
    private final ClaimedAmounts claimed;
    private final Since since = new Since();

    /**
     * An empty history.
     *
     * @param stepBytesMax the bound of the bytes of kept steps
     */
    public CellHistory(Cell cell, long stepBytesMax) {
        this.cell = cell;
        this.steps = new StepLog(stepBytesMax);
        this.claimed = new ClaimedAmounts(stepBytesMax / 8);
    }

    // ---- writing

    /** Called by the apply thread after each entry. It reads only if nobody has read for long, as during a replay. */
    public void entryApplied(byte[] changes) {
        unread.add(changes);
        if (unreadBytes.addAndGet(changes.length) > UNREAD_BYTES_MAX) {
            catchUp();
        }
    }

    /**
     * Called by the apply thread when the cell has become another replica's, at that version. The machines may be others, and
     * the steps in between are not known, so the earlier ones are dropped.
     */
    public synchronized void checkpointArrived(long version) {
        for (byte[] next = unread.poll(); next != null; next = unread.poll()) {
            unreadBytes.addAndGet(-next.length);
        }
        machineNames.clear();
        steps.beginAfter(version);
    }

    /** Reads everything applied since the last call. */
    public synchronized void catchUp() {
        for (byte[] next = unread.poll(); next != null; next = unread.poll()) {
            byte[] changes = next;
            unreadBytes.addAndGet(-changes.length);
            cell.<Boolean>read(view -> {
                new ChangeReader(new Reading(view)).readFrames(changes);
                return true;
            });
        }
    }

    /** Returns whether {@link #sample} would do anything. The replica's timer asks, which must not wait. */
    public boolean isSampleDue(long wallMillis) {
        return !unread.isEmpty() || isSampleTime(wallMillis);
    }

    /** A wall clock that was set back does not end the series: they go on from the time that it shows then. */
    private boolean isSampleTime(long wallMillis) {
        return Math.abs(wallMillis - since.atMillis) >= SAMPLE_MILLIS;
    }

    /** Called for the replica's timer: reads what was applied, and adds a point to the series when one is due. */
    public synchronized void sample(long wallMillis) {
        catchUp();
        if (!isSampleTime(wallMillis)) {
            return;
        }
        if (since.atMillis != 0 && wallMillis > since.atMillis) {
            series.add(cell.<Series.Point>read(view -> point(view, wallMillis)));
        }
        since.begin(wallMillis);
        cell.<Boolean>read(view -> {
            claimed.sample(view, wallMillis);
            return true;
        });
    }

    private Series.Point point(CellView view, long wallMillis) {
        double seconds = (wallMillis - since.atMillis) / 1e3;
        TaskCounts tasks = view.taskCounts();
        List<Double> values = List.of(
                since.placed / seconds,
                since.conflicted / seconds,
                (double) tasks.of(TaskState.PENDING),
                (double) tasks.of(TaskState.RUNNING),
                utilisation(view),
                latencySeconds());
        return new Series.Point(wallMillis, view.version().number(), values);
    }

    private double latencySeconds() {
        var median = Sample.median(List.of(since.latencyMillis));
        return median.isPresent() ? median.getAsLong() / 1e3 : Double.NaN;
    }

    /** The used fraction of the first dimension, cpuMilli, on the machines that are not down. */
    private static double utilisation(CellView view) {
        double capacity = view.totalCapacity(0);
        return capacity == 0 ? 0 : 1 - view.totalFree(0) / capacity;
    }

    /** Records that a replica leads from now on. */
    public synchronized void leads(String replica, long version, long wallMillis) {
        mark(new Mark(wallMillis, version, Mark.Kind.LEADER, replica));
    }

    private void mark(Mark mark) {
        marks.addLast(mark);
        if (marks.size() > MARKS_MAX) {
            marks.removeFirst();
        }
    }

    // ---- questions

    /** The newest steps of the job, on the machine, or of all; in order of time. */
    public synchronized List<HistoryStep> steps(
            Optional<String> job, Optional<String> machine, Span span, int stepsMax) {
        catchUp();
        return steps.of(new StepLog.Asked(job, machine, span), stepsMax);
    }

    /** The version from which no step is missing. */
    public synchronized long stepsKeptFromVersion() {
        return steps.keptFromVersion();
    }

    /** The events of machines and schedulers, the oldest first. */
    public synchronized List<Mark> marks(Span span) {
        catchUp();
        return marks.stream()
                .filter(mark -> span.has(mark.version(), mark.atMillis()))
                .toList();
    }

    public synchronized Series.Answer series(long fromMillis, long toMillis, long nowMillis) {
        return series.in(fromMillis, toMillis, nowMillis);
    }

    /** The amounts claimed on the machine in that slot, oldest first. The machine was registered at that version. */
    public synchronized List<ClaimedAmounts.Point> claimed(int slot, long registeredVersion, Span span) {
        return claimed.of(slot, registeredVersion, span);
    }

    /** The version of the cell at about that time; 0 if it is not known. */
    public synchronized long versionAt(long wallMillis) {
        return series.versionAt(wallMillis);
    }

    /** Makes steps and marks from the changes of an entry, with the names that the rows have now. */
    private final class Reading extends IgnoredChanges {
        private final CellView view;
        private final StepLog.Row row;
        private long version;
        private long wallMillis;
        private @Nullable Origin origin;
        private long namedJob = -1;
        private @Nullable JobRow job;
        private int namedGroup = -1;
        private String groupName = "";

        Reading(CellView view) {
            this.view = view;
            this.row = new StepLog.Row(view, machineNames);
        }

        @Override
        public void begin(long frameVersion, long cellTimeMillis, long wallTimeMillis, @Nullable Origin by) {
            version = frameVersion;
            wallMillis = wallTimeMillis;
            origin = by;
        }

        // ---- tasks

        @Override
        public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
            addOfJob(HistoryStep.Kind.SUBMITTED, header.name(), TaskReason.NONE);
        }

        @Override
        public void jobUpdated(long id, JobHeader header, Specification specification) {
            addOfJob(HistoryStep.Kind.UPDATED, header.name(), TaskReason.NONE);
        }

        @Override
        public void jobScaled(long id, int group, int count) {
            addOfJob(HistoryStep.Kind.SCALED, jobName(id), TaskReason.NONE);
        }

        @Override
        public void jobCountAsked(long id, int group, int count) {
            jobScaled(id, group, count);
        }

        @Override
        public void jobStopped(long id, TaskReason reason) {
            addOfJob(HistoryStep.Kind.STOPPED, jobName(id), reason);
        }

        @Override
        public void tasksPlaced(long id, int group, GroupPlacements placed) {
            since.placed += placed.count();
            noteLatency(id, group, placed.index(0));
            begin(HistoryStep.Kind.PLACED, id, group);
            steps.add(row, placed);
        }

        @Override
        public void spareTasksPlaced(long id, int group, GroupPlacements placed) {
            tasksPlaced(id, group, placed);
        }

        /**
         * Records how long a task waited for its first placement. One task per group of claims stands for the others.
         */
        private void noteLatency(long id, int group, int index) {
            JobRow of = job(id);
            if (of == null) {
                return;
            }
            view.task(new TaskId(of.id(), group, index))
                    .filter(task -> task.attempt() == 1)
                    .ifPresent(task -> since.latencyMillis.add(Math.max(0, wallMillis - of.submittedAtMillis())));
        }

        @Override
        public void tasksStepped(long id, int group, TaskSteps stepped) {
            begin(HistoryStep.Kind.valueOf(stepped.state().name()), id, group);
            row.reason = stepped.reason();
            row.exited = stepped.exitCode() != EXIT_CODE_NONE;
            row.exitCode = row.exited ? stepped.exitCode() : 0;
            tasks.clear();
            for (int place = 0; place < stepped.count(); place++) {
                int index = stepped.index(place);
                tasks.add(index, slotOf(id, group, index, stepped.state()), 0);
            }
            steps.add(row, tasks);
        }

        @Override
        public void taskEvicted(long id, int group, int index, int forOrdinal) {
            begin(HistoryStep.Kind.STOPPING, id, group);
            row.reason = TaskReason.PREEMPTED;
            addOne(index, slotOf(id, group, index, TaskState.STOPPING), forOrdinal + 1);
        }

        @Override
        public void taskAgain(long id, int group, int index) {
            begin(HistoryStep.Kind.PENDING, id, group);
            addOne(index, MachineNames.NONE, 0);
        }

        @Override
        public void itemRefused(long id, int group, int index, int slot, ItemResult result) {
            if (!TaskId.canBe(id, group, index)) {
                return;
            }
            begin(result.conflict() ? HistoryStep.Kind.CONFLICTED : HistoryStep.Kind.REFUSED, id, group);
            row.why = result.reason().orElseThrow().name();
            addOne(index, slot, 0);
        }

        @Override
        public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {
            since.conflicted += conflicted;
        }

        private void addOfJob(HistoryStep.Kind kind, String name, TaskReason reason) {
            clear(kind);
            row.job = name;
            row.group = "";
            row.reason = reason;
            addOne(StepLog.WHOLE_JOB, MachineNames.NONE, 0);
        }

        private void addOne(int index, int slot, int ordinal) {
            tasks.clear();
            tasks.add(index, slot, ordinal);
            steps.add(row, tasks);
        }

        /** Begins a row of tasks of one group, without the tasks. */
        private void begin(HistoryStep.Kind kind, long id, int group) {
            clear(kind);
            JobRow of = job(id);
            row.job = jobName(id);
            row.group = groupName(of, group);
        }

        private String groupName(@Nullable JobRow of, int group) {
            if (group != namedGroup) {
                namedGroup = group;
                groupName = of != null && group < of.groupCount()
                        ? of.group(group).header().name()
                        : Integer.toString(group);
            }
            return groupName;
        }

        private void clear(HistoryStep.Kind kind) {
            row.version = version;
            row.millis = wallMillis;
            row.kind = kind;
            row.origin = origin;
            row.reason = TaskReason.NONE;
            row.why = "";
            row.exited = false;
            row.exitCode = 0;
        }

        /** Consecutive changes are mostly about one job. */
        private @Nullable JobRow job(long id) {
            if (id != namedJob) {
                namedJob = id;
                namedGroup = -1;
                job = view.job(new JobId(id)).orElse(null);
            }
            return job;
        }

        private String jobName(long id) {
            JobRow of = job(id);
            return of == null ? new JobId(id).toString() : of.name();
        }

        /**
         * The machine of the task, so that a machine's timeline has the ends of its tasks. A task that has gone on since may be
         * on another machine by now, so its step names none.
         */
        private int slotOf(long id, int group, int index, TaskState state) {
            JobRow of = job(id);
            if (of == null || group >= of.groupCount()) {
                return MachineNames.NONE;
            }
            TaskRow task = view.task(of.group(group), index);
            return task.state() == state ? task.machine().orElse(MachineNames.NONE) : MachineNames.NONE;
        }

        private String machine(int slot) {
            return machineNames.of(slot, view);
        }

        // ---- the cell

        @Override
        public void machineRegistered(
                int slot,
                String name,
                Amounts capacity,
                Map<String, String> attributes,
                @Nullable AgentIdentity agent) {
            machineNames.forget(slot);
            addMark(Mark.Kind.MACHINE_REGISTERED, name);
        }

        @Override
        public void machineDrained(int slot, @Nullable Drain drain) {
            addMark(Mark.Kind.MACHINE_DRAINING, machine(slot));
        }

        @Override
        public void machineMarked(int slot, boolean draining, boolean down) {
            Mark.Kind notDown = draining ? Mark.Kind.MACHINE_DRAINING : Mark.Kind.MACHINE_READY;
            addMark(down ? Mark.Kind.MACHINE_DOWN : notDown, machine(slot));
        }

        @Override
        public void machineRemoved(int slot) {
            addMark(Mark.Kind.MACHINE_REMOVED, machine(slot));
            machineNames.forget(slot);
        }

        @Override
        public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
            sessionNames.put(version, scheduler + "/" + instance);
            addMark(Mark.Kind.SCHEDULER_CAME, scheduler + "/" + instance);
        }

        @Override
        public void sessionClosed(long session) {
            String opened = sessionNames.remove(session);
            String name = opened != null
                    ? opened
                    : view.session(new SessionId(session))
                            .map(known -> known.scheduler() + "/" + known.instance())
                            .orElse("");
            addMark(Mark.Kind.SCHEDULER_LEFT, name);
        }

        @Override
        public void schedulerPaused(String scheduler, boolean paused) {
            addMark(paused ? Mark.Kind.SCHEDULER_PAUSED : Mark.Kind.SCHEDULER_RESUMED, scheduler);
        }

        private void addMark(Mark.Kind kind, String name) {
            mark(new Mark(wallMillis, version, kind, name));
        }
    }
}
