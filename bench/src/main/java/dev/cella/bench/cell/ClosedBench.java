package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
     * @param turns of each cell
     */
    public static Report run(Servers servers, int machines, Duration each, int turns)
            throws IOException, InterruptedException {
        try (BenchedCell open = BenchedCell.found(servers);
                BenchedCell closed = BenchedCell.found(servers.asClosed())) {
            Conditions conditions = open.conditions();
            open.putMachines(machines);
            closed.putMachines(machines);
            List<LoadResults> openResults = new ArrayList<>();
            List<LoadResults> closedResults = new ArrayList<>();
            for (int turn = 0; turn < turns; turn++) {
                Duration warmMax = turn == 0 ? WarmUp.MAX : each;
                openResults.add(measure(open, machines, each, warmMax, "open-" + turn));
                closedResults.add(measure(closed, machines, each, warmMax, "closed-" + turn));
            }
            return new Report(conditions, servers, openResults, closedResults);
        }
    }

    private static LoadResults measure(BenchedCell cell, int machines, Duration each, Duration warmMax, String name)
            throws IOException, InterruptedException {
        OfferedLoad load = OfferedLoad.closed(SCHEDULERS, CLAIMS, WINDOW);
        return new Phase(cell, machines).run(name, load, each.dividedBy(2), warmMax, each, answered -> {});
    }
}
