package dev.cella.scheduling.loop;

import dev.cella.scheduling.Estimates;
import dev.cella.scheduling.Estimates.RunTime;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long the finished attempts of open jobs ran, by group. Owned by {@link SchedulerLoop}. */
final class RunTimes {
    private final Map<JobId, List<RunTime>> byJob = new HashMap<>();

    void finished(TaskRow task) {
        if (task.startedAtMillis().isPresent() && task.endedAtMillis().isPresent()) {
            long millis =
                    task.endedAtMillis().getAsLong() - task.startedAtMillis().getAsLong();
            List<RunTime> groups = byJob.computeIfAbsent(task.id().job(), job -> new ArrayList<>());
            while (groups.size() <= task.id().group()) {
                groups.add(RunTime.NONE);
            }
            groups.set(task.id().group(), groups.get(task.id().group()).and(Math.max(0, millis)));
        }
    }

    Estimates of(JobId job) {
        List<RunTime> groups = byJob.get(job);
        return groups == null ? Estimates.NONE : new Estimates(Map.of(job, List.copyOf(groups)));
    }

    void forget(JobId job) {
        byJob.remove(job);
    }
}
