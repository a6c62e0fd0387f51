package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** C21: each pool's use of the first dimension, integrated over the time in which all named pools wait for more. */
final class SharesKept implements Checker {
    private static final double POINTS = 0.05;

    private record Held(String pool, long amount) {}

    @Override
    public String number() {
        return "C21";
    }

    @Override
    public String holds() {
        return "Under contention each pool's share is within 5 points of its weight's.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().contendedWeights.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Map<String, Integer> weights = evidence.history().contendedWeights;
        if (weights.isEmpty()) {
            return List.of();
        }
        Map<String, Double> used = integrate(evidence, weights);
        double all = used.values().stream().mapToDouble(Double::doubleValue).sum();
        double weightOfAll =
                weights.values().stream().mapToInt(Integer::intValue).sum();
        Found found = new Found();
        weights.forEach((pool, weight) -> {
            double share = all == 0 ? 0 : used.getOrDefault(pool, 0.0) / all;
            found.unless(
                    Math.abs(share - weight / weightOfAll) <= POINTS,
                    "the whole run",
                    "pool %s had %.3f of what was used, and %.3f is its due",
                    pool,
                    share,
                    weight / weightOfAll);
        });
        return found.all();
    }

    private static Map<String, Double> integrate(Evidence evidence, Map<String, Integer> weights) {
        Map<JobId, String> pools = new HashMap<>();
        Map<TaskId, Held> held = new HashMap<>();
        Map<String, Long> use = new TreeMap<>();
        Map<String, Double> integral = new TreeMap<>();
        long before = 0;
        for (Step step : evidence.replay().steps()) {
            double seconds = (step.atNanos() - before) / 1e9;
            before = step.atNanos();
            use.forEach((pool, amount) -> integral.merge(pool, amount * seconds, Double::sum));
            if (step.command().orElse(null) instanceof Command.SubmitJob submit
                    && step.result() instanceof CommandResult.Done done
                    && weights.containsKey(submit.header().pool())) {
                pools.put(new JobId(done.identity()), submit.header().pool());
            }
            step.tasks().forEach(task -> move(task, pools, held, use));
        }
        return integral;
    }

    private static void move(TaskFact task, Map<JobId, String> pools, Map<TaskId, Held> held, Map<String, Long> use) {
        Held old = held.remove(task.task());
        if (old != null) {
            use.merge(old.pool(), -old.amount(), Long::sum);
        }
        String pool = pools.get(task.task().job());
        if (pool != null && task.machine() >= 0) {
            Held now = new Held(pool, task.resources().at(0));
            held.put(task.task(), now);
            use.merge(pool, now.amount(), Long::sum);
        }
    }
}
