package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The price of TLS and tokens: the same load in turns on an open cell and on a closed one, so that both have the same
 * machine at nearly the same time.
 */
public final class ClosedBench {
    private static final int SCHEDULERS = 3;
    private static final int CLAIMS = 10;
    private static final int WINDOW = 256;

    private ClosedBench() {}

    /** The results, in the order in which they were measured. */
    public record Report(Conditions conditions, Servers servers, List<LoadResults> open, List<LoadResults> closed) {}

    /**
     * Founds both cells and measures them in turns.
     *
     * @param each how long a turn is measured
     * @param turns the number of measurements of each cell
     * @param progress gets a line after each step
     */
    public static Report run(Servers servers, int machines, Duration each, int turns, Consumer<String> progress)
            throws IOException, InterruptedException {
        try (BenchedCell open = BenchedCell.found(servers);
                BenchedCell closed = BenchedCell.found(servers.asClosed())) {
            Conditions conditions = open.conditions();
            progress.accept("both cells answer");
            open.putMachines(machines);
            closed.putMachines(machines);
            progress.accept(String.format(Locale.ROOT, "each has %,d machines", machines));
            List<LoadResults> openResults = new ArrayList<>();
            List<LoadResults> closedResults = new ArrayList<>();
            for (int turn = 0; turn < turns; turn++) {
                Turn measured = new Turn(machines, each, turn == 0 ? WarmUp.MAX : each, progress);
                openResults.add(measured.of(open, "open-" + turn));
                closedResults.add(measured.of(closed, "closed-" + turn));
            }
            return new Report(conditions, servers, openResults, closedResults);
        }
    }

    /** One measurement of each cell. */
    private record Turn(int machines, Duration each, Duration warmMax, Consumer<String> progress) {
        LoadResults of(BenchedCell cell, String name) throws IOException, InterruptedException {
            OfferedLoad load = OfferedLoad.closed(SCHEDULERS, CLAIMS, WINDOW);
            LoadResults results =
                    new Phase(cell, machines).run(name, load, each.dividedBy(2), warmMax, each, answered -> {});
            progress.accept(String.format(
                    Locale.ROOT,
                    "%s: %,.0f placements a second, after %.0f s of warming up",
                    name,
                    results.placementsPerSecond(),
                    results.warmSeconds()));
            return results;
        }
    }
}
