package dev.cella.state.web.feed;

import dev.cella.state.web.feed.ChangedRow.Belonging;
import dev.cella.state.web.feed.ChangedRow.Kind;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.ChangedRows;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The names and owners of the rows that a version is about to touch, read before it does. Afterwards a row and its name may be
 * gone, or belong elsewhere.
 */
final class RowsBefore implements TouchedRows {
    private final CellView view;
    private final Map<Integer, String> machines = new HashMap<>();
    private final Map<JobId, Belonging> jobs = new HashMap<>();
    private final Map<TaskId, Belonging> tasks = new HashMap<>();
    private final Map<SessionId, ChangedRow> sessions = new HashMap<>();

    RowsBefore(CellView view) {
        this.view = view;
    }

    /** Call this while the view shows the version before the frame's. */
    void look(byte[] frame) {
        machines.clear();
        jobs.clear();
        tasks.clear();
        sessions.clear();
        ChangedRows.tell(frame, view, this);
    }

    @Override
    public void machine(int slot) {
        if (view.machineExists(slot)) {
            machines.put(slot, view.machineName(slot));
        }
    }

    @Override
    public void job(JobId id) {
        view.job(id).ifPresent(job -> jobs.put(id, RowMaker.belonging(job)));
    }

    @Override
    public void task(TaskId id) {
        view.job(id.job())
                .ifPresent(job -> view.task(id).ifPresent(task -> tasks.put(id, RowMaker.belonging(job, task))));
    }

    @Override
    public void session(SessionId id) {
        view.session(id).ifPresent(session -> sessions.put(id, goneSession(session)));
    }

    static ChangedRow goneSession(SessionRow session) {
        return gone(Kind.SESSION, RowMaker.name(session), Belonging.toScheduler(session.scheduler()));
    }

    /** The row of a job that was forgotten. */
    static Optional<ChangedRow> goneJob(Belonging belonged) {
        return belonged.job().map(name -> gone(Kind.JOB, name, belonged));
    }

    static ChangedRow gone(Kind kind, String name, Belonging belonging) {
        return new ChangedRow(kind, name, belonging, Optional.of(belonging), Optional.empty());
    }

    /** The row of a machine that no longer exists. */
    Optional<ChangedRow> goneMachine(int slot) {
        return Optional.ofNullable(machines.get(slot)).map(name -> gone(Kind.MACHINE, name, Belonging.toMachine(name)));
    }

    Optional<ChangedRow> goneSession(SessionId id) {
        return Optional.ofNullable(sessions.get(id));
    }

    Optional<ChangedRow> goneJob(JobId id) {
        return of(id).flatMap(RowsBefore::goneJob);
    }

    Optional<Belonging> of(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }

    Optional<Belonging> of(TaskId id) {
        return Optional.ofNullable(tasks.get(id));
    }
}
