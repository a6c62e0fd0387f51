package dev.cella.scheduling;

import dev.cella.transactions.model.JobId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What was observed that a planner may reckon with: how long finished tasks of the jobs at hand ran. */
public record Estimates(Map<JobId, List<RunTime>> runTimes) {
    public static final Estimates NONE = new Estimates(Map.of());

    /** How many attempts of a group finished, and how long they ran altogether. */
    public record RunTime(int finished, long totalMillis) {
        public static final RunTime NONE = new RunTime(0, 0);

        /** One more attempt finished. */
        public RunTime and(long millis) {
            return new RunTime(finished + 1, totalMillis + millis);
        }
    }

    public Estimates {
        runTimes = Map.copyOf(runTimes);
    }

    /** How long a task of the group runs in the mean, if any has finished. */
    public OptionalLong runMillisMean(JobId job, int group) {
        List<RunTime> groups = runTimes.getOrDefault(job, List.of());
        if (group >= groups.size() || groups.get(group).finished() == 0) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                groups.get(group).totalMillis() / groups.get(group).finished());
    }
}
