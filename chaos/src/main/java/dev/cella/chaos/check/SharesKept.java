package dev.cella.chaos.check;

import dev.cella.chaos.history.Replay.Step;
import dev.cella.chaos.history.Replay.TaskFact;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** C21: each pool's use of the first dimension, integrated over the time in which all named pools wait for more. */
final class SharesKept implements Checker {
    private static final double POINTS = 0.05;

    /** A shorter contention says little: a share changes only when tasks end. */
    private static final double SECONDS_MIN = 10;

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
        return !evidence.history().contendedWeights.isEmpty()
                && Contention.of(evidence).isLong();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Map<String, Integer> weights = evidence.history().contendedWeights;
        if (weights.isEmpty()) {
            return List.of();
        }
        Contention contention = Contention.of(evidence);
        if (!contention.isLong()) {
            return List.of();
        }
        double weightOfAll =
                weights.values().stream().mapToInt(Integer::intValue).sum();
        Found found = new Found();
        weights.forEach((pool, weight) -> {
            double share = contention.shareOf(pool);
            found.unless(
                    Math.abs(share - weight / weightOfAll) <= POINTS,
                    "the time in contention",
                    "pool %s had %.3f of what was used, and %.3f is its due",
                    pool,
                    share,
                    weight / weightOfAll);
        });
        return found.all();
    }

    /** One pass over the log. */
    private static final class Contention {
        private record Held(String pool, long amount) {}

        private final Set<String> named;
        private final Map<JobId, String> pools = new HashMap<>();
        private final Map<JobId, Integer> pending = new HashMap<>();
        private final Map<String, Integer> waiting = new HashMap<>();
        private final Set<TaskId> begun = new HashSet<>();
        private final Map<TaskId, Held> held = new HashMap<>();
        private final Map<String, Long> use = new TreeMap<>();
        private final Map<String, Double> integral = new TreeMap<>();
        private double seconds;

        private Contention(Set<String> named) {
            this.named = named;
        }

        static Contention of(Evidence evidence) {
            Contention contention =
                    new Contention(evidence.history().contendedWeights.keySet());
            long before = 0;
            for (Step step : evidence.replay().steps()) {
                contention.pass((step.atNanos() - before) / 1e9);
                before = step.atNanos();
                contention.take(step);
            }
            return contention;
        }

        boolean isLong() {
            return seconds >= SECONDS_MIN;
        }

        double shareOf(String pool) {
            double all =
                    integral.values().stream().mapToDouble(Double::doubleValue).sum();
            return all == 0 ? 0 : integral.getOrDefault(pool, 0.0) / all;
        }

        private void pass(double elapsed) {
            if (named.stream().allMatch(pool -> waiting.getOrDefault(pool, 0) > 0)) {
                seconds += elapsed;
                use.forEach((pool, amount) -> integral.merge(pool, amount * elapsed, Double::sum));
            }
        }

        private void take(Step step) {
            if (step.command().orElse(null) instanceof Command.SubmitJob submit
                    && named.contains(submit.header().pool())) {
                Checker.created(step).ifPresent(job -> {
                    pools.put(job, submit.header().pool());
                    wait(job, submit.header().tasks());
                });
            } else if (step.command().orElse(null) instanceof Command.StopJob stop) {
                wait(stop.job(), -pending.getOrDefault(stop.job(), 0));
                pending.remove(stop.job());
            }
            step.tasks().forEach(this::move);
        }

        /** That many more tasks of the job wait. Those of a stopped job do not. */
        private void wait(JobId job, int more) {
            String pool = pools.get(job);
            if (pool != null) {
                pending.merge(job, more, Integer::sum);
                waiting.merge(pool, more, Integer::sum);
            }
        }

        private void move(TaskFact task) {
            JobId job = task.task().job();
            if (pending.containsKey(job)) {
                boolean waits = task.state() == TaskState.PENDING;
                if (waits && begun.remove(task.task())) {
                    wait(job, 1);
                } else if (!waits && begun.add(task.task())) {
                    wait(job, -1);
                }
            }
            Held old = held.remove(task.task());
            if (old != null) {
                use.merge(old.pool(), -old.amount(), Long::sum);
            }
            String pool = pools.get(job);
            if (pool != null && task.machine() >= 0) {
                Held now = new Held(pool, task.resources().at(0));
                held.put(task.task(), now);
                use.merge(pool, now.amount(), Long::sum);
            }
        }
    }
}
