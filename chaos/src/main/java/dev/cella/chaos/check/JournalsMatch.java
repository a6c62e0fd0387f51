package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** C24: a join of the agents' journals and the log, by placement. */
final class JournalsMatch implements Checker {
    private record Placed(TaskId task, int attempt) {}

    @Override
    public String number() {
        return "C24";
    }

    @Override
    public String holds() {
        return "The agents' journals and the log agree on what ran, attempt by attempt.";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<PlacementId, Placed> placed = new HashMap<>();
        evidence.replay()
                .steps()
                .forEach(step -> step.tasks().forEach(task -> {
                    if (task.state() == TaskState.PLACED) {
                        task.placement().ifPresent(id -> placed.put(id, new Placed(task.task(), task.attempt())));
                    }
                }));
        Set<PlacementId> journal = new HashSet<>();
        for (History.ProcessStarted process : evidence.history().started) {
            found.unless(
                    journal.add(process.placement()),
                    Checker.time(process.atNanos()),
                    "%s ran placement %s a second time",
                    process.machine(),
                    process.placement());
            found.unless(
                    new Placed(process.task(), process.attempt()).equals(placed.get(process.placement())),
                    Checker.time(process.atNanos()),
                    "%s ran %s attempt %d, which the log did not place as %s",
                    process.machine(),
                    process.task(),
                    process.attempt(),
                    process.placement());
        }
        evidence.replay().steps().forEach(step -> ran(step, journal, found));
        return found.all();
    }

    private static void ran(Step step, Set<PlacementId> journal, Found found) {
        if (step.command().orElse(null) instanceof Command.ReportTask report
                && report.state() == TaskState.RUNNING
                && step.result() instanceof CommandResult.Done) {
            report.placement()
                    .ifPresent(id -> found.unless(
                            journal.contains(id),
                            Checker.version(step.version()),
                            "%s is reported running as %s, and no agent started it",
                            report.task(),
                            id));
        }
    }
}
