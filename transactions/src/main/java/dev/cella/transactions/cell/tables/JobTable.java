package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs by identity and by name, those with pending tasks by scheduler, and those with tasks on machines by priority. Owned by
 * the thread that applies changes.
 */
public final class JobTable {
    final TableDigest digest;
    private final JobPages pages = new JobPages();
    private final NavigableMap<Long, JobRow> jobs = new TreeMap<>();

    /** The same jobs, for lookups of one job. The tree serves walks in order. */
    private final Map<Long, JobRow> jobsById = new HashMap<>();

    private final NavigableSet<JobRow> ended = new TreeSet<>(Comparator.comparingLong(JobRow::endedCellTimeMillis)
            .thenComparingLong(job -> job.id().version()));
    private final Map<String, JobRow> newestByName = new HashMap<>();
    /** For names that were used more than once: all jobs but the newest. */
    private final Map<String, NavigableMap<Long, JobRow>> olderByName = new HashMap<>();

    private final Map<String, NavigableMap<Long, JobRow>> pendingByScheduler = new HashMap<>();
    private final NavigableMap<Integer, Set<JobRow>> onMachinesByPriority = new TreeMap<>();
    private @Nullable JobRow gotLast;
    private long changedVersion;
    private long specificationBytes;

    JobTable(boolean digested) {
        digest = new TableDigest(digested);
    }

    @Nullable
    public JobRow find(long id) {
        JobRow last = gotLast;
        return last != null && last.id().version() == id ? last : jobsById.get(id);
    }

    /** Remembers the last job, for changes: the tasks of a transaction name one job many times in a row. */
    public JobRow get(long id) {
        JobRow job = findToChange(id);
        if (job == null) {
            throw new IllegalStateException("job " + id + " is not in the table");
        }
        return job;
    }

    @Nullable
    public JobRow findToChange(long id) {
        JobRow job = find(id);
        if (gotLast != job) {
            gotLast = job;
        }
        return job;
    }

    @Nullable
    public JobRow find(String name) {
        return newestByName.get(name);
    }

    /** All jobs, oldest first. */
    public NavigableMap<Long, JobRow> all() {
        return Collections.unmodifiableNavigableMap(jobs);
    }

    /** The newest version at which a job came or changed. */
    public long changedVersion() {
        return changedVersion;
    }

    /** The bytes of the specifications of all jobs, also of those that have ended. */
    public long specificationBytes() {
        return specificationBytes;
    }

    /** The jobs of a scheduler that have pending tasks, oldest first. */
    public Collection<JobRow> pending(String scheduler) {
        NavigableMap<Long, JobRow> pending = pendingByScheduler.get(scheduler);
        return pending == null ? Collections.emptyList() : Collections.unmodifiableCollection(pending.values());
    }

    /**
     * The jobs of at most that priority that have tasks on machines, the least important first. Those of one priority are in the
     * order in which this copy saw them get there, so sort them where the order matters.
     */
    public Stream<JobRow> onMachines(int priorityMax) {
        return onMachinesByPriority.headMap(priorityMax, true).values().stream().flatMap(Set::stream);
    }

    /** The jobs that have ended, in the order of their ends. */
    public Iterable<JobRow> ended() {
        return Collections.unmodifiableNavigableSet(ended);
    }

    /** The jobs at this moment, as bytes in that format. */
    public JobPages.Copy copy(int format) {
        return pages.copy(jobs, format);
    }

    JobRow submit(
            JobHeader header,
            Specification specification,
            int generation,
            int attemptsBefore,
            long version,
            long updatedVersion,
            long askedVersion,
            long wallTime) {
        JobRow job = new JobRow(new JobId(version), header, specification, generation, attemptsBefore, wallTime);
        job.updatedAt(updatedVersion, askedVersion);
        enter(job);
        moved(job, 0);
        list(job);
        return job;
    }

    private void enter(JobRow job) {
        changedVersion = Math.max(changedVersion, job.changedVersion());
        jobs.put(job.id().version(), job);
        jobsById.put(job.id().version(), job);
        specificationBytes += job.specification().length();
        name(job);
        pages.touch(job);
    }

    void update(JobRow job, JobHeader header, Specification specification, long updatedVersion, long askedVersion) {
        unlist(job);
        specificationBytes += specification.length() - job.specification().length();
        change(job, updated -> {
            updated.update(header, specification);
            updated.updatedAt(updatedVersion, askedVersion);
        });
    }

