package dev.cella.bench.cell;

import java.io.IOException;
import java.time.Duration;

/**
 * The commit path from end to end: transactions over streams into a real server with a synced log, decided, applied,
 * stored and answered. Every third command releases what the two before it have placed.
 */
public final class CommitBench {
    private static final int SCHEDULERS = 3;
    private static final int CLAIMS = 10;
    private static final int WINDOW = 256;
    private static final int SMALL_WINDOW = 1024;
    private static final int QUIET_TRANSACTIONS_PER_SECOND = 1_500;

    private CommitBench() {}

    /**
     * Three loads, one after another, on one cell.
     *
     * @param batches ten claims a transaction, as many as go
     * @param singles one claim a transaction, as many as go
     * @param quiet ten claims a transaction, 10,000 placements a second
     */
    public record Report(Conditions conditions, Figures batches, Figures singles, Figures quiet) {}

    /**
     * Founds a cell and runs the three loads.
     *
     * @param mainClass of the command {@code cella}, which is started as the server
     */
    public static Report run(String mainClass, int machines, Duration each) throws IOException, InterruptedException {
        try (BenchedCell cell = BenchedCell.found(mainClass, "1500m")) {
            Conditions conditions = cell.conditions();
            cell.putMachines(machines);
            Duration warm = each.dividedBy(2);
            return new Report(
                    conditions,
                    new Phase(cell, machines)
                            .run("batches", Load.closed(SCHEDULERS, CLAIMS, WINDOW), warm, each, answered -> {}),
                    new Phase(cell, machines)
                            .run("singles", Load.closed(SCHEDULERS, 1, SMALL_WINDOW), warm, each, answered -> {}),
                    new Phase(cell, machines)
                            .run(
                                    "quiet",
                                    Load.open(SCHEDULERS, CLAIMS, QUIET_TRANSACTIONS_PER_SECOND),
                                    warm,
                                    each,
                                    answered -> {}));
        }
    }
}
