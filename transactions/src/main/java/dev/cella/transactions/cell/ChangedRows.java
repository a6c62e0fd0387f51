package dev.cella.transactions.cell;

import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.codec.GroupPlacements;
import dev.cella.transactions.codec.IgnoredChanges;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects the rows that frames of changes touch, and tells them once the tables show the newest version. As the sink behind
 * the tables it needs no second reading of the frame.
 *
 * <p>Rows wait in a flat array, because a large version touches many thousands. Owned by the thread that applies.
 */
public class ChangedRows extends IgnoredChanges {
    private static final int LONGS_PER_ROW = 4;

    private enum Kind {
        MACHINE,
        QUEUE,
        JOB,
        TASK,
        TASK_AND_MACHINE,
        SESSION
    }

    private static final Kind[] KINDS = Kind.values();

    private long[] rows = new long[64 * LONGS_PER_ROW];
    private int used;
    private long version;
    private long cellTimeMillis;
    private long wallTimeMillis;
    private @Nullable Origin origin;

    /**
     * Names the rows that the frames touched, in the order of the changes. The last frame is the last one that the view
     * shows.
     */
    public static void tell(byte[] frames, CellView view, TouchedRows listener) {
        ChangedRows changed = new ChangedRows() {
            @Override
            public void end() {
                tell(view, listener);
            }
        };
        new ChangeReader(changed).readFrames(frames);
    }

    /**
     * Names the rows of the newest version, and forgets them. Holds end by cell time, with their jobs, and when none of their
     * job's tasks is pending. Queue rows go with their tasks and machines. No change says that, so they are named here.
     */
    final void tell(CellView view, TouchedRows listener) {
        listener.version(
                new CellVersion(version), new CellTime(cellTimeMillis), wallTimeMillis, Optional.ofNullable(origin));
        for (int at = 0; at < used; at += LONGS_PER_ROW) {
            tellRow(at, view, listener);
        }
        view.tables().holdsEndedOn().forEach(listener::machine);
        for (QueueRow row : view.tables().queues.left()) {
            listener.queue(row.slot());
            tellTask(row.task(), listener);
        }
        used = 0;
    }

    private void tellRow(int at, CellView view, TouchedRows listener) {
        long id = rows[at + 1];
        switch (KINDS[(int) rows[at]]) {
            case MACHINE -> listener.machine((int) id);
            case QUEUE -> listener.queue((int) id);
            case JOB -> listener.job(new JobId(id));
            case SESSION -> listener.session(new SessionId(id));
            case TASK -> tellTask(new TaskId(new JobId(id), (int) rows[at + 2], (int) rows[at + 3]), listener);
            case TASK_AND_MACHINE -> {
                TaskId task = new TaskId(new JobId(id), (int) rows[at + 2], (int) rows[at + 3]);
                tellTask(task, listener);
                tellMachine(task, view, listener);
            }
        }
    }

    private static void tellTask(TaskId task, TouchedRows listener) {
        listener.task(task);
        listener.job(task.job());
    }

    private static void tellMachine(TaskId task, CellView view, TouchedRows listener) {
        int row = view.tables().findRow(task.job().version(), task.group(), task.index());
        if (row != TaskTable.NO_ROW && view.tables().tasks.machine(row) != TaskTable.NO_MACHINE) {
            listener.machine(view.tables().tasks.machine(row));
        }
    }

    private void add(Kind kind, long id) {
        add(kind, id, 0, 0);
    }

    @SuppressWarnings("EnumOrdinal") // the numbers stay within this object
    private void add(Kind kind, long id, int group, int index) {
        if (used == rows.length) {
            rows = Arrays.copyOf(rows, 2 * used);
        }
        rows[used] = kind.ordinal();
        rows[used + 1] = id;
        rows[used + 2] = group;
        rows[used + 3] = index;
        used += LONGS_PER_ROW;
    }

