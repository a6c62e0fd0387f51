package dev.cella.bench.cell;

import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.ScaleJobRequest;
import dev.cella.state.FreePorts;
import dev.cella.state.core.DurableFiles;
import dev.cella.transactions.model.JobHeader;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A cell that is founded for a measurement, in a folder that is removed with it. Its machines have no agents. */
public final class BenchedCell implements AutoCloseable {
    /**
     * So large that no claim of a measurement is refused: the measurement is about the commit path, not about finding room.
     */
    private static final long CAPACITY = 1L << 40;

    private static final int ASKED_AT_ONCE = 16;

    private final Servers servers;
    private final Path folder;
    private final List<Integer> ports;
    private final List<ServerProcess> running = new ArrayList<>();
    private HttpCell http;

    private BenchedCell(Servers servers, Path folder) throws IOException {
        this.servers = servers;
        this.folder = folder;
        this.ports = FreePorts.find(2 * servers.replicas(), new SecureRandom());
        Files.writeString(folder.resolve("replicas.yaml"), replicasFile());
        this.http = start();
    }

    /** Starts its servers, and returns when each answers. */
    public static BenchedCell found(Servers servers) throws IOException {
        return new BenchedCell(servers, Files.createTempDirectory("cella-bench"));
    }

    private String replicasFile() {
        StringBuilder file = new StringBuilder("replicas:\n");
        for (int replica = 0; replica < servers.replicas(); replica++) {
            file.append("  - {name: r%d, log: \"127.0.0.1:%d\", address: \"%s\"}%n"
                    .formatted(replica + 1, ports.get(servers.replicas() + replica), address(replica)));
        }
        return file.toString();
    }

    private URI address(int replica) {
        return URI.create("http://127.0.0.1:" + ports.get(replica));
    }

    /** Starts all servers at once, and returns when each answers. */
    private HttpCell start() throws IOException {
        running.clear();
        for (int replica = 0; replica < servers.replicas(); replica++) {
            running.add(start(replica));
        }
        for (ServerProcess server : running) {
            server.awaitAddress();
        }
        return new HttpCell(addresses());
    }

    private ServerProcess start(int replica) throws IOException {
        return ServerProcess.start(servers, folder.resolve("r" + (replica + 1)), flags(replica));
    }

    private List<String> flags(int replica) {
        List<String> flags = new ArrayList<>(List.of("--port", String.valueOf(ports.get(replica))));
        if (servers.replicas() > 1) {
            flags.addAll(List.of("--config", folder.resolve("replicas.yaml").toString()));
            flags.addAll(List.of("--replica", "r" + (replica + 1), "--rpc", servers.rpc()));
            flags.addAll(List.of("--election-timeout", servers.electionTimeout()));
        }
        return flags;
    }

    public CellAddresses addresses() {
        return new CellAddresses(
                IntStream.range(0, servers.replicas()).mapToObj(this::address).toList());
    }

    /** The addresses with the leader first, because measurements of the commit path begin at the leader. */
    CellAddresses leaderFirst() {
        List<URI> addresses = new ArrayList<>(addresses().all());
        addresses.add(0, address(leader()));
        return new CellAddresses(addresses);
    }

    private int leader() {
        List<CellReplica> replicas = http.getCell().getReplicasList();
        return IntStream.range(0, replicas.size())
                .filter(replica -> replicas.get(replica).getLeader())
                .findFirst()
                .orElse(0);
    }

    public Conditions conditions() throws IOException {
        return Conditions.measure(folder);
    }

    /** The processor time of all servers since their start. */
    public Duration cpu() {
        return running.stream().map(ServerProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** The leader's process, as of now. */
    ServerProcess leading() {
        return running.get(leader());
    }

    /** The processor time of all servers' compilers since their start. */
    Duration compiling() throws IOException {
        Duration all = Duration.ZERO;
        for (ServerProcess server : running) {
            all = all.plus(server.compiling());
        }
        return all;
    }

    /** As kill -9 does; says which it was. */
    int killLeader() {
        int leader = leader();
        running.get(leader).kill();
        return leader;
    }

    /** Restarts a killed server, and returns when it has caught up and answers. */
    void startAgain(int replica) throws IOException, InterruptedException {
        running.set(replica, start(replica));
        running.get(replica).awaitAddress();
        while (!isReady(replica)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private boolean isReady(int replica) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address(replica).resolve("/readyz")).build();
        return HttpClient.newHttpClient()
                        .send(request, BodyHandlers.discarding())
                        .statusCode()
                == 200;
    }

    public HttpCell http() {
        return http;
    }

    /** Registers machines; they take the first slots of the cell. */
    void putMachines(int count) {
        ExecutorService askers = Executors.newFixedThreadPool(ASKED_AT_ONCE);
        try {
            CompletableFuture.allOf(IntStream.range(0, count)
                            .mapToObj(machine -> CompletableFuture.runAsync(() -> putMachine(machine), askers))
                            .toArray(CompletableFuture[]::new))
                    .join();
        } finally {
            askers.shutdownNow();
        }
    }

    private void putMachine(int machine) {
        http.putMachine(PutMachineRequest.newBuilder()
                .setName("m-" + machine)
                .putCapacity("cpuMilli", CAPACITY)
                .putCapacity("memoryMib", CAPACITY)
                .build());
    }

    /** A job of as many tasks as a job may have. */
    JobSubmitted submitJob(String name, String scheduler) {
        return http.submitJob(Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(scheduler)
                .addGroups(Group.newBuilder()
                        .setCount(JobHeader.TASKS_MAX)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 1)
                        .setRun(Run.newBuilder().addCommand("true")))
                .build());
    }

    /** Drops the last tasks of a job, which have ended. */
    void shrinkJob(String name, int tasks) {
        http.scaleJob(ScaleJobRequest.newBuilder().setName(name).setCount(tasks).build());
    }

    /** Kills all servers as kill -9 does, starts others on their data, and returns how long they were away. */
    Duration restart() throws IOException {
        running.forEach(ServerProcess::kill);
        http = start();
        return running.get(0).age();
    }

    /** The first server's metrics after a garbage collection. */
    ServerMetrics metrics() throws IOException, InterruptedException {
        running.get(0).collectGarbage();
        return ServerMetrics.read(address(0));
    }

    @Override
    public void close() throws IOException {
        running.forEach(ServerProcess::close);
        DurableFiles.removeTree(folder);
    }
}
