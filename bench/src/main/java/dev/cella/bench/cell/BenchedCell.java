package dev.cella.bench.cell;

import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.access.CellAccess;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReplaceMemberRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.ScaleJobRequest;
import dev.cella.client.proto.TransferLeadRequest;
import dev.cella.state.FreePorts;
import dev.cella.state.core.DurableFiles;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cell that is founded for a measurement, in a folder that is removed with it. Its machines have no agents. */
public final class BenchedCell implements AutoCloseable {
    /**
     * So large that no claim of a measurement is refused: the measurement is about the commit path, not about finding room.
     */
    private static final long CAPACITY = 1L << 40;

    private static final int ASKED_AT_ONCE = 16;

    /** A line of a server's log. */
    private static final Pattern BEGAN_TO_LEAD = Pattern.compile("version=\\d+ leads$");

    private final Servers servers;
    private final BenchFolder made;
    private final Path folder;
    private final List<Integer> ports;
    private final List<PartProcess> running = new ArrayList<>();
    private final List<PartProcess> schedulers = new ArrayList<>();
    private final Optional<BenchedAccess> closed;
    private CellAccess access = CellAccess.NONE;
    private HttpCell http;
    private final Consumer<String> progress;

    private BenchedCell(Servers servers, BenchFolder made, Consumer<String> progress) throws IOException {
        this.servers = servers;
        this.progress = progress;
        this.made = made;
        this.folder = made.path();
        this.ports = FreePorts.find(2 * servers.replicas(), new SecureRandom());
        this.closed = servers.closed() ? Optional.of(new BenchedAccess(folder)) : Optional.empty();
        Files.writeString(folder.resolve("replicas.yaml"), replicasFile());
        this.http = start();
    }

    /** Starts its servers, and returns when each answers. */
    public static BenchedCell found(Servers servers) throws IOException {
        return found(servers, quiet -> {});
    }

    /** The same, of a measurement whose user wants to see how far it is. */
    static BenchedCell found(Servers servers, Consumer<String> progress) throws IOException {
        return new BenchedCell(servers, BenchFolder.make("cella-bench"), progress);
    }

    /** Hears how far the measurement is, as whole texts: {@link #say} would take a % in them for a place. */
    Consumer<String> progress() {
        return progress;
    }

    /** Tells the user how far the measurement is. */
    void say(String format, Object... values) {
        progress.accept(String.format(Locale.ROOT, format, values));
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
        return URI.create((servers.closed() ? "https" : "http") + "://127.0.0.1:" + ports.get(replica));
    }

    /** Starts all servers at once, and returns when each answers. */
    private HttpCell start() throws IOException {
        running.clear();
        for (int replica = 0; replica < servers.replicas(); replica++) {
            running.add(start(replica));
        }
        for (PartProcess server : running) {
            server.awaitFirstLine("http");
        }
        if (closed.isPresent()) {
            access = closed.get().await(directories());
        }
        return new HttpCell(addresses());
    }

    private PartProcess start(int replica) throws IOException {
        return PartProcess.start(servers.mainClass(), servers.javaOptions(), arguments(replica), log(name(replica)));
    }

    /** What the process of that name logs. */
    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    private Path directory(int replica) {
        return folder.resolve(name(replica));
    }

    private List<Path> directories() {
        return IntStream.range(0, servers.replicas()).mapToObj(this::directory).toList();
    }

    /** The name of a replica in the cell. */
    static String name(int replica) {
        return "r" + (replica + 1);
    }

    private List<String> arguments(int replica) {
        List<String> arguments =
                new ArrayList<>(List.of("server", "--data", directory(replica).toString()));
        arguments.addAll(List.of("--port", String.valueOf(ports.get(replica))));
        if (servers.replicas() > 1) {
            arguments.addAll(List.of("--config", folder.resolve("replicas.yaml").toString()));
            arguments.addAll(List.of("--replica", name(replica), "--rpc", servers.rpc()));
            arguments.addAll(List.of("--election-timeout", servers.electionTimeout()));
        }
        closed.ifPresent(
                made -> arguments.addAll(List.of("--tls", made.certificates().toString())));
        return arguments;
    }

    public CellAddresses addresses() {
        return new CellAddresses(
                IntStream.range(0, servers.replicas()).mapToObj(this::address).toList(), access);
    }

    /** The addresses with the leader first, because measurements of the commit path begin at the leader. */
    public CellAddresses leaderFirst() {
        List<URI> addresses = new ArrayList<>(addresses().all());
        addresses.add(0, address(leader()));
        return new CellAddresses(addresses, access);
    }

    /** The place of the replica that leads now. */
    int leader() {
        List<CellReplica> replicas = http.getCell().getReplicasList();
        return IntStream.range(0, replicas.size())
                .filter(replica -> replicas.get(replica).getLeader())
                .findFirst()
                .orElse(0);
    }

    int replicas() {
        return servers.replicas();
    }

    public Conditions conditions() throws IOException {
        return Conditions.measure(folder);
    }

    /** The processor time of all servers since their start. */
    Duration cpu() {
        return new OtherProcesses(running).cpu();
    }

    /**
     * Starts schedulers of type {@code batch}, each a process, and returns when each has opened its session. They end with the
     * cell.
     */
    void startSchedulers(List<String> names, long seed) throws IOException {
        for (String name : names) {
            schedulers.add(PartProcess.start(
                    servers.mainClass(), servers.schedulerJavaOptions(), schedulerArguments(name, seed), log(name)));
        }
        for (PartProcess scheduler : schedulers) {
            scheduler.awaitFirstLine("scheduler ");
        }
    }