    @Override
    public void begin(long next, long cellTime, long wallTime, @Nullable Origin by) {
        version = next;
        cellTimeMillis = cellTime;
        wallTimeMillis = wallTime;
        origin = by;
        used = 0;
    }

    @Override
    public void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        add(Kind.MACHINE, slot);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        add(Kind.MACHINE, slot);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        add(Kind.MACHINE, slot);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        add(Kind.MACHINE, slot);
    }

    @Override
    public void machineRemoved(int slot) {
        add(Kind.MACHINE, slot);
    }

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        add(Kind.JOB, version);
    }

    @Override
    public void jobUpdated(long job, JobHeader header, Specification specification) {
        add(Kind.JOB, job);
    }

    @Override
    public void jobStopped(long job, TaskReason reason) {
        add(Kind.JOB, job);
    }

    @Override
    public void jobGrace(long job, long graceMillis) {
        add(Kind.JOB, job);
    }

    @Override
    public void jobScaled(long job, int group, int count) {
        add(Kind.JOB, job);
    }

    @Override
    public void jobCountAsked(long job, int group, int count) {
        add(Kind.JOB, job);
    }

    @Override
    public void jobForgotten(long job) {
        add(Kind.JOB, job);
    }

    @Override
    public void jobProgress(long job, Progress progress) {
        add(Kind.JOB, job);
    }

    @Override
    public void taskForgotten(long job, int group, int index) {
        add(Kind.TASK, job, group, index);
    }

    @Override
    public void jobTried(long job, int conflicts) {
        add(Kind.JOB, job);
    }

    @Override
    public void tasksPlaced(long job, int group, GroupPlacements placed) {
        add(Kind.MACHINE, job, group, placed);
    }

    private void add(Kind kindOfSlot, long job, int group, GroupPlacements placed) {
        for (int place = 0; place < placed.count(); place++) {
            add(Kind.TASK, job, group, placed.index(place));
            add(kindOfSlot, placed.slot(place));
        }
    }

    @Override
    public void tasksQueued(long job, int group, GroupPlacements queued) {
        add(Kind.QUEUE, job, group, queued);
    }

    @Override
    public void spareTasksPlaced(long job, int group, GroupPlacements placed) {
        tasksPlaced(job, group, placed);
    }

    @Override
    public void taskUpgraded(long job, int group, int index) {
        add(Kind.TASK_AND_MACHINE, job, group, index);
    }

    @Override
    public void taskCopied(long job, int group, int index) {
        add(Kind.JOB, job);
    }

    @Override
    public void taskEvicted(long job, int group, int index, int forOrdinal) {
        add(Kind.TASK, job, group, index);
    }

    @Override
    public void tasksStepped(long job, int group, TaskSteps steps) {
        Kind kind = steps.state().isEnded() ? Kind.TASK_AND_MACHINE : Kind.TASK;
        for (int place = 0; place < steps.count(); place++) {
            add(kind, job, group, steps.index(place));
        }
    }

    @Override
    public void holdPut(long job, int ordinal, int slot, Amounts wanted, long expiresAtMillis) {
        add(Kind.MACHINE, slot);
    }

    @Override
    public void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis) {
        add(Kind.MACHINE, slot);
        add(Kind.SESSION, session);
    }

    @Override
    public void sessionOffers(long session, Participation participation, boolean suppressed) {
        add(Kind.SESSION, session);
    }

    @Override
    public void offerRefused(long session, int slot, long untilMillis) {
        add(Kind.SESSION, session);
    }

    @Override
    public void taskAgain(long job, int group, int index) {
        add(Kind.TASK, job, group, index);
    }

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
        add(Kind.SESSION, version);
    }

    @Override
    public void sessionRenewed(long session, String type, long leaseMillis) {
        add(Kind.SESSION, session);
    }

    @Override
    public void sessionClosed(long session) {
        add(Kind.SESSION, session);
    }
}
