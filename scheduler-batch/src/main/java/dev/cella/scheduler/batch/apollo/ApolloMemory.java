package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.SharedMap;
import dev.cella.scheduling.JobKey;
import dev.cella.transactions.model.TaskId;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The memory of Apollo between plans: the estimates by which its tasks were sent to queues, and the rows that a view may not
 * show yet. The maps keep their order, because a plan must not depend on anything but its arguments.
 *
 * @param recent by the place of the cell, what the last plans sent, also rows that count no longer
 */
record ApolloMemory(SharedMap<JobKey, SentTasks> jobs, Map<Integer, RecentRows> recent) {
    static final ApolloMemory NOTHING = new ApolloMemory(SharedMap.of(Map.of()), Map.of());

    /**
     * The tasks of one job that were sent.
     *
     * @param waiting the tasks that wait in queues
     * @param averages by group, of all tasks that were ever sent
     * @param runSeconds by group, the last estimate of a run
     */
    record SentTasks(
            SharedMap<TaskId, SentTask> waiting, Map<Integer, AverageWait> averages, Map<Integer, Double> runSeconds) {
        static final SentTasks NONE = new SentTasks(SharedMap.of(Map.of()), Map.of(), Map.of());

        SentTasks {
            averages = ordered(averages);
            runSeconds = ordered(runSeconds);
        }

        /** The mean of the waits that were expected for the tasks of the group: of a stage. */
        double averageSeconds(int group) {
            AverageWait average = averages.get(group);
            return average == null ? 0 : average.seconds();
        }

        SentTasks and(List<SentTask> sent) {
            Map<TaskId, SentTask> more = new LinkedHashMap<>();
            Map<Integer, AverageWait> counted = new LinkedHashMap<>(averages);
            Map<Integer, Double> runs = new LinkedHashMap<>(runSeconds);
            for (SentTask each : sent) {
                more.put(each.task(), each);
                runs.put(each.task().group(), each.load().seconds());
                counted.merge(each.task().group(), new AverageWait(1, each.expectedSeconds()), AverageWait::plus);
            }
            return new SentTasks(waiting.with(more), counted, runs);
        }

        SentTasks only(Predicate<SentTask> which) {
            Map<TaskId, SentTask> kept = new LinkedHashMap<>();
            waiting.forEach((task, sent) -> {
                if (which.test(sent)) {
                    kept.put(task, sent);
                }
            });
            return kept.size() == waiting.size() ? this : new SentTasks(SharedMap.of(kept), averages, runSeconds);
        }
    }

    /** How many tasks were sent, and the sum of the waits that were expected for them. */
    record AverageWait(long tasks, double sumSeconds) {
        double seconds() {
            return sumSeconds / tasks;
        }

        AverageWait plus(AverageWait other) {
            return new AverageWait(tasks + other.tasks, sumSeconds + other.sumSeconds);
        }
    }

    ApolloMemory {
        recent = Map.copyOf(recent);
    }

    SentTasks of(JobKey job) {
        return jobs.getOrDefault(job, SentTasks.NONE);
    }

    /** The same with more tasks of the job, all of them in the queues that this plan asks for. */
    ApolloMemory and(JobKey job, List<SentTask> sent) {
        return adopting(job, sent).withRecent(job.cell(), recentIn(job.cell()).and(sent));
    }

    /** The same with tasks of the job that are in queues already. From now on it knows the job. */
    ApolloMemory adopting(JobKey job, List<SentTask> found) {
        return new ApolloMemory(jobs.with(job, of(job).and(found)), recent);
    }

    RecentRows recentIn(int cell) {
        return recent.getOrDefault(cell, RecentRows.NONE);
    }

    private ApolloMemory withRecent(int cell, RecentRows rows) {
        Map<Integer, RecentRows> others = new HashMap<>(recent);
        others.put(cell, rows);
        return new ApolloMemory(jobs, others);
    }

    /** The same without the cell's recent rows for which this says no. It looks at each of them. */
    ApolloMemory withRecent(int cell, Predicate<SentTask> which) {
        return withRecent(cell, recentIn(cell).only(which));
    }

    private static <K, V> Map<K, V> ordered(Map<K, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
