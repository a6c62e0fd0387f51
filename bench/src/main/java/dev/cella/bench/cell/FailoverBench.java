package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * How long nobody commits after the leader was killed: from its kill -9 until a transaction that was begun later is answered.
 * The cell has a light load before the first kill, so that its JVMs are warm, and during each.
 */
public final class FailoverBench {
    private static final int SCHEDULERS = 3;
    private static final int CLAIMS = 10;
    private static final int WARMING_TRANSACTIONS_PER_SECOND = 1_500;
    private static final int TRANSACTIONS_PER_SECOND = 500;

    private FailoverBench() {}

    /**
     * The results.
     *
     * @param failoverSeconds for each kill
     */
    public record Report(Conditions conditions, Servers servers, int machines, List<Double> failoverSeconds) {}

    /**
     * Founds a cell, warms it, and kills its leader again and again.
     *
     * @param servers several
     * @param warm how long the warming load is measured once it is warm
     * @param progress receives a line after each kill
     */
    public static Report run(Servers servers, int machines, Duration warm, int kills, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers, progress)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            OfferedLoad load = OfferedLoad.open(SCHEDULERS, CLAIMS, WARMING_TRANSACTIONS_PER_SECOND);
            var unused = new Phase(cell, machines).run("warming", load, warm.dividedBy(2), warm, answered -> {});
            List<Double> seconds = new ArrayList<>();
            for (int kill = 0; kill < kills; kill++) {
                seconds.add(failoverSeconds(cell, machines, "failover-" + kill));
                cell.say("kill %d of %d: commits again after %.2f s", kill + 1, kills, seconds.get(kill));
            }
            return new Report(conditions, servers, machines, seconds);
        }
    }

    /** Waits until the killed server is back, so that the next one can be killed. */
    private static double failoverSeconds(BenchedCell cell, int machines, String name)
            throws IOException, InterruptedException {
        CompletableFuture<Long> killed = new CompletableFuture<>();
        CompletableFuture<Long> again = new CompletableFuture<>();
        CompletableFuture<Void> underWay = new CompletableFuture<>();
        OfferedLoad load = OfferedLoad.open(1, 1, TRANSACTIONS_PER_SECOND);
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
