package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.TransactionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** C5: of the repetitions of one transaction, one is decided and the others name it. */
final class ExactlyOnce implements Checker {
    @Override
    public String number() {
        return "C5";
    }

    @Override
    public String holds() {
        return "A transaction is decided once, however often it is sent.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream().anyMatch(step -> step.result() instanceof CommandResult.Decided);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<TransactionId, Long> decided = new HashMap<>();
        for (Step step : evidence.replay().steps()) {
            if (!(step.command().orElse(null) instanceof Command.CommitTransaction commit)) {
                continue;
            }
            TransactionId id = commit.transaction().id();
            String at = Checker.version(step.version());
            if (step.result() instanceof CommandResult.Decided once && once.isKept()) {
                Long before = decided.put(id, step.version());
                found.unless(before == null, at, "%s was decided before, as version %s", id, before);
            } else if (step.result() instanceof CommandResult.Repeated again) {
                Long first = decided.get(id);
                found.unless(
                        first != null && first == again.first().number(),
                        at,
                        "%s is answered with version %s, and was decided as %s",
                        id,
                        again.first(),
                        String.valueOf(first));
            }
        }
        return found.all();
    }
}
