package dev.cella.state.conflicts;

import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TransactionId;
import java.util.Optional;

/**
 * Measures the memory of a million lost claims, and the time of a question about one of them. Run by hand: it asserts no time.
 */
final class LedgerMeasurement {
    private static final int CLAIMS = 1_000_000;

    private LedgerMeasurement() {}

    public static void main(String[] arguments) {
        Ledger ledger = new Ledger(256 << 20);
        long begin = System.nanoTime();
        for (int version = 1; version <= CLAIMS; version++) {
            ledger.add(claim(version));
        }
        System.out.printf(
                "added: %.2f us a claim, %,d kept%n", (System.nanoTime() - begin) / 1e3 / CLAIMS, ledger.kept());
        for (int round = 0; round < 8; round++) {
            String job = "job-" + (round * 1_217 + 3) % 20_000;
            ask("who beat " + job, ledger, LedgerFilter.ALL.ofTask(Optional.of(job + "/main/" + (round + 3))));
            ask("all of a loser", ledger, LedgerFilter.ALL.ofLoser(Optional.of("nobody")));
            long since = System.nanoTime();
            LedgerCounts counts = new LedgerCounts(Optional.of(GroupBy.MACHINE));
            ledger.count(LedgerFilter.ALL, counts);
            System.out.printf("counted all by machine: %.1f ms%n", (System.nanoTime() - since) / 1e6);
        }
    }

    private static void ask(String what, Ledger ledger, LedgerFilter filter) {
        long since = System.nanoTime();
        int found = ledger.newest(filter, Long.MAX_VALUE, 100).size();
        System.out.printf("%s: %d found in %.1f ms%n", what, found, (System.nanoTime() - since) / 1e6);
    }

    private static LostClaim claim(int version) {
        String loser = "batch-" + version % 5;
        return new LostClaim(
                1_700_000_000_000L + version,
                new TaskId(new JobId(1 + version % 20_000), 0, version % 20),
                "job-" + version % 20_000 + "/main/" + version % 20,
                "m-" + version % 10_000,
                Reason.DOES_NOT_FIT,
                Optional.of("cpuMilli"),
                500,
                version % 400,
                Math.max(0, version - 40),
                new Origin(new TransactionId(loser + "-0001-" + version), loser, 12, version),
                Optional.of(new Origin(new TransactionId("web-0002-" + version), "web", 13, version - 3L)));
    }
}
