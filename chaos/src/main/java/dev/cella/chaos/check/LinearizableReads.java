package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.chaos.history.UserCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** C7: a read shows every version that was acknowledged before the read was requested: prefix maximum. */
final class LinearizableReads implements Checker {
    @Override
    public String number() {
        return "C7";
    }

    @Override
    public String holds() {
        return "A linearizable read shows what was acknowledged before it.";
    }

    private record Acknowledged(long atNanos, long version) {}

    /** A read before the first answer may show anything. */
    @Override
    public boolean hasCases(Evidence evidence) {
        long first = acknowledged(evidence.history())
                .mapToLong(Acknowledged::atNanos)
                .min()
                .orElse(Long.MAX_VALUE);
        return evidence.history().reads.stream().anyMatch(read -> read.askedAtNanos() > first);
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        List<Acknowledged> answers = acknowledged(evidence.history())
                .sorted(Comparator.comparingLong(Acknowledged::atNanos))
                .toList();
        List<History.Read> reads = new ArrayList<>(evidence.history().reads);
        reads.sort(Comparator.comparingLong(History.Read::askedAtNanos));
        Found found = new Found();
        long acknowledged = 0;
        int place = 0;
        for (History.Read read : reads) {
            while (place < answers.size() && answers.get(place).atNanos() < read.askedAtNanos()) {
                acknowledged = Math.max(acknowledged, answers.get(place++).version());
            }
            found.unless(
                    read.version() >= acknowledged,
                    Checker.time(read.askedAtNanos()),
                    "%s read version %d after version %d had been acknowledged",
                    read.client(),
                    read.version(),
                    acknowledged);
        }
        return found.all();
    }

    private static Stream<Acknowledged> acknowledged(History history) {
        return Stream.concat(
                history.answered.stream()
                        .map(each -> new Acknowledged(
                                each.atNanos(), each.result().version().number())),
                history.userCalls.stream()
                        .filter(call -> call.answer() instanceof UserCall.Done)
                        .map(call -> (UserCall.Done) call.answer())
                        .map(told -> new Acknowledged(told.atNanos(), told.version())));
    }
}
