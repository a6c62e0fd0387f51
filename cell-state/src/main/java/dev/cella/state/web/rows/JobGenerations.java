package dev.cella.state.web.rows;

import dev.cella.client.job.TaskContent;
import dev.cella.client.proto.GenerationTasks;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * The generations of a job's tasks, and the progress of its update. A task of an older generation is outdated only if its
 * group describes it differently now; the replica keeps the specification of each generation. Belongs to one answer.
 */
public final class JobGenerations {
    /** A job that is updated every minute is not compared with all that it was. */
    private static final int LOOKED_AT = 20;

    private static final int OLD = 0;
    private static final int NEW_RUNNING = 1;

    private final BiFunction<JobId, Integer, Optional<Specification>> kept;
    private final CellView view;
    private final JobRow job;
    private final Map<Integer, Map<String, Long>> contents = new HashMap<>();
    private final TreeMap<Integer, GenerationTasks.Builder> counts = new TreeMap<>();
    private final Map<Integer, int[]> byGroup = new HashMap<>();
    private long outdated;

    private JobGenerations(BiFunction<JobId, Integer, Optional<Specification>> kept, CellView view, JobRow job) {
        this.kept = kept;
        this.view = view;
        this.job = job;
    }

    /**
     * The fields for the answer about one job.
     *
     * @param kept what each generation was submitted with
     */
    public static JobStatus of(BiFunction<JobId, Integer, Optional<Specification>> kept, CellView view, JobRow job) {
        JobGenerations generations = new JobGenerations(kept, view, job);
        JobStatus.Builder status = JobStatus.newBuilder().setOutdated(0);
        if (!job.isEnded()) {
            generations.count();
            generations.counts.values().forEach(status::addGenerations);
            status.setOutdated(generations.outdated);
            if (generations.awaitsPromotion()) {
                status.setAwaitsPromotion(true);
            }
        }
        generations.revertedTo().ifPresent(status::setRevertedTo);
        if (!job.isEnded() && !job.isStopped()) {
            previous(kept, job).ifPresent(status::setRevertsTo);
        }
        return status.build();
    }

    /**
     * The newest earlier generation that differs from this one, if there is any; it may be no longer kept. A promotion changes
     * the canaries only, so it is skipped.
     */
    public static Optional<Integer> previous(BiFunction<JobId, Integer, Optional<Specification>> kept, JobRow job) {
        Job now = withoutCanaries(JobRows.specification(job.specification()));
        int generation = job.generation() - 1;
        while (generation > 0
                && kept.apply(job.id(), generation)
                        .map(JobRows::specification)
                        .filter(before -> withoutCanaries(before).equals(now))
                        .isPresent()) {
            generation--;
        }
        return Optional.of(generation).filter(found -> found > 0);
    }

    /** The same job without canaries: those that run are what the others become. */
    public static Job withoutCanaries(Job job) {
        Job.Builder without = job.toBuilder();
        for (Group.Builder group : without.getGroupsBuilderList()) {
            if (group.hasUpdate()) {
                group.getUpdateBuilder().setCanary(0);
            }
        }
        return without.build();
    }

    private void count() {
        for (GroupRow group : job.groups()) {
            int[] ofGroup = byGroup.computeIfAbsent(group.place(), place -> new int[2]);
            for (int index = 0; index < group.header().count(); index++) {
                if (view.taskState(group, index).isOnMachine()) {
                    count(view.task(group, index), ofGroup);
                }
            }
        }
    }

    private void count(TaskRow task, int[] ofGroup) {
        boolean isOld = task.generation() < job.generation() && isOther(task);
        boolean runs = task.state() == TaskState.RUNNING;
        GenerationTasks.Builder count = counts.computeIfAbsent(
                task.generation(), generation -> GenerationTasks.newBuilder().setGeneration(generation));
        count.setTasks(count.getTasks() + 1).setRunning(count.getRunning() + (runs ? 1 : 0));
        outdated += isOld ? 1 : 0;
        ofGroup[OLD] += isOld ? 1 : 0;
        ofGroup[NEW_RUNNING] += !isOld && runs ? 1 : 0;
    }

    /** A generation that is not kept is another one. */
    private boolean isOther(TaskRow task) {
        Long then = contents(task.generation()).get(task.groupName());
        return then == null || !then.equals(contents(job.generation()).get(task.groupName()));
    }

    private Map<String, Long> contents(int generation) {
        return contents.computeIfAbsent(generation, this::read);
    }

    private Map<String, Long> read(int generation) {
        Map<String, Long> read = new HashMap<>();
        Optional<Specification> specification =
                generation == job.generation() ? Optional.of(job.specification()) : kept.apply(job.id(), generation);
        specification
                .map(JobRows::specification)
                .ifPresent(said ->
                        said.getGroupsList().forEach(group -> read.put(group.getName(), TaskContent.of(group))));
        return read;
    }

    /** Returns whether a group has its canaries running, and tasks that wait for their success. */
    private boolean awaitsPromotion() {
        if (outdated == 0) {
            return false;
        }
        for (Group group : JobRows.specification(job.specification()).getGroupsList()) {
            int[] counted = byGroup.get(job.header().findGroup(group.getName()));
            int canary = group.getUpdate().getCanary();
            if (canary > 0 && counted != null && counted[OLD] > 0 && counted[NEW_RUNNING] >= canary) {
                return true;
            }
        }
        return false;
    }

    /** Going back is an update to what there was: the newest generation before the last one that was the same. */
    private Optional<Integer> revertedTo() {
        int first = Math.max(1, job.generation() - LOOKED_AT);
        for (int generation = job.generation() - 2; generation >= first; generation--) {
            if (kept.apply(job.id(), generation)
                    .filter(job.specification()::equals)
                    .isPresent()) {
                return Optional.of(generation);
            }
        }
        return Optional.empty();
    }
}
