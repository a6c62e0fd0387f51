package dev.cella.bench.conflicts;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Atomicity;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.ConflictRule;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskCounts;
import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.LoopCounters;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A cell of hollow machines that schedulers contend for. Belongs to the thread that measures. */
final class ContestedCell implements AutoCloseable {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final long FREE_BYTES_MIN = 256L << 20;
    private static final long REGISTERED_SECONDS_MAX = 60;
    private static final MachineCapacity CAPACITY = new MachineCapacity(4_000, 16_384, 0);
    private static final int TASK_CPU_MILLI = 500;
    private static final int TASK_MEMORY_MIB = 1_024;
    private static final int SLOTS = 8;
    private static final int TASKS = 8;
    private static final String RUNTIME_MILLIS = "200";
    private static final String FOREVER_MILLIS = "86400000";
    private static final int CLAIMS_MAX = 1_000;
    private static final long POLL_MILLIS = 20;
    private static final long ATTEMPTS_SECONDS_MAX = 30;

    private final CellServer server;
    private final NodeAgent agent;
    private final HttpCell http;
    private final Random random;
    private final List<String> freeSlots;
    private final int slots;
    private int filled;
    private int points;

    private ContestedCell(CellServer server, NodeAgent agent, List<String> machines, Random random) {
        this.server = server;
        this.agent = agent;
        this.http = new HttpCell(URI.create(server.address()));
        this.random = random;
        this.freeSlots = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            freeSlots.addAll(machines);
        }
        Collections.shuffle(freeSlots, random);
        this.slots = freeSlots.size();
    }

    static ContestedCell found(Path folder, int machines, long seed) throws Exception {
        Random random = new Random(seed);
        CellServerOptions options = CellServerOptions.defaults(folder.resolve("server"))
                .withCell(new CellName("conflicts"))
                .withFreeBytesMin(FREE_BYTES_MIN)
                .withAddress(InetAddress.getByAddress("127.0.0.1", LOOPBACK), 0);
        CellServer server = CellServer.start(options, (message, cause) -> {
            throw new IllegalStateException(message, cause);
        });
        List<String> names =
                IntStream.range(0, machines).mapToObj(place -> "m-" + place).toList();
        List<MachineOptions> hollow = names.stream()
                .map(name -> MachineOptions.hollow(name, CAPACITY))
                .toList();
        NodeAgent agent = NodeAgent.start(NodeAgentOptions.of(
                        URI.create(server.address()), hollow.get(0), folder.resolve("agent"), random.nextLong())
                .withMachines(hollow.subList(1, machines)));
        agent.registered().get(REGISTERED_SECONDS_MAX, TimeUnit.SECONDS);
        return new ContestedCell(server, agent, names, random);
    }

    /** Fills it that far, on machines drawn at random, with tasks that outlast the measurement. */
    void fill(int percent) throws InterruptedException {
        awaitTheirTasksEnd();
        int missing = slots * percent / 100 - filled;
        while (missing > 0) {
            int tasks = Math.min(missing, CLAIMS_MAX);
            String name = "fill-" + filled;
            http.submitJob(job(name, name, tasks, FOREVER_MILLIS).build());
            TransactionRequest.Builder claims =
                    TransactionRequest.newBuilder().setId(name).setScheduler(name);
            for (int task = 0; task < tasks; task++) {
                claims.addClaims(ClaimRequest.newBuilder()
                        .setTask(name + "/main/" + task)
                        .setMachine(freeSlots.remove(freeSlots.size() - 1)));
            }
            TransactionOutcome outcome = http.commit(claims.build());
            if (outcome.getResultsList().stream().anyMatch(result -> !result.getAccepted())) {
                throw new IllegalStateException("the cell could not be filled to " + percent + " %");
            }
            filled += tasks;
            missing -= tasks;
        }
    }

    /** Tasks of the previous schedulers run for a moment, and must not count as the cell's own load. */
    private void awaitTheirTasksEnd() throws InterruptedException {
        TaskCounts tasks = http.getCell().getTasks();
        while (tasks.getPlaced() + tasks.getRunning() + tasks.getStopping() > filled) {
            Thread.sleep(POLL_MILLIS);
            tasks = http.getCell().getTasks();
        }
    }

    /** Runs the point's schedulers until each has made the given number of attempts on average. */
    ConflictFigures measure(ConflictPoint point, DecisionTime thinks, int attempts) throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (int scheduler = 0; scheduler < point.schedulers(); scheduler++) {
            names.add("s-" + points + "-" + scheduler);
        }
        points++;
        names.forEach(name -> submitJobs(name, 2 * attempts, point));
        List<LiveScheduler<?>> schedulers = new ArrayList<>();
        try {
            names.forEach(name -> schedulers.add(start(name, point, thinks)));
            return ConflictFigures.of(point, awaitAttempts(schedulers, (long) attempts * schedulers.size()));
        } finally {
            schedulers.forEach(LiveScheduler::close);
        }
    }

    /** Counts attempts, not time, so that a busy machine only makes it take longer. */
    private static List<LoopCounters> awaitAttempts(List<LiveScheduler<?>> schedulers, long attempts)
            throws InterruptedException {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(ATTEMPTS_SECONDS_MAX);
        List<LoopCounters> counters = counters(schedulers);
        while (attempted(counters) < attempts && System.nanoTime() < giveUp) {
            Thread.sleep(POLL_MILLIS);
            counters = counters(schedulers);
        }
        return counters;
    }

    private static long attempted(List<LoopCounters> counters) {
        return counters.stream().mapToLong(LoopCounters::transactionsAttempted).sum();
    }

    private static List<LoopCounters> counters(List<LiveScheduler<?>> schedulers) {
        List<LoopCounters> counters = new ArrayList<>();
        for (LiveScheduler<?> scheduler : schedulers) {
            scheduler.status().join().map(LoopStatus::counters).ifPresent(counters::add);
        }
        return counters;
    }

    private void submitJobs(String scheduler, int jobs, ConflictPoint point) {
        for (int number = 0; number < jobs; number++) {
            http.submitJob(job(scheduler + "-" + number, scheduler, TASKS, RUNTIME_MILLIS)
                    .setAtomicity(Atomicity.valueOf("ATOMICITY_" + point.atomicity()))
                    .setConflictRule(ConflictRule.valueOf("CONFLICT_RULE_" + point.conflictRule()))
                    .build());
        }
    }

    private LiveScheduler<?> start(String name, ConflictPoint point, DecisionTime thinks) {
        LiveSchedulerOptions options = LiveSchedulerOptions.of(
                        URI.create(server.address()), name, "batch", "0", random.nextLong())
                .withDecisionTime(thinks);
        return LiveScheduler.start(options, point.placement().planner().scheduler());
    }

    private static Job.Builder job(String name, String scheduler, int tasks, String runtimeMillis) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(scheduler)
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .setCount(tasks)
                        .putResources("cpuMilli", TASK_CPU_MILLI)
                        .putResources("memoryMib", TASK_MEMORY_MIB)
                        .setRun(Run.newBuilder()
                                .addCommand("hollow")
                                .putEnv("CELLA_HOLLOW_RUNTIME_MILLIS", runtimeMillis)));
    }

    @Override
    public void close() throws IOException {
        agent.close();
        server.close();
    }
}
