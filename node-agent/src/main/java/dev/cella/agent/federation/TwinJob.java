package dev.cella.agent.federation;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.HomeTask;
import dev.cella.agent.runner.HollowRunner;
import dev.cella.client.proto.Constraint;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Restart;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.Optional;

/**
 * The job of a member cell that runs one attempt of a home task. It has one task and one attempt, because the home decides
 * about restarts. Its name follows from the attempt, so that it is submitted once, whatever answers are lost.
 */
final class TwinJob {
    private static final String PLACEMENT_LABEL = "cella.home.placement";
    private static final String GROUP = "main";
    private static final int PLACEMENT_PARTS = 7;
    private static final int RADIX = 36;

    private TwinJob() {}

    /** The name of the twin of that attempt. Another history of the home has other names. */
    static String name(Incarnation home, long job, int group, int index, int attempt) {
        return "twin-" + Long.toUnsignedString(home.number(), RADIX) + "-" + job + "-" + group + "-" + index + "-"
                + attempt;
    }

    static String name(Incarnation home, Assignment assignment) {
        TaskId task = assignment.task();
        return name(home, task.job().version(), task.group(), task.index(), assignment.attempt());
    }

    /** The twin of an attempt of this job of the home. */
    static Job of(Incarnation home, Assignment assignment, HomeRun run) {
        Job job = run.job();
        Group group = run.group();
        HomeTask homeTask = new HomeTask(job.getName(), group.getName(), run.index(), assignment.attempt());
        return job.toBuilder()
                .setName(name(home, assignment))
                .setType(JobType.JOB_TYPE_BATCH)
                .putLabels(HomeTask.LABEL, homeTask.text())
                .putLabels(PLACEMENT_LABEL, text(home, assignment))
                .clearGroups()
                .addGroups(group(group, job.getType()))
                .build();
    }

    /**
     * Everything that concerns the other tasks of its group is the home's to decide. A twin never goes to a machine that is a
     * cell: it would travel in a circle.
     */
    private static Group group(Group group, JobType type) {
        Group.Builder twin = group.toBuilder()
                .setName(GROUP)
                .setCount(1)
                .setRestart(Restart.newBuilder().setAttempts(0))
                .clearRunningMax()
                .clearFailuresMax()
                .clearSpread()
                .clearDistinct()
                .clearTogether()
                .clearGang()
                .clearInputs()
                .clearLocality()
                .clearAfter()
                .clearUpdate()
                .addConstraints(Constraint.newBuilder()
                        .setAttribute(TwinRunner.CELL_ATTRIBUTE)
                        .setOperator("absent"));
        boolean saysRuntime = group.getRun().containsEnv(HollowRunner.RUNTIME_VARIABLE)
                || group.getRun().containsEnv(HollowRunner.RUNTIME_MEAN_VARIABLE);
        if (type == JobType.JOB_TYPE_SERVICE && !saysRuntime) {
            twin.getRunBuilder().putEnv(HollowRunner.RUNTIME_VARIABLE, Long.toString(HollowRunner.FOREVER_MILLIS));
        }
        return twin.build();
    }

    private static String text(Incarnation home, Assignment assignment) {
        TaskId task = assignment.task();
        PlacementId placement = assignment.placement();
        return home.number() + "/" + placement.version() + "/" + placement.ordinal() + "/"
                + task.job().version() + "/" + task.group() + "/" + task.index() + "/" + assignment.generation();
    }

    /** The specification of a job of the member cell, if it is a twin of a task of that home. */
    static Optional<Job> read(JobRow row, Incarnation home) {
        if (!row.name().startsWith("twin-")) {
            return Optional.empty();
        }
        try {
            Job job = Job.parseFrom(row.specification().bytes());
            return assignment(job, home).map(known -> job);
        } catch (InvalidProtocolBufferException unreadable) {
            return Optional.empty();
        }
    }

    /** The attempt whose twin the job is. */
    static Optional<Assignment> assignment(Job twin, Incarnation home) {
        String[] parts = twin.getLabelsOrDefault(PLACEMENT_LABEL, "").split("/", -1);
        Optional<HomeTask> task = HomeTask.parse(twin.getLabelsOrDefault(HomeTask.LABEL, ""));
        if (parts.length != PLACEMENT_PARTS || task.isEmpty() || !parts[0].equals(Long.toString(home.number()))) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Assignment(
                    new PlacementId(Long.parseLong(parts[1]), Integer.parseInt(parts[2])),
                    new TaskId(
                            new JobId(Long.parseLong(parts[3])),
                            Integer.parseInt(parts[4]),
                            Integer.parseInt(parts[5])),
                    task.get().attempt(),
                    Integer.parseInt(parts[6])));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
