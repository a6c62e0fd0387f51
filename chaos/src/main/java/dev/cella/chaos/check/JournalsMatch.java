package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** C24: a join of the agents' journals and the log, by placement. A machine that lies has no journal. */
final class JournalsMatch implements Checker {
    private record Placed(TaskId task, int attempt, Optional<String> machine) {}

    @Override
    public String number() {
        return "C24";
    }

    @Override
    public String holds() {
        return "The agents' journals and the log agree on what ran, attempt by attempt.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().started.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<PlacementId, Placed> placed = new HashMap<>();
        Map<Integer, Optional<String>> machines = new HashMap<>();
        for (Step step : evidence.replay().steps()) {
            step.machines().forEach(machine -> machines.put(machine.slot(), machine.name()));
            step.tasks().stream()
                    .filter(task -> task.state() == TaskState.PLACED)
                    .forEach(task -> task.placement().ifPresent(id -> placed.put(id, placed(task, machines))));
        }
        Set<PlacementId> journal = new HashSet<>();
        for (History.ProcessStarted process : evidence.history().started) {
            found.unless(
                    journal.add(process.placement()),
                    Checker.time(process.atNanos()),
                    "%s ran placement %s a second time",
                    process.machine(),
                    process.placement());
            found.unless(
                    isPlaced(process, placed.get(process.placement())),
                    Checker.time(process.atNanos()),
                    "%s ran %s attempt %d, which the log did not place as %s",
                    process.machine(),
                    process.task(),
                    process.attempt(),
                    process.placement());
        }
        Set<PlacementId> known = new HashSet<>(journal);
        placed.forEach((id, place) -> {
            if (place.machine().filter(evidence.history().untrusted::contains).isPresent()) {
                known.add(id);
            }
        });
        evidence.replay().steps().forEach(step -> ran(step, known, found));
        return found.all();
    }

    private static Placed placed(TaskFact task, Map<Integer, Optional<String>> machines) {
        return new Placed(task.task(), task.attempt(), machines.getOrDefault(task.machine(), Optional.empty()));
    }

    private static boolean isPlaced(History.ProcessStarted process, @Nullable Placed placed) {
        return placed != null
                && placed.task().equals(process.task())
                && placed.attempt() == process.attempt()
                && placed.machine().equals(Optional.of(process.machine()));
    }

    private static void ran(Step step, Set<PlacementId> known, Found found) {
        if (step.command().orElse(null) instanceof Command.ReportTask report
                && report.state() == TaskState.RUNNING
                && step.result() instanceof CommandResult.Done) {
            report.placement()
                    .ifPresent(id -> found.unless(
                            known.contains(id),
                            Checker.version(step.version()),
                            "%s is reported running as %s, and no agent started it",
                            report.task(),
                            id));
        }
    }
}
