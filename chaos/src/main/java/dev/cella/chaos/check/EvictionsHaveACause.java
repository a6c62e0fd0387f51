package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Optional;

/** C22: a task that is preempted was evicted by a transaction, and the claim it was for was accepted. */
final class EvictionsHaveACause implements Checker {
    @Override
    public String number() {
        return "C22";
    }

    @Override
    public String holds() {
        return "No task is evicted without the accepted claim that it was for, or the one who asked for it.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream()
                .flatMap(step -> step.tasks().stream())
                .anyMatch(EvictionsHaveACause::isEvicted);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        for (Step step : evidence.replay().steps()) {
            for (TaskFact task : step.tasks()) {
                if (isEvicted(task)) {
                    Optional<String> problem = problem(step, task);
                    problem.ifPresent(what -> found.add(Checker.version(step.version()), "%s %s", task.task(), what));
                }
            }
        }
        return found.all();
    }

    private static boolean isEvicted(TaskFact task) {
        return task.state() == TaskState.STOPPING && task.reason() == TaskReason.PREEMPTED;
    }

    private static Optional<String> problem(Step step, TaskFact victim) {
        if (!(step.command().orElse(null) instanceof Command.CommitTransaction commit)
                || !(step.result() instanceof CommandResult.Decided decided)) {
            return Optional.of("was evicted by no transaction");
        }
        Transaction transaction = commit.transaction();
        Outcome outcome = decided.outcome();
        for (int place = 0; place < transaction.evictions().size(); place++) {
            boolean isIt = transaction.evictions().get(place).task().equals(victim.task());
            if (isIt && outcome.isAccepted(transaction.claims() + place)) {
                int claim = transaction.evictions().get(place).forClaim().orElse(-1);
                return claim < 0 || outcome.isAccepted(claim)
                        ? Optional.empty()
                        : Optional.of("was evicted for a claim that was refused");
            }
        }
        return Optional.of("was evicted, and its transaction did not ask for it");
    }
}
