package dev.cella.transactions.cell;

import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The jobs by identity, by name, and those with pending tasks by scheduler. Owned by the thread that applies changes. */
final class JobTable {
    final TableDigest digest = new TableDigest();
    private final JobPages pages = new JobPages();
    private final NavigableMap<Long, JobRow> jobs = new TreeMap<>();
    private final NavigableSet<JobRow> ended = new TreeSet<>(Comparator.comparingLong(JobRow::endedCellTimeMillis)
            .thenComparingLong(job -> job.id().version()));
    private final Map<String, JobRow> newestByName = new HashMap<>();
    private final Map<String, NavigableMap<Long, JobRow>> pendingByScheduler = new HashMap<>();

    @Nullable
    JobRow find(long id) {
        return jobs.get(id);
    }

    JobRow get(long id) {
        JobRow job = jobs.get(id);
        if (job == null) {
            throw new IllegalStateException("job " + id + " is not in the table");
        }
        return job;
    }

    @Nullable
    JobRow find(String name) {
        return newestByName.get(name);
    }

    /** All jobs, oldest first. */
    NavigableMap<Long, JobRow> all() {
        return Collections.unmodifiableNavigableMap(jobs);
    }

    /** The jobs of a scheduler that have pending tasks, oldest first. */
    Collection<JobRow> pending(String scheduler) {
        NavigableMap<Long, JobRow> pending = pendingByScheduler.get(scheduler);
        return pending == null ? Collections.emptyList() : Collections.unmodifiableCollection(pending.values());
    }

    /** The jobs that have ended, those first that ended first. */
    Iterable<JobRow> ended() {
        return Collections.unmodifiableNavigableSet(ended);
    }

    /** The jobs of this moment, as bytes. */
    JobPages.Copy copy() {
        return pages.copy(jobs);
    }

    JobRow submit(
            JobHeader header,
            Specification specification,
            int generation,
            int attemptsBefore,
            long version,
            long wallTime) {
        JobRow job = new JobRow(new JobId(version), header, specification, generation, attemptsBefore, wallTime);
        jobs.put(version, job);
        newestByName.put(header.name(), job);
        pages.touch(job);
        job.digest(digest, 1);
        noticePending(job);
        return job;
    }

    void update(JobRow job, JobHeader header, Specification specification) {
        job.digest(digest, -1);
        unlistPending(job);
        job.update(header, specification);
        job.digest(digest, 1);
    }

    void stop(JobRow job, TaskReason reason) {
        job.digest(digest, -1);
        job.stop(reason);
        job.digest(digest, 1);
    }

    /** Changes something of a job that its digest shows. */
    void change(JobRow job, Consumer<JobRow> change) {
        job.digest(digest, -1);
        change.accept(job);
        job.digest(digest, 1);
    }

    /** There is nothing of the job any more. */
    void forget(JobRow job) {
        pages.touch(job);
        job.digest(digest, -1);
        jobs.remove(job.id().version());
        ended.remove(job);
        newestByName.remove(job.name(), job);
    }

    void tried(JobRow job, int conflicts) {
        job.digest(digest, -1);
        job.tried(conflicts);
        job.digest(digest, 1);
    }

    /** Brings what follows from the job's tasks up to date: its state, and whether it is listed as pending. */
    void derive(JobRow job, long version, long wallTime, long cellTime) {
        job.digest(digest, -1);
        job.derive(version, wallTime, cellTime);
        pages.touch(job);
        job.digest(digest, 1);
        if (job.isEnded()) {
            ended.add(job);
        }
        noticePending(job);
    }

    /** What a snapshot says; its tasks are loaded after it. */
    void load(JobRow job) {
        pages.touch(job);
        jobs.put(job.id().version(), job);
        newestByName.put(job.name(), job);
    }

    /** All tasks are loaded: what follows from them follows. */
    void finishLoad(Tables tables) {
        for (JobRow job : jobs.values()) {
            job.recount(tables);
            if (job.isEnded()) {
                ended.add(job);
            }
            job.digest(digest, 1);
            noticePending(job);
        }
    }

    private void noticePending(JobRow job) {
        boolean pending = job.pending() > 0;
        if (pending && !job.isListedPending()) {
            pendingByScheduler
                    .computeIfAbsent(job.header().scheduler(), scheduler -> new TreeMap<>())
                    .put(job.id().version(), job);
            job.listPending(true);
        } else if (!pending) {
            unlistPending(job);
        }
    }

    private void unlistPending(JobRow job) {
        NavigableMap<Long, JobRow> pending = pendingByScheduler.get(job.header().scheduler());
        if (job.isListedPending() && pending != null) {
            pending.remove(job.id().version());
            job.listPending(false);
        }
    }
}
