package dev.cella.cli.bench;

import dev.cella.bench.cell.Servers;
import dev.cella.cli.terminal.CommandFailure;
import picocli.CommandLine.Option;

/** The flags for the servers of a measured cell. */
final class BenchServers {
    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "1",
            description = "1, 3 or 5, each a process on this machine (default: ${DEFAULT-VALUE})")
    private int replicas;

    @Option(
            names = "--rpc",
            paramLabel = "grpc|netty",
            defaultValue = "grpc",
            description = "how replicas talk to each other (default: ${DEFAULT-VALUE})")
    private String rpc = "grpc";

    @Option(
            names = "--election-timeout",
            paramLabel = "TIME",
            defaultValue = "1500ms",
            description = "a follower without a leader for this long, or up to twice as long, stands for election"
                    + " (default: ${DEFAULT-VALUE})")
    private String electionTimeout = "1500ms";

    @Option(
            names = "--java-options",
            paramLabel = "FLAGS",
            description = "flags for the servers' JVMs, behind those that the launcher gives a server")
    private String javaOptions = "";

    Servers of(String mainClass) {
        try {
            return new Servers(mainClass, replicas, rpc, electionTimeout, Servers.launched(javaOptions));
        } catch (IllegalArgumentException wrong) {
            throw CommandFailure.usage(String.valueOf(wrong.getMessage()), "cella bench commit --replicas 3");
        }
    }
}
