package dev.cella.bench.cell;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a server with many live tasks is away after a kill: from the start of the new process, its JVM included, until it
 * leads again with every task.
 */
public final class RestartBench {
    private RestartBench() {}

    /** The results. */
    public record Report(Conditions conditions, long tasks, int machines, List<Restart> restarts) {}

    /**
     * One restart. The whole minus its parts is the time to open the doors.
     *
     * @param seconds from the start of the process until it answers
     * @param processSeconds of these, until the replica begins: the JVM and the classes
     * @param checkpointSeconds finding, checking and loading the newest checkpoint
     * @param logSeconds opening the log
     * @param electionSeconds until the committed position is known
     * @param replaySeconds applying the log after the checkpoint
     * @param replayedEntries of the log
     * @param replayedClaims in them
     * @param heapMib the heap that the server needs afterwards
     */
    public record Restart(
            double seconds,
            double processSeconds,
            double checkpointSeconds,
            double logSeconds,
            double electionSeconds,
            double replaySeconds,
            long replayedEntries,
            long replayedClaims,
            double heapMib) {
        /** What no other part is. */
        public double doorsSeconds() {
            return seconds - processSeconds - checkpointSeconds - logSeconds - electionSeconds - replaySeconds;
        }
    }

    /**
     * Founds a cell, fills it, kills it.
     *
     * @param mainClass of the command {@code cella}, which is started as the server
     */
    public static Report run(String mainClass, int machines, long tasks, int times)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(Servers.one(mainClass))) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            long placed = LiveTasks.place(cell, machines, tasks);
            List<Restart> restarts = new ArrayList<>();
            for (int time = 0; time < times; time++) {
                restarts.add(restart(cell));
                checkAllThere(cell, placed);
            }
            return new Report(conditions, placed, machines, restarts);
        }
    }

    private static Restart restart(BenchedCell cell) throws IOException, InterruptedException {
        double seconds = cell.restart().toNanos() / 1e9;
        ServerMetrics metrics = cell.metricsOfLiveHeap();
        return new Restart(
                seconds,
                part(metrics, "process"),
                part(metrics, "checkpoint"),
                part(metrics, "log"),
                part(metrics, "election"),
                part(metrics, "replay"),
                (long) metrics.value("cella_log_entries_total"),
                (long) metrics.value("cella_items_accepted_total"),
                metrics.value("cella_heap_live_bytes") / (1 << 20));
    }

    private static double part(ServerMetrics metrics, String part) {
        return metrics.value("cella_start_seconds{part=\"" + part + "\"}");
    }

    private static void checkAllThere(BenchedCell cell, long placed) {
        long found = cell.http().getCell().getTasks().getPlaced();
        if (found != placed) {
            throw new IllegalStateException(placed + " tasks were placed, and " + found + " are there again");
        }
    }
}
