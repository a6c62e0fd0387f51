package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The commit path from end to end: transactions over streams into a real server with a synced log, decided, applied, stored
 * and answered. Every third command releases what the two before it have placed.
 */
public final class CommitBench {
    private static final int SCHEDULERS = 3;
    private static final int CLAIMS = 10;
    private static final int WINDOW = 256;
    private static final int SMALL_WINDOW = 1024;

    /** How many transactions of ten claims wait for their answers at once. */
    public static final int BATCHES_UNDER_WAY = SCHEDULERS * WINDOW;

    /** How many transactions of one claim wait for their answers at once. */
    public static final int SINGLES_UNDER_WAY = SCHEDULERS * SMALL_WINDOW;

    private static final int QUIET_TRANSACTIONS_PER_SECOND = 1_500;

    /** Code is compiled sooner under full load. */
    private static final Duration COMPILING_MAX = Duration.ofSeconds(20);

    /**
     * A quiet load warms up for this long at least, or for fifteen times as long as a shorter measurement. A server's second
     * compiler begins after 30,000 to 90,000 calls of a method, and this load makes 300 entries a second. After two minutes the
     * compilers do little, but a claim becomes cheaper until the fourth.
     */
    private static final Duration QUIET_WARMING = Duration.ofMinutes(5);

    private static final int QUIET_WARMING_TIMES = 15;
    private static final Duration QUIET_WARMING_MAX = Duration.ofMinutes(6);

    private CommitBench() {}

    /**
     * Three loads, one after another, on one cell.
     *
     * @param batches ten claims per transaction, at full speed
     * @param singles one claim per transaction, at full speed
     * @param quiet ten claims per transaction, 10,000 placements per second
     * @param reads of an idle cell
     */
    public record Report(
            Conditions conditions,
            Servers servers,
            LoadResults batches,
            LoadResults singles,
            LoadResults quiet,
            ReadTimes reads) {}

    /** The last of the three loads alone. */
    public record QuietReport(Conditions conditions, LoadResults quiet) {}

    /**
     * Founds a cell and runs the three loads.
     *
     * @param each how long each load is measured once it is warm
     * @param progress is told how far it is
     */
    public static Report run(Servers servers, int machines, Duration each, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers, progress)) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            Duration warm = each.dividedBy(2);
            LoadResults batches = new Phase(cell, machines)
                    .run("batches", OfferedLoad.closed(SCHEDULERS, CLAIMS, WINDOW), warm, each, answered -> {});
            LoadResults singles = new Phase(cell, machines)
                    .run("singles", OfferedLoad.closed(SCHEDULERS, 1, SMALL_WINDOW), warm, each, answered -> {});
            LoadResults quiet = quietly(cell, machines, each);
            ReadTimes reads = ReadTimes.measure(cell, each);
            return new Report(conditions, servers, batches, singles, quiet, reads);
        }
    }

    /** Founds a cell, and measures only 10,000 placements per second on it. */
    public static QuietReport runQuietly(Servers servers, int machines, Duration each, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(servers, progress)) {
            cell.putMachines(machines);
            Duration step = each.dividedBy(4);
            OfferedLoad fully = OfferedLoad.closed(SCHEDULERS, CLAIMS, WINDOW);
            Conditions conditions = cell.conditions();
            var unused = new Phase(cell, machines).run("warming", fully, step, COMPILING_MAX, step, answered -> {});
            return new QuietReport(conditions, quietly(cell, machines, each));
        }
    }

    /** The compilers pause for longer than under a full load, because each method is called less often. So each step is longer. */
    private static LoadResults quietly(BenchedCell cell, int machines, Duration each)
            throws IOException, InterruptedException {
        OfferedLoad load = OfferedLoad.open(SCHEDULERS, CLAIMS, QUIET_TRANSACTIONS_PER_SECOND);
        Duration step = each.multipliedBy(3).dividedBy(2);
        Duration least = each.multipliedBy(QUIET_WARMING_TIMES);
        Phase phase = new Phase(cell, machines, least.compareTo(QUIET_WARMING) < 0 ? least : QUIET_WARMING);
        return phase.run("quiet", load, step, QUIET_WARMING_MAX, each, answered -> {});
    }
}
