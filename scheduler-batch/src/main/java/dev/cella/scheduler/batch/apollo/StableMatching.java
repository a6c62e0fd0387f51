package dev.cella.scheduler.batch.apollo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Matches a batch of tasks to machines, at most one task a machine (3.3, "Stable Matching").
 *
 * <p>In each iteration every open task proposes to the free machine with its earliest estimated completion. A machine takes the
 * proposal that saves most: the difference to the task's next best free machine. The others propose again in the next
 * iteration, until all tasks are matched, or have no candidate left, or the iterations are used up.
 *
 * <p>A greedy matcher serves the tasks in their order. The first takes the machine that a later one needs more.
 */
public final class StableMatching {
    /** A task with its candidates, and when it would complete on each; infinite where it cannot run. */
    public static final class Request {
        private static final int NONE = -1;

        private final int[] machines;
        private final double[] completionSeconds;

        public Request(int[] machines, double[] completionSeconds) {
            if (machines.length != completionSeconds.length) {
                throw new IllegalArgumentException("every candidate has an estimate");
            }
            this.machines = machines.clone();
            this.completionSeconds = completionSeconds.clone();
        }

        /** The free candidate with the earliest completion, and how much later the next best one is. */
        private Optional<Proposal> propose(int task, Map<Integer, Match> taken) {
            int best = NONE;
            double second = Double.POSITIVE_INFINITY;
            for (int place = 0; place < machines.length; place++) {
                double seconds = completionSeconds[place];
                if (Double.isInfinite(seconds) || taken.containsKey(machines[place])) {
                    continue;
                }
                if (best == NONE || isBefore(place, best)) {
                    second = best == NONE ? second : completionSeconds[best];
                    best = place;
                } else {
                    second = Math.min(second, seconds);
                }
            }
            return best == NONE
                    ? Optional.empty()
                    : Optional.of(new Proposal(
                            new Match(task, machines[best], completionSeconds[best]),
                            second - completionSeconds[best]));
        }

        /** The machine with the lower number comes first if completions are equal. */
        private boolean isBefore(int place, int other) {
            int order = Double.compare(completionSeconds[place], completionSeconds[other]);
            return order < 0 || (order == 0 && machines[place] < machines[other]);
        }
    }

    /** A task by its place in the batch, and its machine. */
    public record Match(int task, int machine, double completionSeconds) {}

    /** @param saving what is lost if the task does not get the machine */
    private record Proposal(Match match, double saving) {}

    private final int iterationsMax;

    /** @param iterationsMax the paper's usually needs fewer than three, and limits them */
    public StableMatching(int iterationsMax) {
        if (iterationsMax < 1) {
            throw new IllegalArgumentException("a matching has at least one iteration");
        }
        this.iterationsMax = iterationsMax;
    }

    /** The matches of the batch, in the order of its tasks. */
    public List<Match> match(List<Request> batch) {
        Map<Integer, Match> taken = new HashMap<>();
        List<Integer> open = new ArrayList<>();
        for (int task = 0; task < batch.size(); task++) {
            open.add(task);
        }
        for (int iteration = 0; iteration < iterationsMax && !open.isEmpty(); iteration++) {
            open = iterate(batch, open, taken);
        }
        List<Match> matches = new ArrayList<>(taken.values());
        matches.sort(Comparator.comparingInt(Match::task));
        return matches;
    }

    /** The tasks that are open after the iteration, and have a candidate left. */
    private static List<Integer> iterate(List<Request> batch, List<Integer> open, Map<Integer, Match> taken) {
        Map<Integer, Proposal> best = new HashMap<>();
        List<Integer> proposing = new ArrayList<>();
        for (int task : open) {
            batch.get(task).propose(task, taken).ifPresent(proposal -> {
                proposing.add(task);
                best.merge(
                        proposal.match().machine(),
                        proposal,
                        (one, other) -> other.saving() > one.saving() ? other : one);
            });
        }
        Set<Integer> matched = new HashSet<>();
        best.forEach((machine, proposal) -> {
            taken.put(machine, proposal.match());
            matched.add(proposal.match().task());
        });
        proposing.removeIf(matched::contains);
        return proposing;
    }
}
