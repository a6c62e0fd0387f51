package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** C9: each reader's steps join: it continues exactly where it was, or takes a snapshot. */
final class WholeFeed implements Checker {
    @Override
    public String number() {
        return "C9";
    }

    @Override
    public String holds() {
        return "The feed is ordered, without gaps and repetitions, and shows whole entries.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().feedSteps.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<String, Long> at = new HashMap<>();
        for (History.FeedStep step : evidence.history().feedSteps) {
            String when = Checker.time(step.atNanos());
            if (!step.replaced()) {
                long before = at.getOrDefault(step.reader(), 0L);
                found.unless(
                        step.fromVersion() == before,
                        when,
                        "%s was at version %d and went on from %d",
                        step.reader(),
                        before,
                        step.fromVersion());
                found.unless(step.toVersion() > step.fromVersion(), when, "%s was given nothing new", step.reader());
            }
            found.unless(
                    evidence.replay().digestAt(step.toVersion()).isPresent() || step.toVersion() == 0,
                    when,
                    "%s saw version %d, which lies inside an entry or is in no log",
                    step.reader(),
                    step.toVersion());
            at.put(step.reader(), step.toVersion());
        }
        return found.all();
    }
}
