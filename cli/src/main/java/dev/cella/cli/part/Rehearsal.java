package dev.cella.cli.part;

import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.TransactionStream;
import dev.cella.client.proto.CellReplica;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.Run;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.FreePorts;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.LogRpc;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cell of three replicas in this process, whose leader leaves. It loads the classes that a server needs when it begins to
 * lead.
 *
 * <p>The launcher keeps the classes of one process in an archive, and all servers take them from there. A follower has never
 * used the classes of a leader. When it takes over from a leader that leaves, it loads over 400 of them while all writers
 * wait. From the jars, that takes longer than the election.
 */
final class Rehearsal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

    private static final int REPLICAS = 3;
    private static final int TRIES_MAX = 200;
    private static final long TRY_AGAIN_MILLIS = 50;
    private static final long ANSWER_SECONDS_MAX = 60;

    private final List<Member> members;
    private final Map<String, CellServer> servers = new LinkedHashMap<>();

    private Rehearsal(List<Member> members) {
        this.members = members;
    }

    /** Rehearses with each way in which replicas talk. A failure is only logged: then the archive has fewer classes. */
    static void run(Path folder) throws InterruptedException {
        for (LogRpc rpc : LogRpc.values()) {
            try {
                var unused = run(folder.resolve(String.valueOf(rpc)), rpc);
            } catch (IOException | ExecutionException | TimeoutException | RuntimeException failure) {
                LOG.warn("rpc={}: the rehearsal failed", rpc, failure);
            }
        }
    }

    /** Returns the names of the leaders, before and after the first one left. */
    static List<String> run(Path folder, LogRpc rpc)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        try (Rehearsal cell = new Rehearsal(members())) {
            cell.start(folder, rpc);
            cell.use("before");
            String first = cell.leader();
            cell.leave(first);
            cell.use("after");
            return List.of(first, cell.leader());
        }
    }

    private static List<Member> members() throws IOException {
        List<Integer> ports = FreePorts.find(2 * REPLICAS, new Random());
        return IntStream.range(0, REPLICAS)
                .mapToObj(replica -> new Member(
                        "r" + (replica + 1),
                        "127.0.0.1:" + ports.get(REPLICAS + replica),
                        URI.create("http://127.0.0.1:" + ports.get(replica))))
                .toList();
    }

    /** All at once, because they found the cell together. */
    private void start(Path folder, LogRpc rpc) throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, CompletableFuture<CellServer>> starting = new LinkedHashMap<>();
        for (Member member : members) {
            starting.put(
                    member.name(),
                    CompletableFuture.supplyAsync(
                            () -> start(options(folder, member, rpc)),
                            start -> new Thread(start, member.name()).start()));
        }
        for (Map.Entry<String, CompletableFuture<CellServer>> server : starting.entrySet()) {
            servers.put(server.getKey(), server.getValue().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
        }
    }

    private CellServerOptions options(Path folder, Member member, LogRpc rpc) {
        CellServerOptions options = CellServerOptions.defaults(folder.resolve(member.name()))
                .withFreeBytesMin(0)
                .withPort(member.address().getPort());
        return options.withReplica(options.replica()
                .withLog(RatisOptions.defaults().withRpc(rpc))
                .withMembership(new Membership(member.name(), members)));
    }

    private static CellServer start(CellServerOptions options) {
        try {
            return CellServer.start(options, (why, cause) -> LOG.warn("the rehearsal failed: {}", why, cause));
        } catch (IOException | StartRefusedException | InterruptedException failure) {
            throw new IllegalStateException("a server of the rehearsal does not start", failure);
        }
    }

    /** By users and by a scheduler, whose requests reach each of the replicas. */
    private void use(String when) throws InterruptedException, ExecutionException, TimeoutException {
        for (Map.Entry<String, CellServer> server : servers.entrySet()) {
            HttpCell http = http(server.getValue());
            var unusedMachine = again(() -> http.putMachine(PutMachineRequest.newBuilder()
                    .setName("m-1")
                    .putCapacity("cpuMilli", 1000)
                    .putCapacity("memoryMib", 1000)
                    .build()));
            var unusedList = http.listMachines(
                    ListMachinesRequest.newBuilder().setLimit(1).build());
            JobSubmitted job = again(() -> http.submitJob(job(when + "-" + server.getKey())));
            commit(server.getValue(), job);
        }
    }

    private static HttpCell http(CellServer server) {
        return new HttpCell(CellAddresses.of(URI.create(server.address())));
    }

    private static Job job(String name) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler("rehearsal")
                .addGroups(Group.newBuilder()
                        .setCount(1)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 1)
                        .setRun(Run.newBuilder().addCommand("true")))
                .build();
    }

    private static void commit(CellServer server, JobSubmitted job)
            throws InterruptedException, ExecutionException, TimeoutException {
        CellVersion submitted = new CellVersion(job.getVersion());
        Transaction transaction = Transaction.builder(new TransactionId("rehearsal-" + submitted), "rehearsal")
                .basis(submitted)
                .machinesAsOf(submitted)
                .claim(submitted.number(), 0, 0, 1, 0)
                .build();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try (CellConnection connection = CellConnection.open(URI.create(server.address()));
                TransactionStream stream = new TransactionStream(connection, thread, Backoff.standard(new Random(1)))) {
            var unusedOutcome = stream.submit(transaction).get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        } finally {
            thread.shutdown();
        }
    }

    private String leader() throws InterruptedException {
        HttpCell http = http(servers.values().iterator().next());
        return again(() -> http.getCell().getReplicasList().stream()
                .filter(CellReplica::getLeader)
                .map(CellReplica::getName)
                .findFirst()
                .orElseThrow(() -> Problem.noLeader("no replica leads the cell")));
    }

    private void leave(String name) throws IOException {
        CellServer leaving = servers.remove(name);
        if (leaving == null) {
            throw new IllegalStateException("no server is called " + name);
        }
        leaving.close();
    }

    /** Until a leader is known. */
    private static <A> A again(Supplier<A> call) throws InterruptedException {
        for (int triesLeft = TRIES_MAX; ; triesLeft--) {
            try {
                return call.get();
            } catch (Problem | CellUnreachable notYet) {
                if (triesLeft == 0) {
                    throw notYet;
                }
                TimeUnit.MILLISECONDS.sleep(TRY_AGAIN_MILLIS);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (CellServer server : servers.values()) {
            server.close();
        }
    }
}
