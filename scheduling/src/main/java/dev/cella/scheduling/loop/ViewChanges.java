package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The rows that changed since the loop's last look, each once. Owned by the thread that drives the loop. */
final class ViewChanges implements TouchedRows {
    private final Set<Integer> machines = new LinkedHashSet<>();
    private final Set<JobId> jobs = new LinkedHashSet<>();
    private final Set<TaskId> tasks = new LinkedHashSet<>();
    private boolean sessions;

    Set<Integer> machines() {
        return machines;
    }

    Set<JobId> jobs() {
        return jobs;
    }

    Set<TaskId> tasks() {
        return tasks;
    }

    /** Returns whether a session was opened or closed. */
    boolean sessions() {
        return sessions;
    }

    void clear() {
        sessions = false;
        machines.clear();
        jobs.clear();
        tasks.clear();
    }

    @Override
    public void version(CellVersion version, CellTime time, long wallTimeMillis, Optional<Origin> transaction) {}

    @Override
    public void machine(int slot) {
        machines.add(slot);
    }

    @Override
    public void job(JobId job) {
        jobs.add(job);
    }

    @Override
    public void task(TaskId task) {
        tasks.add(task);
    }

    @Override
    public void session(SessionId session) {
        sessions = true;
    }
}
