package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * C2: the answer to a transaction is exactly what the change stream shows of it, and all or nothing if it asked for that.
 */
final class AtomicTransactions implements Checker {
    @Override
    public String number() {
        return "C2";
    }

    @Override
    public String holds() {
        return "All-or-nothing is atomic, and a transaction applied exactly what it answered.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream().anyMatch(step -> step.result() instanceof CommandResult.Decided);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        for (Step step : evidence.replay().steps()) {
            if (step.result() instanceof CommandResult.Decided decided
                    && step.command().orElse(null) instanceof Command.CommitTransaction commit) {
                check(step, commit.transaction(), decided.outcome(), found);
            }
        }
        return found.all();
    }

    private static void check(Step step, Transaction transaction, Outcome outcome, Found found) {
        String at = Checker.version(step.version());
        if (transaction.atomicity() == Atomicity.ALL_OR_NOTHING) {
            boolean whole = outcome.accepted() == 0 || outcome.accepted() == transaction.claims();
            found.unless(
                    whole,
                    at,
                    "%s is all or nothing, and %d of %d claims were accepted",
                    transaction.id(),
                    outcome.accepted(),
                    transaction.claims());
        }
        Set<TaskId> placed = new HashSet<>();
        Map<TaskId, TaskFact> facts = new HashMap<>();
        step.tasks().forEach(task -> facts.put(task.task(), task));
        int accepted = 0;
        for (int claim = 0; claim < transaction.claims() && claim < outcome.items(); claim++) {
            if (outcome.isPlaced(claim)) {
                accepted++;
                if (transaction.kind(claim) != ClaimKind.QUEUE) {
                    placed.add(transaction.task(claim));
                    applied(at, transaction, outcome, claim, facts.get(transaction.task(claim)), found);
                }
            }
        }
        found.unless(accepted == outcome.accepted(), at, "%s counts its accepted claims wrong", transaction.id());
        for (TaskFact task : step.tasks()) {
            boolean isNew = task.state() == TaskState.PLACED
                    && task.placement()
                            .filter(id -> id.version() == step.version())
                            .isPresent();
            found.unless(
                    !isNew || placed.contains(task.task()),
                    at,
                    "%s placed %s and did not say so",
                    transaction.id(),
                    task.task());
        }
    }

    private static void applied(
            String at, Transaction transaction, Outcome outcome, int claim, @Nullable TaskFact fact, Found found) {
        boolean isThere = fact != null && fact.machine() == outcome.slot(claim);
        found.unless(isThere, at, "%s said that it placed %s and did not", transaction.id(), transaction.task(claim));
    }
}
