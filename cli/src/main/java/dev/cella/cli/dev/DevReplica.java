package dev.cella.cli.dev;

import dev.cella.cli.part.OwnCommand;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.client.proto.ServerConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One server process of a development cell, and how far its start has got. */
final class DevReplica {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);
    private static final String ERROR = "error: ";

    private final ReplicaConfiguration configuration;
    private final Path log;
    private final Process process;
    private final URI address;

    private DevReplica(ReplicaConfiguration configuration, Path log, Process process) {
        this.configuration = configuration;
        this.log = log;
        this.process = process;
        this.address = URI.create(configuration.getAddress());
    }

    /** Starts the process. It ends with this one, however this one ends, because its input ends then. */
    static DevReplica start(Path folder, ReplicaConfiguration configuration, DevToken token, boolean chaos)
            throws IOException {
        String name = configuration.getName();
        Path log = folder.resolve(name + ".log");
        // A smaller metaspace makes the JVM collect all garbage twice while it loads classes, and elections wait for
        // that.
        List<String> flags = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:MetaspaceSize=96m");
        List<String> arguments = new ArrayList<>(List.of(
                "server",
                "--config",
                folder.resolve("server.yaml").toString(),
                "--replica",
                name,
                "--data",
                folder.resolve(name).toString(),
                "--closed",
                "--token-file",
                token.file().toString(),
                "--until-input-ends"));
        if (chaos) {
            arguments.add("--chaos");
        }
        Process process = new ProcessBuilder(OwnCommand.with(flags, arguments))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new DevReplica(configuration, log, process);
    }

    String name() {
        return configuration.getName();
    }

    Path log() {
        return log;
    }

    Process process() {
        return process;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The server's own error message, if it gave one. */
    Optional<String> error() {
        return logLines().stream()
                .filter(line -> line.startsWith(ERROR))
                .map(line -> line.substring(ERROR.length()))
                .findFirst();
    }

    /**
     * Returns whether this process can be used. A 200 from the port alone proves nothing: a server that is still stopping, or a
     * stranger, may give it. The process must have printed that it listens, and the answer must name the cell's replicas.
     */
    boolean isReady(HttpClient http, ServerConfiguration cell, DevToken token) throws InterruptedException {
        return isAlive() && logLines().contains(configuration.getAddress()) && saysReady(http) && isOf(cell, token);
    }

    private boolean saysReady(HttpClient http) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("/readyz"))
                .timeout(ANSWER_MAX)
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notThereYet) {
            return false;
        }
    }

    /** A replica that has not applied the token yet says so too. */
    private boolean isOf(ServerConfiguration cell, DevToken token) {
        try {
            return isOf(cell, new HttpCell(CellAddresses.of(address).with(token.access())).getCell());
        } catch (CellUnreachable | Problem notThereYet) {
            return false;
        }
    }

    /** Returns whether an answer comes from the cell that the configuration describes. */
    static boolean isOf(ServerConfiguration cell, CellSummary answer) {
        return answer.getName().equals(cell.getCell()) && replicas(answer).equals(replicas(cell));
    }

    private static Set<String> replicas(CellSummary answer) {
        return answer.getReplicasList().stream().map(CellReplica::getAddress).collect(Collectors.toSet());
    }

    private static Set<String> replicas(ServerConfiguration cell) {
        return cell.getReplicasList().stream()
                .map(ReplicaConfiguration::getAddress)
                .collect(Collectors.toSet());
    }

    private List<String> logLines() {
        try {
            return Files.readAllLines(log);
        } catch (IOException failure) {
            throw new UncheckedIOException("reading " + log, failure);
        }
    }
}
