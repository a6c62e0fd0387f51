package dev.cella.chaos.check;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checker.Violation;
import java.util.List;

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

    private Checkers() {}

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
