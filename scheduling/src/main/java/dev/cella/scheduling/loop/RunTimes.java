package dev.cella.scheduling.loop;

import dev.cella.scheduling.Observed;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The run times of finished attempts of open jobs of one cell, by group. Owned by {@link SchedulerLoop}. */
final class RunTimes {
    /** For one group: how many attempts finished, their total run time, and when the last one ended. */
    private record Finished(int count, long totalMillis, long lastMillis) {
        Finished and(long millis, long endedMillis) {
            return new Finished(count + 1, totalMillis + millis, Math.max(lastMillis, endedMillis));
        }
    }

    private static final int[] NONE = {};

    /** The newest attempt of each task that counts, by job and group: a view that is read again shows it once more. */
    private final Map<JobId, Map<String, int[]>> counted = new HashMap<>();

    private final Map<String, Finished> bySubject = new HashMap<>();
    private final LongSupplier wallTimeMillis;

    /** @param wallTimeMillis the time by the clock that reports the ends */
    RunTimes(LongSupplier wallTimeMillis) {
        this.wallTimeMillis = wallTimeMillis;
    }

    /** The same at this moment, for another thread to read. */
    RunTimes copy() {
        long now = wallTimeMillis.getAsLong();
        RunTimes copy = new RunTimes(() -> now);
        copy.bySubject.putAll(bySubject);
        return copy;
    }

    void finished(TaskRow task) {
        if (task.startedAtMillis().isPresent() && task.endedAtMillis().isPresent()) {
            long ended = task.endedAtMillis().getAsLong();
            long millis = Math.max(0, ended - task.startedAtMillis().getAsLong());
            String subject = task.jobName() + "/" + task.groupName();
            if (isNew(task, subject)) {
                bySubject.put(
                        subject,
                        bySubject.getOrDefault(subject, new Finished(0, 0, 0)).and(millis, ended));
            }
        }
    }

    private boolean isNew(TaskRow task, String subject) {
        Map<String, int[]> groups = counted.computeIfAbsent(task.id().job(), job -> new HashMap<>());
        int index = task.id().index();
        int[] attempts = groups.getOrDefault(subject, NONE);
        if (index >= attempts.length) {
            attempts = Arrays.copyOf(attempts, Math.max(index + 1, 2 * attempts.length));
            groups.put(subject, attempts);
        }
        boolean isNew = task.attempt() > attempts[index];
        attempts[index] = Math.max(attempts[index], task.attempt());
        return isNew;
    }

    /** The mean run time of a task of that group. The age is by the wall clock that reported the ends. */
    Optional<Observed> find(String subject) {
        return Optional.ofNullable(bySubject.get(subject))
                .map(finished -> new Observed(
                        finished.totalMillis / finished.count,
                        Math.max(0, wallTimeMillis.getAsLong() - finished.lastMillis)));
    }

    void forget(JobId job) {
        Optional.ofNullable(counted.remove(job))
                .ifPresent(groups -> bySubject.keySet().removeAll(groups.keySet()));
    }
}
