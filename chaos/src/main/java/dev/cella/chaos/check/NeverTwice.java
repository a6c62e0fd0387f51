package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** C12: a sweep over the intervals of the agents' journals. */
final class NeverTwice implements Checker {
    /** One end of an interval; ends come before beginnings of the same time. */
    private record Edge(long atNanos, boolean begins, History.ProcessStarted process) {}

    @Override
    public String number() {
        return "C12";
    }

    @Override
    public String holds() {
        return "A task never runs twice at once, and what runs on a machine is never more than it has.";
    }

    @Override
    public boolean hasCases(Evidence evidence) {
        return !evidence.history().started.isEmpty();
    }

    @Override
    public List<Violation> check(Evidence evidence) {
        Found found = new Found();
        Map<TaskId, Set<PlacementId>> running = new HashMap<>();
        Map<String, long[]> used = new HashMap<>();
        for (Edge edge : edges(evidence.history())) {
            History.ProcessStarted process = edge.process();
            Set<PlacementId> ofTask = running.computeIfAbsent(process.task(), task -> new HashSet<>());
            change(used, process, edge.begins() ? 1 : -1);
            if (!edge.begins()) {
                ofTask.remove(process.placement());
                continue;
            }
            ofTask.add(process.placement());
            found.unless(
                    ofTask.size() == 1, Checker.time(edge.atNanos()), "%s runs as %s at once", process.task(), ofTask);
            checkCapacity(evidence.history(), used.getOrDefault(process.machine(), new long[0]), edge, found);
        }
        return found.all();
    }

    private static List<Edge> edges(History history) {
        Map<String, History.ProcessStarted> started = new HashMap<>();
        List<Edge> edges = new ArrayList<>();
        for (History.ProcessStarted process : history.started) {
            if (!history.untrusted.contains(process.machine())) {
                started.put(key(process.machine(), process.placement()), process);
                edges.add(new Edge(process.atNanos(), true, process));
            }
        }
        for (History.ProcessEnded ended : history.ended) {
            History.ProcessStarted process = started.get(key(ended.machine(), ended.placement()));
            if (process != null) {
                edges.add(new Edge(ended.atNanos(), false, process));
            }
        }
        edges.sort(Comparator.comparingLong(Edge::atNanos).thenComparing(Edge::begins));
        return edges;
    }

    private static String key(String machine, PlacementId placement) {
        return machine + "/" + placement;
    }

    private static void change(Map<String, long[]> used, History.ProcessStarted process, int sign) {
        long[] before = used.getOrDefault(process.machine(), new long[0]);
        long[] sums = Arrays.copyOf(
                before, Math.max(before.length, process.resources().size()));
        used.put(process.machine(), sums);
        for (int dimension = 0; dimension < process.resources().size(); dimension++) {
            sums[dimension] += sign * process.resources().at(dimension);
        }
    }

    private static void checkCapacity(History history, long[] sums, Edge edge, Found found) {
        Amounts capacity = history.capacities.get(edge.process().machine());
        for (int dimension = 0; capacity != null && dimension < sums.length; dimension++) {
            found.unless(
                    sums[dimension] <= capacity.at(dimension),
                    Checker.time(edge.atNanos()),
                    "%s runs %d of dimension %d and has %d",
                    edge.process().machine(),
                    sums[dimension],
                    dimension,
                    capacity.at(dimension));
        }
    }
}
