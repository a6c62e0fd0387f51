package dev.cella.chaos;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checkers;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.List;

/**
 * A violation that is planted in each run's own evidence. If the checkers do not see it, the report proves nothing.
 */
final class Canary {
    private static final String CHECKER = "C1";

    private Canary() {}

    /** Returns whether the checker for over-commitment sees a task that holds more than any machine has. */
    static boolean isSeen(Evidence evidence) {
        Evidence planted = new Evidence(
                evidence.history(),
                evidence.replay().withSteps(planted(evidence.replay().steps())));
        return Checkers.all().stream()
                .filter(checker -> checker.number().equals(CHECKER))
                .map(checker -> checker.check(planted))
                .anyMatch(found -> !found.isEmpty());
    }

    private static List<Step> planted(List<Step> steps) {
        List<Step> others = new ArrayList<>(steps);
        for (int place = 0; place < others.size(); place++) {
            Step step = others.get(place);
            if (step.tasks().stream().anyMatch(task -> task.machine() >= 0)) {
                others.set(place, heavier(step));
                break;
            }
        }
        return others;
    }

    private static Step heavier(Step step) {
        List<TaskFact> tasks = step.tasks().stream()
                .map(task -> new TaskFact(
                        task.task(),
                        task.state(),
                        task.reason(),
                        task.attempt(),
                        task.machine(),
                        Amounts.of(Amounts.AMOUNT_MAX),
                        task.placement()))
                .toList();
        return new Step(
                step.version(),
                step.atNanos(),
                step.cellTimeMillis(),
                step.command(),
                step.result(),
                tasks,
                step.machines());
    }
}
