package dev.cella.cli.dev;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.client.CellAddresses;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.ReplicaConfiguration;
import dev.cella.client.proto.ServerConfiguration;
import dev.cella.state.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The servers of a development cell of several replicas: a process each, started by one file as an operator would, which
 * says where their ports are and stays with the data. They end with this process, however that ends.
 */
final class DevReplicas implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final Duration READY_MAX = Duration.ofMinutes(2);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration CLOSE_MAX = Duration.ofSeconds(3);

    private final Path folder;
    private final ServerConfiguration configuration;
    private final List<Process> processes = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private DevReplicas(Path folder, ServerConfiguration configuration) {
        this.folder = folder;
        this.configuration = configuration;
    }

    /** A cell keeps the number of replicas that it was founded with. */
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

    /** Starts all, and returns when each can be used. */
    static DevReplicas start(DevOptions options) throws IOException, InterruptedException {
        Path file = file(options);
        Path folder = Files.createDirectories(options.data().resolve("replicas"));
        DevReplicas replicas = new DevReplicas(folder, configuration(file, options));
        try {
            for (ReplicaConfiguration replica : replicas.configuration.getReplicasList()) {
                replicas.processes.add(replicas.start(replica.getName()));
            }
            replicas.awaitReady();
            return replicas;
        } catch (IOException | InterruptedException | RuntimeException failure) {
            replicas.close();
            throw failure;
        }
    }

    /** The logs keep their ports for ever, because the replicas know each other by them; the first door is where it was asked. */
    private static ServerConfiguration configuration(Path file, DevOptions options) throws IOException {
        ServerConfiguration.Builder configuration =
                Files.exists(file) ? read(file).toBuilder() : founded(options.replicas());
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

    private static ServerConfiguration.Builder founded(int count) throws IOException {
        ServerConfiguration.Builder configuration =
                ServerConfiguration.newBuilder().setCell(DevCell.NAME.text());
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

    private Process start(String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        // Else classes that are loaded at the start make it collect all garbage twice, and elections
                        // wait.
                        "-XX:MetaspaceSize=96m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.cella.cli.Main",
                        "server",
                        "--config",
                        folder.resolve("server.yaml").toString(),
                        "--replica",
                        name,
                        "--data",
                        folder.resolve(name).toString(),
                        "--until-input-ends")
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile())
                .start();
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    private void awaitReady() throws InterruptedException {
        long giveUpNanos = System.nanoTime() + READY_MAX.toNanos();
        for (int number = 0; number < processes.size(); number++) {
            ReplicaConfiguration replica = configuration.getReplicas(number);
            while (!isReady(replica)) {
                if (!processes.get(number).isAlive() || System.nanoTime() > giveUpNanos) {
                    throw CommandFailure.failed(
                            "replica " + replica.getName() + " did not start", log(replica.getName()) + " says why");
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY.toMillis());
            }
        }
    }

    private boolean isReady(ReplicaConfiguration replica) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(replica.getAddress()).resolve("/readyz"))
                .timeout(READY_MAX)
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notThereYet) {
            return false;
        }
    }

    CellAddresses addresses() {
        return new CellAddresses(configuration.getReplicasList().stream()
                .map(replica -> URI.create(replica.getAddress()))
                .toList());
    }

    /** All are told to stop at once; one that does not in time is ended. */
    @Override
    public void close() {
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