    private List<String> schedulerArguments(String name, long seed) {
        String address = addresses().all().stream().map(URI::toString).collect(Collectors.joining(","));
        List<String> arguments = new ArrayList<>(List.of("scheduler", "--type", "batch", "--name", name));
        arguments.addAll(List.of("--seed", String.valueOf(seed), "--address", address));
        return arguments;
    }

    /** The processor time of all schedulers that are processes, since their start. */
    Duration schedulersCpu() {
        return schedulers.stream().map(PartProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** The resident memory of the leader, and of the largest follower and scheduler. */
    Map<String, Double> mibByPart() throws IOException {
        PartProcess leader = leading();
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("leader", leader.memory().mib());
        for (PartProcess server : running) {
            if (server != leader) {
                parts.merge("follower", server.memory().mib(), Math::max);
            }
        }
        for (PartProcess scheduler : schedulers) {
            parts.merge("scheduler", scheduler.memory().mib(), Math::max);
        }
        return parts;
    }

    /** The leader's process, as of now. */
    PartProcess leading() {
        return running.get(leader());
    }

    /** All servers as of now, the leader first. */
    List<PartProcess> leaderAndOthers() {
        List<PartProcess> servers = new ArrayList<>(running);
        servers.add(0, servers.remove(leader()));
        return servers;
    }

    /** All servers and schedulers. */
    public OtherProcesses others() {
        List<PartProcess> all = new ArrayList<>(running);
        all.addAll(schedulers);
        return new OtherProcesses(all);
    }

    /** As kill -9 does; says which it was. */
    int killLeader() {
        int leader = leader();
        running.get(leader).kill();
        return leader;
    }

    /** Asks a server to stop, and returns when it has. */
    void stop(int replica) {
        running.get(replica).close();
    }

    /** Transfers the leadership to a replica, and returns when it leads. */
    void transferTo(int replica) {
        http.transferLead(
                TransferLeadRequest.newBuilder().setName(name(replica)).build());
    }

    /** Stops the leader's process for a while, as a slow machine does. */
    void pauseLeader(Duration pause) throws IOException, InterruptedException {
        leading().pause(pause);
    }

    /** How often a replica has begun to lead, by the logs of the servers since their last start. */
    int beganToLead() throws IOException {
        int times = 0;
        for (int replica = 0; replica < servers.replicas(); replica++) {
            try (Stream<String> lines = Files.lines(log(name(replica)))) {
                times += (int)
                        lines.filter(line -> BEGAN_TO_LEAD.matcher(line).find()).count();
            }
        }
        return times;
    }

    /** Kills a server and removes its directory. */
    void lose(int replica) throws IOException {
        running.get(replica).kill();
        DurableFiles.removeTree(directory(replica));
    }

    /** Starts a server on an empty directory, has the cell take it, and returns when it has caught up and answers. */
    void replace(int replica) throws IOException, InterruptedException {
        running.set(replica, start(replica));
        ReplaceMemberRequest request =
                ReplaceMemberRequest.newBuilder().setName(name(replica)).build();
        while (!isReplaced(request)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        running.get(replica).awaitFirstLine("http");
        awaitReady(replica);
    }

    /** Refused while no server answers there, or while no replica leads. */
    private boolean isReplaced(ReplaceMemberRequest request) {
        try {
            http.replaceMember(request);
            return true;
        } catch (Problem | CellUnreachable notYet) {
            return false;
        }
    }

    private void awaitReady(int replica) throws IOException, InterruptedException {
        while (!isReady(replica)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Restarts a killed server, and returns when it has caught up and answers. */
    void startAgain(int replica) throws IOException, InterruptedException {
        running.set(replica, start(replica));
        running.get(replica).awaitFirstLine("http");
        awaitReady(replica);
    }

    private boolean isReady(int replica) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address(replica).resolve("/readyz")).build();
        return client().send(request, BodyHandlers.discarding()).statusCode() == 200;
    }

    private HttpClient client() {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        access.tls().ifPresent(tls -> client.sslContext(tls.context()));
        return client.build();
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

    JobSubmitted submitJob(String name, String scheduler, int tasks) {
        return http.submitJob(Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(scheduler)
                .addGroups(Group.newBuilder()
                        .setCount(tasks)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 1)
                        .setRun(Run.newBuilder().addCommand("true")))
                .build());
    }

    /** Drops the last tasks of a job. Those that are placed end, because their machines have no agents. */
    JobSubmitted shrinkJob(String name, int tasks) {
        return http.scaleJob(
                ScaleJobRequest.newBuilder().setName(name).setCount(tasks).build());
    }

    /** Kills all servers as kill -9 does, starts others on their data, and returns how long they were away. */
    Duration restart() throws IOException {
        running.forEach(PartProcess::kill);
        http = start();
        return running.get(0).age();
    }

    /** The first server's metrics after a garbage collection. */
    ServerMetrics metricsOfLiveHeap() throws IOException, InterruptedException {
        running.get(0).collectGarbage();
        return metrics();
    }

    /** The first server's metrics. */
    ServerMetrics metrics() throws IOException, InterruptedException {
        return ServerMetrics.read(client(), address(0), access);
    }

    @Override
    public void close() throws IOException {
        schedulers.forEach(PartProcess::close);
        running.forEach(PartProcess::close);
        made.close();
    }
}
