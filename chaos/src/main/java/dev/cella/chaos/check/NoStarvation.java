package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * C20: no job stays without any task while its scheduler places many tasks of younger jobs that are no smaller and no more
 * important.
 */
final class NoStarvation implements Checker {
    private static final int PASSED_OVER_MAX = 50;

    @Override
    public String number() {
        return "C20";
    }

    @Override
    public String holds() {
        return "No job that fits is passed over by more than 50 tasks of younger, no smaller, no more important jobs.";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        CellView end = evidence.replay().end();
        Set<String> working = Placeable.workingSchedulers(evidence.history(), end);
        Map<JobId, JobHeader> headers = new HashMap<>();
        Map<JobId, Integer> passedOver = new HashMap<>();
        for (Step step : evidence.replay().steps()) {
            if (step.command().orElse(null) instanceof Command.SubmitJob submit
                    && Checker.created(step).isPresent()
                    && working.contains(submit.header().scheduler())
                    && !Placeable.needsMoreAtOnce(submit.header())) {
                JobId id = new JobId(step.version());
                headers.put(id, submit.header());
                passedOver.put(id, 0);
            } else if (step.command().orElse(null) instanceof Command.CommitTransaction commit
                    && step.result() instanceof CommandResult.Decided decided) {
                placed(commit.transaction(), decided, headers, passedOver);
            } else if (step.command().orElse(null) instanceof Command.StopJob stop) {
                passedOver.remove(stop.job());
            }
        }
        passedOver.forEach((id, tasks) -> {
            boolean lives = end.job(id).filter(job -> !isOver(job)).isPresent();
            found.unless(
                    !lives || tasks <= PASSED_OVER_MAX,
                    Checker.version(id.version()),
                    "job %s was passed over by %d tasks and got nothing",
                    id,
                    tasks);
        });
        return found.all();
    }

    private static boolean isOver(JobRow job) {
        return job.isEnded();
    }

    private static void placed(
            Transaction transaction,
            CommandResult.Decided decided,
            Map<JobId, JobHeader> headers,
            Map<JobId, Integer> passedOver) {
        Map<JobId, Set<Integer>> got = new HashMap<>();
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (claim < decided.outcome().items() && decided.outcome().isPlaced(claim)) {
                TaskId task = transaction.task(claim);
                got.computeIfAbsent(task.job(), job -> new HashSet<>()).add(task.group());
            }
        }
        passedOver.keySet().removeAll(got.keySet());
        got.forEach((lucky, groups) -> {
            JobHeader header = headers.get(lucky);
            if (header != null) {
                passedOver.replaceAll(
                        (id, tasks) -> tasks + (isPassedOver(id, headers.get(id), lucky, header, groups) ? 1 : 0));
            }
        });
    }

    private static boolean isPassedOver(
            JobId id, @Nullable JobHeader waiting, JobId lucky, JobHeader other, Set<Integer> placedGroups) {
        return waiting != null
                && id.version() < lucky.version()
                && waiting.scheduler().equals(other.scheduler())
                && waiting.pool().equals(other.pool())
                && waiting.priority() >= other.priority()
                && waiting.tasks() <= other.tasks()
                && placedGroups.stream()
                        .anyMatch(group ->
                                isNoLarger(waiting, other.groups().get(group).shape()));
    }

    /**
     * Returns whether a task of the job would have fitted where one of that shape was placed. Each of its groups counts, because
     * none of its tasks was ever placed.
     */
    private static boolean isNoLarger(JobHeader waiting, Amounts placed) {
        return waiting.groups().stream()
                .anyMatch(group -> IntStream.range(0, 2)
                        .allMatch(dimension -> group.shape().at(dimension) <= placed.at(dimension)));
    }
}
