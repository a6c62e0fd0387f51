package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

    @Override
    public List<Violation> check(Evidence evidence) {
        List<History.Answered> answers = new ArrayList<>(evidence.history().answered);
        answers.sort(Comparator.comparingLong(History.Answered::atNanos));
        List<History.Read> reads = new ArrayList<>(evidence.history().reads);
        reads.sort(Comparator.comparingLong(History.Read::askedAtNanos));
        Found found = new Found();
        long acknowledged = 0;
        int place = 0;
        for (History.Read read : reads) {
            while (place < answers.size() && answers.get(place).atNanos() < read.askedAtNanos()) {
                acknowledged = Math.max(
                        acknowledged, answers.get(place++).result().version().number());
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
}
