package dev.cella.cli.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Words;
import dev.cella.client.CellAddresses;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.client.proto.ServerConfiguration;
import dev.cella.state.FreePorts;
import dev.cella.state.core.StartRefusedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The servers of a development cell of several replicas. Each is a process, started from one configuration file as an
 * operator would start it. The file names their ports and stays with the data. The servers end with this process.
 */
final class DevReplicas implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration READY_MAX = Duration.ofMinutes(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(3);

    private final ServerConfiguration configuration;
    private final List<DevReplica> replicas = new ArrayList<>();
    private final DevToken token;
    private final HttpClient http = HttpClient.newHttpClient();

    private DevReplicas(ServerConfiguration configuration, DevToken token) {
        this.configuration = configuration;
        this.token = token;
    }

    /** A cell keeps the number of replicas with which it was founded. */
    static void checkFits(DevOptions options) throws IOException {
        int founded = count(options);
        if (founded != 0 && founded != options.replicas()) {
            throw CommandFailure.failed(
                    "the cell in %s was founded with --replicas %d".formatted(options.data(), founded),
                    "start it so again, or another one with --data DIR");
        }
    }

    private static int count(DevOptions options) throws IOException {
        Path file = file(options);
        if (Files.exists(file)) {
            return read(file).getReplicasCount();
        }
        return Files.exists(options.data().resolve("checkpoints")) ? 1 : 0;
    }

    private static Path file(DevOptions options) {
        return options.data().resolve("replicas").resolve("server.yaml");
    }

    /** Starts all replicas, and returns when each is ready. */
    static DevReplicas start(DevOptions options, DevToken token)
            throws IOException, StartRefusedException, InterruptedException {
        Path file = file(options);
        Path folder = Files.createDirectories(options.data().resolve("replicas"));
        DevReplicas replicas = new DevReplicas(configuration(file, options), token);
        try {
            replicas.awaitPorts();
            for (ReplicaConfiguration replica : replicas.configuration.getReplicasList()) {
                replicas.replicas.add(DevReplica.start(folder, replica, token, options.chaos()));
            }
            replicas.awaitReady();
            return replicas;
        } catch (IOException | StartRefusedException | InterruptedException | RuntimeException failure) {
            replicas.close();
            throw failure;
        }
    }

    /**
     * The logs keep their ports, because the replicas know each other by them; the first door has the requested port.
     */
    private static ServerConfiguration configuration(Path file, DevOptions options) throws IOException {
        ServerConfiguration.Builder configuration = Files.exists(file)
                ? read(file).toBuilder()
                : founded(options.name().text(), options.replicas());
        if (options.port() != 0) {
            configuration.getReplicasBuilder(0).setAddress(address(options.port()));
        }
        Files.writeString(file, new JsonCodec().writeYaml(configuration.build()));
        return configuration.build();
    }

    private static ServerConfiguration read(Path file) throws IOException {
        byte[] content = Files.readString(file).getBytes(UTF_8);
        return new JsonCodec().read(ServerConfiguration.getDefaultInstance(), Source.file(file.toString(), content));
    }

    private static ServerConfiguration.Builder founded(String cell, int count) throws IOException {
        ServerConfiguration.Builder configuration =
                ServerConfiguration.newBuilder().setCell(cell);
        List<Integer> ports = FreePorts.find(2 * count, new SecureRandom());
        for (int number = 0; number < count; number++) {
            configuration.addReplicas(ReplicaConfiguration.newBuilder()
                    .setName("r" + (number + 1))
                    .setLog(HOST + ":" + ports.get(number))
                    .setAddress(address(ports.get(count + number))));
        }
        return configuration;
    }

    private static String address(int port) {
        return "http://" + HOST + ":" + port;
    }

    /** A former dev on this data may still be stopping; its servers release their ports last. */
    private void awaitPorts() throws IOException, StartRefusedException, InterruptedException {
        for (ReplicaConfiguration replica : configuration.getReplicasList()) {
            DevClaim.awaitFree(URI.create("tcp://" + replica.getLog()).getPort());
            DevClaim.awaitFree(URI.create(replica.getAddress()).getPort());
        }
    }

    private void awaitReady() throws InterruptedException {
        long giveUpNanos = System.nanoTime() + READY_MAX.toNanos();
        for (DevReplica replica : replicas) {
            while (!replica.isReady(http, configuration, token)) {
                checkAllAlive();
                if (System.nanoTime() > giveUpNanos) {
                    throw notStarted(replica, "is not ready after " + Words.duration(READY_MAX));
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
            }
        }
        checkAllAlive();
    }

    private void checkAllAlive() {
        for (DevReplica replica : replicas) {
            if (!replica.isAlive()) {
                throw notStarted(
                        replica, replica.error().map(why -> "ended: " + why).orElse("ended"));
            }
        }
    }

    private static CommandFailure notStarted(DevReplica replica, String why) {
        return CommandFailure.failed("replica " + replica.name() + " " + why, replica.log() + " says more");
    }

    CellAddresses addresses() {
        return new CellAddresses(configuration.getReplicasList().stream()
                .map(replica -> URI.create(replica.getAddress()))
                .toList());
    }

    /** Tells all to stop at once, and kills one that does not stop in time. */
    @Override
    public void close() {
        List<Process> processes = replicas.stream().map(DevReplica::process).toList();
        processes.forEach(Process::destroy);
        long giveUpNanos = System.nanoTime() + CLOSE_MAX.toNanos();
        for (Process process : processes) {
            try {
                process.waitFor(giveUpNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            process.destroyForcibly();
        }
    }
}
