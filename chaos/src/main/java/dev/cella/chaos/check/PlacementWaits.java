package dev.cella.chaos.check;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long jobs waited for their first placement. */
public final class PlacementWaits {
    /** A job that was placed for the first time, and the time since it was submitted. */
    public record Wait(long placedAtNanos, long waitedNanos) {}

    private PlacementWaits() {}

    /** All of them, in the order of the log. */
    public static List<Wait> of(Evidence evidence) {
        Map<JobId, Long> submitted = new HashMap<>();
        List<Wait> waits = new ArrayList<>();
        for (Step step : evidence.replay().steps()) {
            if (Checker.created(step).isPresent()) {
                submitted.put(new JobId(step.version()), step.atNanos());
            } else if (step.result() instanceof CommandResult.Decided) {
                for (var task : step.tasks()) {
                    Long at = submitted.remove(task.task().job());
                    if (at != null) {
                        waits.add(new Wait(step.atNanos(), step.atNanos() - at));
                    }
                }
            }
        }
        return waits;
    }

    static long meanMillis(Evidence evidence) {
        return Math.round(
                of(evidence).stream().mapToLong(Wait::waitedNanos).average().orElse(0) / 1_000_000);
    }
}
