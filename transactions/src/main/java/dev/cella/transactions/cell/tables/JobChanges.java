package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.function.Consumer;

/**
 * Writes the changes of a job: its row, the counts of the cell, the use of the pools that it leaves and joins, and the mark
 * that it may have tasks to stop or rows to drop. Owned by the thread that applies changes.
 */
final class JobChanges {
    private final Tables tables;
    private final JobTable jobs;
    private final TaskTable tasks;
    private final PolicyTable policies;
    private final HoldTable holds;
    private final TaskCounts counts;

    JobChanges(Tables tables) {
        this.tables = tables;
        this.jobs = tables.jobs;
        this.tasks = tables.tasks;
        this.policies = tables.policies;
        this.holds = tables.holds;
        this.counts = tables.counts;
    }

    // ---- submitted, updated, scaled

    void submitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        JobRow job = jobs.submit(
                header,
                specification,
                generation,
                attemptsBefore,
                tables.version(),
                updatedVersion(),
                askedVersion(),
                tables.wallTimeMillis());
        job.join(policies.pool(header.pool()));
        counts.add(TaskState.PENDING, header.tasks());
    }

    /** The version to store for a job that is submitted or updated now. */
    private long updatedVersion() {
        return tables.featureLevel() < EntryCodec.UPDATED_VERSION_LEVEL ? 0 : tables.version();
    }

    /** The version to store for the counts that a person asks for now. */
    private long askedVersion() {
        return tables.featureLevel() < EntryCodec.ASKED_COUNT_LEVEL ? 0 : tables.version();
    }

    void updated(JobRow job, JobHeader header, Specification specification) {
        tables.queues.dropJob(job);
        jobs.update(job, header, specification, updatedVersion(), askedVersion());
        movePool(job, policies.pool(header.pool()));
        recount(job);
    }

    /** Moves what the job's tasks and holds use to the other pool. */
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

    void scaled(JobRow job, int group, int count) {
        changeCount(job, scaled -> scaled.scale(group, count));
    }

    void asked(JobRow job, int group, int count) {
        changeCount(job, asked -> {
            asked.scale(group, count);
            asked.group(group).ask(askedVersion());
        });
    }

    private void changeCount(JobRow job, Consumer<JobRow> change) {
        jobs.change(job, change);
        tables.queues.dropSurplus(job);
        recount(job);
    }

    void copied(JobRow job, int group, int index) {
        jobs.change(job, copied -> copied.copy(group, index));
        counts.add(TaskState.PENDING, 1);
        tables.changed(job);
    }

    /** Recounts the job after its groups have changed, and the cell's counts with it. */
    private void recount(JobRow job) {
        counts.addAll(job.counts(), -1);
        job.recount(tables);
        counts.addAll(job.counts(), 1);
        tables.toSweep().add(job.id().version());
        tables.changed(job);
    }

    // ---- tried, remembered

    void tried(JobRow job, int conflicts) {
        jobs.tried(job, conflicts);
        tables.changed(job);
    }

    void remembered(JobRow job, Progress progress) {
        jobs.change(job, remembering -> remembering.remember(progress));
        tables.changed(job);
    }

    // ---- stopped, forgotten

    void stopped(JobRow job, TaskReason reason) {
        counts.move(TaskState.PENDING, TaskState.KILLED, job.pending());
        jobs.stop(job, reason);
        tables.queues.dropJob(job);
        tables.toSweep().add(job.id().version());
        tables.changed(job);
    }

    void granted(JobRow job, long graceMillis) {
        jobs.change(job, stopped -> stopped.grant(graceMillis));
        tables.changed(job);
    }

    /** Nothing that follows from the job needs updating now. */
    void forgotten(JobRow job) {
        jobs.forget(job);
        job.noteChange(false);
        tables.toSweep().remove(job.id().version());
    }
}
