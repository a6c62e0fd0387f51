package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** C10: once a session is fenced or closed, no transaction of it has an effect. */
final class Fencing implements Checker {
    @Override
    public String number() {
        return "C10";
    }

    @Override
    public String holds() {
        return "No call has an effect without the right to it, and no session after a newer one or after its end.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().trespasses.isEmpty()
                || evidence.replay().steps().stream()
                        .anyMatch(step -> step.command().orElse(null) instanceof Command.CommitTransaction commit
                                && commit.transaction().sessionVersion() > 0);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        evidence.history()
                .trespasses
                .forEach(each -> found.add(
                        Checker.time(each.atNanos()), "%s had no right to it, and %s", each.client(), each.what()));
        Set<Long> open = new HashSet<>();
        Map<String, Long> current = new HashMap<>();
        for (Step step : evidence.replay().steps()) {
            Command command = step.command().orElse(null);
            if (command instanceof Command.OpenSession opening && step.result() instanceof CommandResult.Done done) {
                Long before = current.put(opening.scheduler() + "/" + opening.instance(), done.identity());
                if (before != null && before != done.identity()) {
                    open.remove(before);
                }
                open.add(done.identity());
            } else if (command instanceof Command.CloseSession closing && step.result() instanceof CommandResult.Done) {
                open.remove(closing.session().version());
            } else if (command instanceof Command.CommitTransaction commit
                    && step.result() instanceof CommandResult.Decided decided
                    && decided.outcome().accepted() > 0) {
                long session = commit.transaction().sessionVersion();
                found.unless(
                        session == 0 || open.contains(session),
                        Checker.version(step.version()),
                        "%s was accepted for session %d, which had ended",
                        commit.transaction().id(),
                        session);
            }
        }
        return found.all();
    }
}
