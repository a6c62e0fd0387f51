package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.UserCall;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.TransactionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** C13: timers from the moment at which the core was healed. */
final class Liveness implements Checker {
    private static final long SECOND = 1_000_000_000;
    private static final long LEADER_NANOS = 10 * SECOND;
    private static final long ANSWER_NANOS = 10 * SECOND;

    @Override
    public String number() {
        return "C13";
    }

    @Override
    public String holds() {
        return "Within 10 s after the core is healed there is a leader, and every transaction and every user is answered.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return evidence.history().healedAtNanos().isPresent();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        History history = evidence.history();
        history.healedAtNanos().ifPresent(healed -> {
            leader(history, healed, found);
            answers(history, healed, found);
            history.userCalls.forEach(call -> answered(history, call, healed, found));
        });
        return found.all();
    }

    private static void leader(History history, long healed, Found found) {
        for (History.Leaderless without : history.leaderless) {
            found.unless(
                    without.untilNanos() <= healed + LEADER_NANOS,
                    Checker.time(without.fromNanos()),
                    "no leader served until %s",
                    Checker.time(without.untilNanos()));
        }
    }

    private static void answers(History history, long healed, Found found) {
        Map<TransactionId, Long> open = new HashMap<>();
        Set<Long> answered = new HashSet<>();
        history.answered.forEach(each -> answered.add(each.number()));
        Set<TransactionId> done = new HashSet<>();
        for (History.Asked asked : history.asked) {
            if (asked.command() instanceof Command.CommitTransaction commit) {
                TransactionId id = commit.transaction().id();
                if (answered.contains(asked.number())) {
                    done.add(id);
                } else if (asked.atNanos() >= healed && !isBroken(history, asked.client())) {
                    open.putIfAbsent(id, asked.atNanos());
                }
            }
        }
        open.keySet().removeAll(done);
        open.forEach((id, at) -> found.unless(
                at + ANSWER_NANOS > history.endedAtNanos(), Checker.time(at), "%s was never answered", id));
    }

    /** A user repeats a call until it is answered, also one from before the healing. */
    private static void answered(History history, UserCall call, long healed, Found found) {
        if (call.answer() instanceof UserCall.Failed failed) {
            found.unless(
                    failed.atNanos() < healed,
                    Checker.time(failed.atNanos()),
                    "a server failed inside at %s of %s: %s",
                    call.order().words(),
                    call.job(),
                    failed.problem());
        } else if (call.answer() instanceof UserCall.Unanswered) {
            long at = Math.max(call.askedAtNanos(), healed);
            found.unless(
                    at + ANSWER_NANOS > history.endedAtNanos(),
                    Checker.time(at),
                    "%s of %s was never answered",
                    call.order().words(),
                    call.job());
        }
    }

    private static boolean isBroken(History history, String client) {
        return history.broken.stream().anyMatch(broken -> client.contains("-" + broken + "-"));
    }
}
