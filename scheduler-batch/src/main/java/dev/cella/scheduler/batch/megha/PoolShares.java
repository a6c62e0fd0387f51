package dev.cella.scheduler.batch.megha;

import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What each user has of all cells, and what it is due (IV-C). A user is a pool at the root, and is due its weight's part of the
 * cells among those that have jobs of this scheduler. It is asked only if a task finds no free machine: without contention
 * everybody may have everything.
 *
 * <p>Parts are of the dimension of which a user has most. A preemption leaves the one at its share or below, and the other at
 * its share or above, so that two users never take from each other in turns. Belongs to one plan.
 */
final class PoolShares {
    private final PlanningView home;
    private final long[] capacity;
    private final Map<String, long[]> used = new TreeMap<>();
    private final Map<String, Integer> weights = new HashMap<>();
    private final int allWeights;

    /**
     * The tasks of each user that lost one, by the version that placed them. They are read once: one plan may take the places of
     * many, and to read them takes as long as the user has tasks.
     */
    private final Map<String, NavigableMap<Long, List<TaskRow>>> victims = new HashMap<>();

    private final List<JobRow> jobs;
    private final JobUses uses;

    /**
     * Counts what each user has.
     *
     * @param home its machines are all cells, because a cell is a machine of the home
     * @param before from an earlier count
     */
    PoolShares(PlanningView home, JobUses before) {
        this.home = home;
        this.jobs = jobs(home);
        this.uses = before.of(home.view(), jobs);
        this.capacity = new long[home.view().dimensions().size()];
        home.slots().filter(home::isReady).forEach(slot -> {
            for (int dimension = 0; dimension < capacity.length; dimension++) {
                capacity[dimension] += home.view().capacity(slot, dimension);
            }
        });
        for (PoolRow pool : home.view().pools()) {
            weights.put(pool.path(), pool.policy().weight());
        }
        Set<JobId> withEnding = home.ending().stream().map(TaskId::job).collect(Collectors.toSet());
        jobs.forEach(job -> count(job, withEnding.contains(job.id())));
        this.allWeights = used.keySet().stream().mapToInt(this::weight).sum();
    }

    private static List<JobRow> jobs(PlanningView home) {
        return home.view().jobs().stream()
                .filter(job -> job.header().scheduler().equals(home.scheduler()) && !job.isEnded())
                .toList();
    }

    /** For the next count. */
    JobUses uses() {
        return uses;
    }

    /** What each user has, by dimension. */
    Map<String, long[]> used() {
        return used;
    }

    /** What the job has, with what this scheduler has claimed and does not see yet, and without what it ends. */
    private void count(JobRow job, boolean hasEnding) {
        String user = user(job.header());
        long[] sums = used.computeIfAbsent(user, none -> new long[capacity.length]);
        if (hasEnding) {
            home.tasksOf(job.id()).forEach(task -> uses(user, task.resources(), 1));
        } else {
            for (int dimension = 0; dimension < sums.length; dimension++) {
                sums[dimension] += uses.at(job.id(), dimension);
            }
        }
        for (GroupRow group : job.groups()) {
            uses(user, group.header().shape(), group.pending() - home.pending(group));
        }
    }

    private static String user(JobHeader job) {
        int slash = job.pool().indexOf('/');
        return slash < 0 ? job.pool() : job.pool().substring(0, slash);
    }

    private int weight(String user) {
        return weights.getOrDefault(user, 1);
    }

    private void uses(String user, Amounts amounts, int times) {
        long[] sums = used.computeIfAbsent(user, none -> new long[capacity.length]);
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            sums[dimension] += times * amounts.at(dimension);
        }
    }

    /** How far the user would be above its share, as a part of all cells, with that much more. Below zero, it is below it. */
    private double excess(String user, Amounts more, int times) {
        double most = 0;
        long[] sums = used.getOrDefault(user, new long[capacity.length]);
        for (int dimension = 0; dimension < capacity.length; dimension++) {
            long added = dimension < more.size() ? times * more.at(dimension) : 0;
            if (capacity[dimension] > 0) {
                most = Math.max(most, (double) (sums[dimension] + added) / capacity[dimension]);
            }
        }
        return most - (double) weight(user) / allWeights;
    }

    /**
     * The newest task of the user that is furthest above its share, if the group's user is below its own.
     *
     * @param mayMakeRoom whether the group may take that task's place
     */
    Optional<TaskRow> victimFor(PendingGroup group, JobHeader job, Predicate<TaskRow> mayMakeRoom) {
        String user = user(job);
        if (excess(user, group.shape(), 1) > 0) {
            return Optional.empty();
        }
        Optional<String> violator = used.keySet().stream()
                .filter(each -> excess(each, Amounts.NONE, 0) > 0)
                .max(Comparator.comparingDouble((String each) -> excess(each, Amounts.NONE, 0))
                        .thenComparing(Comparator.reverseOrder()));
        return violator.filter(each -> !each.equals(user))
                .flatMap(each -> newestFirst(each)
                        .filter(task -> excess(each, task.resources(), -1) >= 0 && mayMakeRoom.test(task))
                        .findFirst());
    }

    /** Those that came at one version are sorted only when it is their turn. */
    private Stream<TaskRow> newestFirst(String user) {
        return victims.computeIfAbsent(user, this::tasks).descendingMap().values().stream()
                .flatMap(together -> together.stream()
                        .sorted(Comparator.comparing(TaskRow::text).reversed()));
    }

    private NavigableMap<Long, List<TaskRow>> tasks(String user) {
        NavigableMap<Long, List<TaskRow>> tasks = new TreeMap<>();
        jobs.stream()
                .filter(job -> user(job.header()).equals(user))
                .flatMap(job -> home.tasksOf(job.id()).stream())
                .forEach(task -> tasks.computeIfAbsent(placedAt(task), version -> new ArrayList<>())
                        .add(task));
        return tasks;
    }

    private static long placedAt(TaskRow task) {
        return task.placement().map(placement -> placement.version()).orElse(0L);
    }

    /** A task of the group takes the victim's place. */
    void preempted(PendingGroup group, JobHeader job, TaskRow victim) {
        uses(user(job), group.shape(), 1);
        home.view().job(victim.id().job()).ifPresent(row -> loses(user(row.header()), victim));
    }

    private void loses(String user, TaskRow victim) {
        uses(user, victim.resources(), -1);
        NavigableMap<Long, List<TaskRow>> tasks = victims.getOrDefault(user, new TreeMap<>());
        tasks.getOrDefault(placedAt(victim), new ArrayList<>())
                .removeIf(task -> task.id().equals(victim.id()));
    }
}
