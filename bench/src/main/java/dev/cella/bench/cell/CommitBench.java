package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The commit path from end to end: transactions over streams into a real server with a synced log, decided, applied, stored
 * and answered. Every third command releases what the two before it have placed.
 */
public final class CommitBench {
    private static final int SCHEDULERS = 3;
    private static final int CLAIMS = 10;
    private static final int WINDOW = 256;
    private static final int SMALL_WINDOW = 1024;
    private static final int QUIET_TRANSACTIONS_PER_SECOND = 1_500;
    private static final int FAILOVER_TRANSACTIONS_PER_SECOND = 500;

    private CommitBench() {}

    /**
     * Three loads, one after another, on one cell.
     *
     * @param batches ten claims per transaction, at full speed
     * @param singles one claim per transaction, at full speed
     * @param quiet ten claims per transaction, 10,000 placements per second
     * @param reads of an idle cell
     * @param failoverSeconds with several replicas, for each kill: from the leader's kill -9 until a transaction begun later is
     *     answered
     */
    public record Report(
            Conditions conditions,
            Servers servers,
            LoadResults batches,
            LoadResults singles,
            LoadResults quiet,
            ReadTimes reads,
            List<Double> failoverSeconds) {}

    /**
     * Founds a cell and runs the three loads. With several replicas it then kills the leader, as often as the options say.
     *
     * @param each how long each load is measured once it is warm
     */
    public static Report run(Servers servers, int machines, Duration each, int kills)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            Duration warm = each.dividedBy(2);
            OfferedLoad quietly = OfferedLoad.open(SCHEDULERS, CLAIMS, QUIET_TRANSACTIONS_PER_SECOND);
            LoadResults batches = new Phase(cell, machines)
                    .run("batches", OfferedLoad.closed(SCHEDULERS, CLAIMS, WINDOW), warm, each, answered -> {});
            LoadResults singles = new Phase(cell, machines)
                    .run("singles", OfferedLoad.closed(SCHEDULERS, 1, SMALL_WINDOW), warm, each, answered -> {});
            LoadResults quiet = new Phase(cell, machines).run("quiet", quietly, warm, each, answered -> {});
            ReadTimes reads = ReadTimes.measure(cell, each);
            return new Report(
                    conditions,
                    servers,
                    batches,
                    singles,
                    quiet,
                    reads,
                    servers.replicas() == 1 ? List.of() : failoverSeconds(cell, machines, kills));
        }
    }

    private static List<Double> failoverSeconds(BenchedCell cell, int machines, int kills)
            throws IOException, InterruptedException {
        List<Double> seconds = new ArrayList<>();
        for (int kill = 0; kill < kills; kill++) {
            seconds.add(failoverSeconds(cell, machines, "failover-" + kill));
        }
        return seconds;
    }

    /** Waits until the killed server is back, so that the next one can be killed. */
    private static double failoverSeconds(BenchedCell cell, int machines, String name)
            throws IOException, InterruptedException {
        CompletableFuture<Long> killed = new CompletableFuture<>();
        CompletableFuture<Long> again = new CompletableFuture<>();
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        OfferedLoad load = OfferedLoad.open(1, 1, FAILOVER_TRANSACTIONS_PER_SECOND);
        try (PlacingScheduler scheduler = new PlacingScheduler(cell, load, name, machines, answered -> {
            underWay.complete(null);
            if (killed.isDone() && answered.begunNanos() > killed.join()) {
                again.complete(System.nanoTime());
            }
        })) {
            scheduler.start();
            underWay.join();
            int leader = cell.killLeader();
            killed.complete(System.nanoTime());
            double seconds = (again.join() - killed.join()) / 1e9;
            cell.startAgain(leader);
            return seconds;
        }
    }
}
