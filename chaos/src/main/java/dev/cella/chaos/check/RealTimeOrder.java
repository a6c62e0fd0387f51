package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.UserCall;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.TransactionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * C6: a command that was requested after the answer to another has a later version: one backward pass over minimum times.
 */
final class RealTimeOrder implements Checker {
    @Override
    public String number() {
        return "C6";
    }

    @Override
    public String holds() {
        return "A command that is asked after another was answered comes after it in the log.";
    }

    private record Interval(long version, long askedAt, long answeredAt) {}

    /** One command has no order. */
    @Override
    public boolean hasCases(Evidence evidence) {
        return intervals(evidence.history()).limit(2).count() == 2;
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Interval> intervals = intervals(evidence.history())
                .sorted((one, other) -> Long.compare(other.version(), one.version()))
                .toList();
        Found found = new Found();
        long earliestAnswer = Long.MAX_VALUE;
        for (Interval each : intervals) {
            found.unless(
                    each.askedAt() <= earliestAnswer,
                    Checker.time(each.askedAt()),
                    "version %d was asked for after a later version had been answered",
                    each.version());
            earliestAnswer = Math.min(earliestAnswer, each.answeredAt());
        }
        return found.all();
    }

    private static Stream<Interval> intervals(History history) {
        Map<Long, Long> askedAt = askedAt(history);
        return Stream.concat(
                history.answered.stream()
                        .filter(each -> askedAt.containsKey(each.number()))
                        .map(each -> interval(each, askedAt)),
                history.userCalls.stream()
                        .filter(each -> each.answer() instanceof UserCall.Done)
                        .map(each -> interval(each, (UserCall.Done) each.answer())));
    }

    /** A repeated transaction counts from the time of its first sending, because it has its first answer. */
    private static Map<Long, Long> askedAt(History history) {
        Map<Long, Long> askedAt = new HashMap<>();
        Map<TransactionId, Long> first = new HashMap<>();
        for (History.Asked each : history.asked) {
            long at = each.atNanos();
            if (each.command() instanceof Command.CommitTransaction commit) {
                at = first.computeIfAbsent(commit.transaction().id(), id -> each.atNanos());
            }
            askedAt.put(each.number(), at);
        }
        return askedAt;
    }

    private static Interval interval(History.Answered answered, Map<Long, Long> askedAt) {
        return new Interval(
                answered.result().version().number(), askedAt.getOrDefault(answered.number(), 0L), answered.atNanos());
    }

    private static Interval interval(UserCall call, UserCall.Done told) {
        return new Interval(told.version(), call.askedAtNanos(), told.atNanos());
    }
}
