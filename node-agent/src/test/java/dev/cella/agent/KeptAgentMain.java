package dev.cella.agent;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** An agent that a test can kill: takes the cell's address, the data directory, the machine's name and the lease. */
public final class KeptAgentMain {
    private KeptAgentMain() {}

    public static void main(String[] arguments) throws Exception {
        MachineOptions machine = new MachineOptions(
                arguments[2],
                MachineOptions.MachineKind.REAL,
                Map.of("cpuMilli", 4_000L, "memoryMib", 4_000L),
                Map.of());
        NodeAgentOptions options = NodeAgentOptions.of(URI.create(arguments[0]), machine, Path.of(arguments[1]), 1)
                .withLease(Duration.ofMillis(Long.parseLong(arguments[3])))
                .withTasksOutliving();
        NodeAgent agent = NodeAgent.start(options);
        agent.registered().join();
        System.out.println("registered");
        Thread.currentThread().join();
    }
}
