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
    private Set<Integer> machines = new LinkedHashSet<>();
    private Set<JobId> jobs = new LinkedHashSet<>();
    private Set<TaskId> tasks = new LinkedHashSet<>();
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

    /** Begins with new sets: to clear a set takes as long as it was ever large, and a burst may change all machines. */
    void clear() {
        sessions = false;
        machines = new LinkedHashSet<>();
        jobs = new LinkedHashSet<>();
        tasks = new LinkedHashSet<>();
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
