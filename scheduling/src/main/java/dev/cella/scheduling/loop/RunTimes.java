package dev.cella.scheduling.loop;

import dev.cella.scheduling.Observed;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobId;
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

    private final Map<JobId, Map<String, Finished>> byJob = new HashMap<>();
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
            Finished next =
                    bySubject.getOrDefault(subject, new Finished(0, 0, 0)).and(millis, ended);
            bySubject.put(subject, next);
            byJob.computeIfAbsent(task.id().job(), job -> new HashMap<>()).put(subject, next);
        }
    }

    /** The mean run time of a task of that group. The age is by the wall clock that reported the ends. */
    Optional<Observed> find(String subject) {
        return Optional.ofNullable(bySubject.get(subject))
                .map(finished -> new Observed(
                        finished.totalMillis / finished.count,
                        Math.max(0, wallTimeMillis.getAsLong() - finished.lastMillis)));
    }

    void forget(JobId job) {
        Optional.ofNullable(byJob.remove(job))
                .ifPresent(groups -> bySubject.keySet().removeAll(groups.keySet()));
    }
}
