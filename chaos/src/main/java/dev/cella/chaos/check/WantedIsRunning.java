package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * C17: at the end no task waits that a working scheduler has had time to place, no task was preempted long ago and has not
 * become pending again, and nobody has to be told any more to stop.
 */
final class WantedIsRunning implements Checker {
    /** A task that is preempted again and again rests for up to 10 s each time. */
    private static final long REST_NANOS_MAX = 20_000_000_000L;

    /** For the way of a change to a scheduler, and of a transaction back. */
    private static final long DELIVERY_NANOS = 1_000_000_000L;

    @Override
    public String number() {
        return "C17";
    }

    @Override
    public String holds() {
        return "At the end everything is placed that is wanted and has had room for a turn of each job of its scheduler and"
                + " 1 s, preempted tasks too, and the rest has been told to stop.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream()
                .anyMatch(step -> Checker.created(step).isPresent());
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        CellView end = evidence.replay().end();
        Set<String> working = Placeable.workingSchedulers(evidence.history(), end);
        checkPreempted(evidence, working, found);
        for (JobRow job : end.jobs()) {
            job.groups().forEach(group -> checkStopped(end, job, group, found));
        }
        new TreeSet<>(working).forEach(scheduler -> checkPlaced(evidence, scheduler, found));
        return found.all();
    }

    private static void checkPlaced(Evidence evidence, String scheduler, Found found) {
        List<JobRow> open = evidence.replay().end().jobs().stream()
                .filter(job -> !job.isEnded() && job.header().scheduler().equals(scheduler))
                .toList();
        RoomUntilTheEnd room = new RoomUntilTheEnd(
                evidence.replay(), evidence.history().endedAtNanos() - timeNanos(evidence, scheduler, open.size()));
        for (JobRow job : open) {
            if (Placeable.needsMoreAtOnce(job.header())) {
                continue;
            }
            for (GroupRow group : job.groups()) {
                room.firstWaiting(job, group)
                        .ifPresent(waiting -> found.add(
                                "the end",
                                "%s/%s/%d waits for scheduler %s, and there is room",
                                job.name(),
                                group.header().name(),
                                waiting,
                                scheduler));
            }
        }
    }

    /**
     * A scheduler decides one job at a time, and room wakes all jobs that it could help: the last of them has its turn after
     * all others. Preempted tasks come back until the end, and evict others, so room may appear at any moment.
     */
    private static long timeNanos(Evidence evidence, String scheduler, int openJobs) {
        long turnMillis = evidence.history().decisionMillis.getOrDefault(scheduler, 0L);
        return DELIVERY_NANOS + openJobs * turnMillis * 1_000_000;
    }

    private static void checkPreempted(Evidence evidence, Set<String> working, Found found) {
        long endedAt = evidence.history().endedAtNanos();
        CellView end = evidence.replay().end();
        restingSince(evidence.replay()).forEach((task, since) -> {
            boolean rests = end.job(task.job())
                    .filter(job -> !job.isStopped()
                            && !job.isEnded()
                            && working.contains(job.header().scheduler())
                            && task.index() < job.group(task.group()).header().count()
                            && !waitsForAnother(job.group(task.group()), end))
                    .isPresent();
            found.unless(
                    !rests || endedAt - since <= REST_NANOS_MAX,
                    "the end",
                    "%s was preempted at %s and has not become pending again",
                    task,
                    Checker.time(since));
        });
    }

    /** A gang that runs again as a whole waits for each task that must not run before its machine is known to be gone. */
    private static boolean waitsForAnother(GroupRow group, CellView end) {
        return group.header().restartsAll()
                && IntStream.range(0, group.header().count())
                        .anyMatch(index ->
                                end.waitsForMachine(new TaskId(group.job().id(), group.place(), index)));
    }

    /** The tasks that are preempted at the end, and since when. */
    private static Map<TaskId, Long> restingSince(Replay replay) {
        Map<TaskId, Long> since = new LinkedHashMap<>();
        for (Replay.Step step : replay.steps()) {
            for (Replay.TaskFact task : step.tasks()) {
                if (task.state() == TaskState.PREEMPTED) {
                    since.putIfAbsent(task.task(), step.atNanos());
                } else {
                    since.remove(task.task());
                }
            }
        }
        return since;
    }

    /** Tasks of stopped jobs, and those that a group has more than its count. */
    private static void checkStopped(CellView end, JobRow job, GroupRow group, Found found) {
        int wanted = job.isStopped() ? 0 : group.header().count();
        for (int index = wanted; index < group.rowsEnd(); index++) {
            TaskState state = end.taskState(group, index);
            found.unless(
                    state != TaskState.PLACED && state != TaskState.RUNNING,
                    "the end",
                    "%s/%s/%d is %s, and nobody wants it any more",
                    job.name(),
                    group.header().name(),
                    index,
                    state);
        }
    }
}
