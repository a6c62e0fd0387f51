package dev.cella.chaos.check;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checker.Violation;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All checkers that read one history. C18 compares two runs and is made by {@link Twin}. */
public final class Checkers {
    /**
     * What one checker said.
     *
     * @param judged whether the run had any case of it
     */
    public record Verdict(String checker, String holds, boolean judged, List<Violation> violations) {
        public Verdict(String checker, String holds, List<Violation> violations) {
            this(checker, holds, true, violations);
        }

        public boolean held() {
            return violations.isEmpty();
        }
    }

    /** A checker, for people. */
    public record Named(String number, String holds) {}

    private Checkers() {}

    /** All of them, in the order of their numbers. */
    public static List<Named> catalogue() {
        return Stream.concat(
                        all().stream().map(each -> new Named(each.number(), each.holds())),
                        Stream.of(new Named(Twin.NUMBER, Twin.HOLDS)))
                .sorted(Comparator.comparingInt(
                        named -> Integer.parseInt(named.number().substring(1))))
                .toList();
    }

    /** Those that read one history. */
    public static List<Checker> all() {
        return List.of(
                new NoOverCommit(),
                new AtomicTransactions(),
                new RightVerdicts(),
                new NothingLost(),
                new ExactlyOnce(),
                new RealTimeOrder(),
                new LinearizableReads(),
                new SameState(),
                new WholeFeed(),
                new Fencing(),
                new AgentsAgree(),
                new NeverTwice(),
                new Liveness(),
                new NoLivelock(),
                new OverloadAnswers(),
                new SameReplay(),
                new WantedIsRunning(),
                new WorkConservation(),
                new NoStarvation(),
                new SharesKept(),
                new EvictionsHaveACause(),
                new ConflictsHaveAWinner(),
                new JournalsMatch());
    }

    public static List<Verdict> check(Evidence evidence) {
        return all().stream()
                .map(checker -> new Verdict(
                        checker.number(), checker.holds(), checker.hasCases(evidence), checker.check(evidence)))
                .toList();
    }
}
