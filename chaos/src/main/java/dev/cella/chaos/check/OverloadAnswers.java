package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import java.util.List;

/**
 * C15: a refusal because of overload says when to try again, and queues keep their bounds. A lane that is empty takes a
 * command that is larger than its bound.
 */
final class OverloadAnswers implements Checker {
    private static final long ONE_COMMAND_BYTES = 2 << 20;

    @Override
    public String number() {
        return "C15";
    }

    @Override
    public String holds() {
        return "Overload is answered with a time to come again, and queues stay within their bounds.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().overloads.isEmpty()
                || !evidence.history().lanesFilled.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        for (History.Overload overload : evidence.history().overloads) {
            String at = Checker.time(overload.atNanos());
            found.unless(overload.saidRetryAfter(), at, "%s was not told when to come again", overload.client());
            found.unless(
                    overload.waitingBytes() <= overload.waitingBytesMax() + ONE_COMMAND_BYTES,
                    at,
                    "%d bytes wait where %d may",
                    overload.waitingBytes(),
                    overload.waitingBytesMax());
        }
        for (History.LaneFilled lane : evidence.history().lanesFilled) {
            found.unless(
                    lane.bytesBefore() == 0 || lane.bytes() <= lane.bytesMax(),
                    Checker.time(lane.atNanos()),
                    "%s took a command into the lane for %s: %d bytes wait where %d may",
                    lane.replica(),
                    lane.lane(),
                    lane.bytes(),
                    lane.bytesMax());
        }
        return found.all();
    }
}
