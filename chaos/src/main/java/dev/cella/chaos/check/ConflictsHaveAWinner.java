package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** C23: a conflict names a transaction that was decided before and had at least one accepted item. */
final class ConflictsHaveAWinner implements Checker {
    @Override
    public String number() {
        return "C23";
    }

    @Override
    public String holds() {
        return "Every conflict names a winner that really was earlier and really got something.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.replay().steps().stream()
                .anyMatch(step -> step.result() instanceof CommandResult.Decided decided
                        && decided.outcome().results().stream().anyMatch(ItemResult::conflict));
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<Long, Step> decided = new HashMap<>();
        for (Step step : evidence.replay().steps()) {
            if (step.result() instanceof CommandResult.Decided now) {
                for (ItemResult item : now.outcome().results()) {
                    if (item.conflict()) {
                        check(step, item, decided, found);
                    }
                }
                decided.put(step.version(), step);
            }
        }
        return found.all();
    }

    private static void check(Step step, ItemResult item, Map<Long, Step> decided, Found found) {
        String at = Checker.version(step.version());
        if (item.winner().isEmpty()) {
            found.add(at, "a conflict (%s) names no winner", item.reason());
            return;
        }
        Origin winner = item.winner().get();
        Step won = decided.get(winner.version());
        if (won == null
                || !(won.command().orElse(null) instanceof Command.CommitTransaction commit)
                || !commit.transaction().id().equals(winner.transaction())) {
            found.add(at, "the winner %s was not decided as version %d", winner.transaction(), winner.version());
        } else {
            boolean got = ((CommandResult.Decided) won.result())
                    .outcome().results().stream().anyMatch(ItemResult::accepted);
            found.unless(got, at, "the winner %s got nothing", winner.transaction());
        }
    }
}
