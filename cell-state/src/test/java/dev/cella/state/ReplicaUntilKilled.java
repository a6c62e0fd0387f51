package dev.cella.state;

import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CommandResult;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/**
 * A separate process that keeps a replica busy until it is killed. It registers one machine after another, and prints a line
 * {@code NAME VERSION} for each acknowledged one.
 */
final class ReplicaUntilKilled {
    static final String CELL = "killed";
    static final ReplicaLimits LIMITS = ReplicaLimits.defaults().withCheckpointLogBytes(40_000);
    private static final int OUTSTANDING = 64;

    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[0]);
        String prefix = arguments[1];
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        DataDirectory directory = DataDirectory.open(path, new CellName(CELL), 0, UUID.randomUUID());
        EmbeddedReplica embedded =
                EmbeddedReplica.open(directory, ReplicaOptions.defaults().withLimits(LIMITS), (message, cause) -> {
                    out.println("DEPARTED " + message);
                    Runtime.getRuntime().halt(1);
                });
        embedded.replica().ready().join();
        registerForever(embedded.replica(), prefix, out);
    }

    private static void registerForever(Replica replica, String prefix, PrintStream out) throws InterruptedException {
        Semaphore outstanding = new Semaphore(OUTSTANDING);
        for (int number = 0; ; number++) {
            String name = prefix + number;
            outstanding.acquire();
            var unused = replica.submit(Lane.OPERATORS, Samples.TEST, Samples.machine(name))
                    .whenComplete((result, failure) -> {
                        if (result instanceof CommandResult.Done done) {
                            out.print(name + " " + done.identity() + "\n");
                        }
                        outstanding.release();
                    });
        }
    }

    private ReplicaUntilKilled() {}
}
