package dev.cella.chaos.check;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.history.Replay.Step;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import java.util.HashMap;
import java.util.Map;

/** How long jobs waited for their first placement. */
final class PlacementWaits {
    private PlacementWaits() {}

    static long meanMillis(Evidence evidence) {
        Map<JobId, Long> submitted = new HashMap<>();
        long waited = 0;
        long jobs = 0;
        for (Step step : evidence.replay().steps()) {
            if (Checker.created(step).isPresent()) {
                submitted.put(new JobId(step.version()), step.atNanos());
            } else if (step.result() instanceof CommandResult.Decided) {
                for (var task : step.tasks()) {
                    Long at = submitted.remove(task.task().job());
                    waited += at == null ? 0 : step.atNanos() - at;
                    jobs += at == null ? 0 : 1;
                }
            }
        }
        return jobs == 0 ? 0 : waited / jobs / 1_000_000;
    }
}
