package dev.cella.transactions.cell;

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
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the rows that a frame of changes touched. The frame must be the last one that the view shows. */
public final class ChangedRows extends IgnoredChanges {
    private final CellView view;
    private final TouchedRows listener;
    private long version;

    private ChangedRows(CellView view, TouchedRows listener) {
        this.view = view;
        this.listener = listener;
    }

    /** Names the rows that the frame touched, in the order of the changes. */
    public static void tell(byte[] frame, CellView view, TouchedRows listener) {
        new ChangeReader(new ChangedRows(view, listener)).readFrames(frame);
    }

    @Override
    public void begin(long next, long cellTimeMillis, long wallTimeMillis, @Nullable Origin origin) {
        version = next;
        listener.version(
                new CellVersion(next), new CellTime(cellTimeMillis), wallTimeMillis, Optional.ofNullable(origin));
    }

    /** Holds end by cell time and with their jobs. That frees amounts but is no change of its own. */
    @Override
    public void end() {
        view.tables().holdsEndedOn().forEach(listener::machine);
    }

    @Override
    public void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        listener.machine(slot);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        listener.machine(slot);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        listener.machine(slot);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        listener.machine(slot);
    }

    @Override
    public void machineRemoved(int slot) {
        listener.machine(slot);
    }

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        listener.job(new JobId(version));
    }

    @Override
    public void jobUpdated(long job, JobHeader header, Specification specification) {
        listener.job(new JobId(job));
    }

    @Override
    public void jobStopped(long job, TaskReason reason) {
        listener.job(new JobId(job));
    }

    @Override
    public void jobScaled(long job, int group, int count) {
        listener.job(new JobId(job));
    }

    @Override
    public void jobForgotten(long job) {
        listener.job(new JobId(job));
    }

    @Override
    public void jobProgress(long job, Progress progress) {
        listener.job(new JobId(job));
    }

    @Override
    public void taskForgotten(long job, int group, int index) {
        task(job, group, index);
    }

    @Override
    public void jobTried(long job, int conflicts) {
        listener.job(new JobId(job));
    }

    @Override
    public void tasksPlaced(long job, int group, GroupPlacements placed) {
        for (int place = 0; place < placed.count(); place++) {
            task(job, group, placed.index(place));
            listener.machine(placed.slot(place));
        }
    }

    @Override
    public void taskEvicted(long job, int group, int index, int forOrdinal) {
        task(job, group, index);
    }

    @Override
    public void tasksStepped(long job, int group, TaskSteps steps) {
        for (int place = 0; place < steps.count(); place++) {
            task(job, group, steps.index(place));
            if (steps.state().isEnded()) {
                machineOf(job, group, steps.index(place));
            }
        }
    }

    private void machineOf(long job, int group, int index) {
        int row = view.tables().findRow(job, group, index);
        if (row != TaskTable.NO_ROW && view.tables().tasks.machine(row) != TaskTable.NO_MACHINE) {
            listener.machine(view.tables().tasks.machine(row));
        }
    }

    @Override
    public void holdPut(long job, int ordinal, int slot, Amounts wanted, long expiresAtMillis) {
        listener.machine(slot);
    }

    @Override
    public void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis) {
        listener.machine(slot);
        listener.session(new SessionId(session));
    }

    @Override
    public void sessionOffers(long session, Participation participation, boolean suppressed) {
        listener.session(new SessionId(session));
    }

    @Override
    public void offerRefused(long session, int slot, long untilMillis) {
        listener.session(new SessionId(session));
    }

    @Override
    public void taskAgain(long job, int group, int index) {
        task(job, group, index);
    }

    private void task(long job, int group, int index) {
        TaskId id = new TaskId(new JobId(job), group, index);
        listener.task(id);
        listener.job(id.job());
    }

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
        listener.session(new SessionId(version));
    }

    @Override
    public void sessionRenewed(long session, String type, long leaseMillis) {
        listener.session(new SessionId(session));
    }

    @Override
    public void sessionClosed(long session) {
        listener.session(new SessionId(session));
    }
}
