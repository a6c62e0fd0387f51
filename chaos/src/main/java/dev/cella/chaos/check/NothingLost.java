package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** C4: every answer equals the log's result at its version, for the same command. */
final class NothingLost implements Checker {
    @Override
    public String number() {
        return "C4";
    }

    @Override
    public String holds() {
        return "No acknowledged command is lost, and every answer is what the log says.";
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<Long, Step> byVersion = new HashMap<>();
        evidence.replay().steps().forEach(step -> byVersion.put(step.version(), step));
        Map<Long, Command> asked = new HashMap<>();
        evidence.history().asked.forEach(each -> asked.put(each.number(), each.command()));
        for (History.Answered answered : evidence.history().answered) {
            Step step = byVersion.get(answered.result().version().number());
            String at = Checker.time(answered.atNanos());
            if (step == null) {
                found.add(
                        at,
                        "the log has no %s, which was answered",
                        Checker.version(answered.result().version().number()));
            } else {
                compare(at, answered, asked.get(answered.number()), step, found);
            }
        }
        return found.all();
    }

    private static void compare(String at, History.Answered answered, @Nullable Command asked, Step step, Found found) {
        if (step.result() instanceof CommandResult.Repeated) {
            return;
        }
        found.unless(
                step.result().equals(answered.result()),
                at,
                "answered %s, and the log says %s",
                answered.result(),
                step.result());
        if (asked instanceof Command.CommitTransaction commit
                && step.command().orElse(null) instanceof Command.CommitTransaction logged) {
            found.unless(
                    commit.transaction().id().equals(logged.transaction().id()),
                    at,
                    "the answer to %s is another transaction's",
                    commit.transaction().id());
        }
    }
}