    void stop(JobRow job, TaskReason reason) {
        change(job, stopped -> stopped.stop(reason));
    }

    /** Changes a part of a job that its digest covers. */
    void change(JobRow job, Consumer<JobRow> change) {
        long before = weight(job);
        change.accept(job);
        moved(job, before);
    }

    /** Removes the job. */
    void forget(JobRow job) {
        pages.touch(job);
        digest.moved(key(job), weight(job), 0);
        jobs.remove(job.id().version());
        jobsById.remove(job.id().version());
        specificationBytes -= job.specification().length();
        gotLast = null;
        ended.remove(job);
        unname(job);
    }

    private void name(JobRow job) {
        JobRow older = newestByName.put(job.name(), job);
        if (older != null) {
            olderByName
                    .computeIfAbsent(job.name(), name -> new TreeMap<>())
                    .put(older.id().version(), older);
        }
    }

    /**
     * Removes the job from the index by name. It may be the newest of its name while an older one stays; then that one becomes
     * the newest.
     */
    private void unname(JobRow job) {
        boolean wasNewest = newestByName.remove(job.name(), job);
        NavigableMap<Long, JobRow> older = olderByName.get(job.name());
        if (older == null) {
            return;
        }
        if (wasNewest) {
            newestByName.put(
                    job.name(), Objects.requireNonNull(older.pollLastEntry()).getValue());
        } else {
            older.remove(job.id().version());
        }
        if (older.isEmpty()) {
            olderByName.remove(job.name());
        }
    }

    void tried(JobRow job, int conflicts) {
        long before = job.weightOfTries();
        job.tried(conflicts);
        digest.moved(key(job), before, job.weightOfTries());
    }

    /** Updates what follows from the job's tasks: its state, and where it is listed. */
    void derive(JobRow job, long version, long wallTime, long cellTime) {
        long before = job.weightOfTimes();
        job.derive(version, wallTime, cellTime);
        changedVersion = version;
        pages.touch(job);
        digest.moved(key(job), before, job.weightOfTimes());
        if (job.isEnded()) {
            ended.add(job);
        }
        list(job);
    }

    /** Adds a job from a snapshot. Its tasks are loaded after it. */
    void load(JobRow job) {
        enter(job);
    }

    /** Derives the jobs' counts and states, after all tasks are loaded. */
    void finishLoad(Tables tables) {
        for (JobRow job : jobs.values()) {
            job.recount(tables);
            checkInvariant(
                    job.isStateTrue(),
                    "job %s is in another state than its tasks say",
                    job.id().version());
            if (job.isEnded()) {
                ended.add(job);
            }
            moved(job, 0);
            list(job);
        }
    }

    /** Lists the job where it belongs, and nowhere else. */
    private void list(JobRow job) {
        noticePending(job);
        noticeOnMachines(job);
    }

    private void unlist(JobRow job) {
        unlistPending(job);
        unlistOnMachines(job);
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
        if (job.isListedPending()) {
            Objects.requireNonNull(pendingByScheduler.get(job.header().scheduler()))
                    .remove(job.id().version());
            job.listPending(false);
        }
    }

    private void noticeOnMachines(JobRow job) {
        boolean isOnMachines = job.counts().onMachines() > 0;
        if (isOnMachines && !job.isListedOnMachines()) {
            onMachinesByPriority
                    .computeIfAbsent(job.header().priority(), priority -> new LinkedHashSet<>())
                    .add(job);
            job.listOnMachines(true);
        } else if (!isOnMachines) {
            unlistOnMachines(job);
        }
    }

    private void unlistOnMachines(JobRow job) {
        if (job.isListedOnMachines()) {
            Objects.requireNonNull(onMachinesByPriority.get(job.header().priority()))
                    .remove(job);
            job.listOnMachines(false);
        }
    }

    private void moved(JobRow job, long weightBefore) {
        digest.moved(key(job), weightBefore, weight(job));
    }

    /** The weight includes what was submitted, so that must be known. */
    private long weight(JobRow job) {
        return digest.isKept() ? job.weight() : 0;
    }

    private static long key(JobRow job) {
        return job.id().version();
    }
}
