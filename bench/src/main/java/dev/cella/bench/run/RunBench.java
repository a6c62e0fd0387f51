package dev.cella.bench.run;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.bench.cell.BenchedCell;
import dev.cella.bench.cell.Conditions;
import dev.cella.bench.cell.OtherProcesses;
import dev.cella.bench.cell.Servers;
import dev.cella.bench.cell.WarmUp;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskCounts;
import dev.cella.scheduler.batch.BatchPlacement;
import dev.cella.scheduler.batch.sparrow.SparrowSchedulerProvider;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.transactions.model.CellName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Measures the time from a submission until tasks RUN: small jobs one after another in an idle cell, then many tasks at once.
 * The scheduler and the agent are in this process. So is the server if there is one; three servers are processes.
 */
public final class RunBench {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final long REGISTERED_SECONDS_MAX = 300;
    private static final long RUN_SECONDS_MAX = 600;
    private static final int TASKS_A_JOB = 1_000;
    private static final Duration RUN_ONE_MAX = Duration.ofSeconds(60);
    private static final Duration WARM_STEP = Duration.ofSeconds(5);
    private static final long POLL_NANOS_MIN = 5_000_000;
    /** A question to the cell costs as much as some tasks, so it comes after one more hundredth of the time. */
    private static final long POLLS_A_TIME = 100;

    private static final double NANOS_A_MICRO = 1e3;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double NANOS_A_SECOND = 1e9;
    private static final MachineCapacity CAPACITY = new MachineCapacity(64_000, 262_144, 0);

    /**
     * The size of the measurement.
     *
     * @param machines hollow ones; 0: this machine, whose tasks are processes
     * @param tasks at once
     * @param rounds of those tasks, one after another
     * @param warmMax how long jobs of one task, one after another, warm the cell up at most
     * @param jobs of one task, one after another
     * @param isolation of processes: none, limits or full
     * @param probes in how many machines' queues each task waits; 0: the scheduler places it by itself
     */
    public record Question(
            int machines, int tasks, int rounds, Duration warmMax, int jobs, String isolation, long seed, int probes) {
        /** The type of the scheduler that serves the jobs. */
        String type() {
            return probes == 0 ? "batch" : "sparrow";
        }
    }

    /**
     * The results. Those of the many tasks are the last round's.
     *
     * @param runningPerSecondByRound of each round: in the first the compilers work most
     * @param queueClaimsPerSecond claims of kind QUEUE, from the first submission until all tasks run
     * @param cpuMicrosPerTask of all processes of the cell, for the many tasks, without the tasks themselves
     * @param cpuMicrosByPart the same by part
     */
    public record Report(
            Conditions conditions,
            Question question,
            double placedPerSecond,
            double runningPerSecond,
            List<Double> runningPerSecondByRound,
            double queueClaimsPerSecond,
            double cpuMicrosPerTask,
            Map<String, Double> cpuMicrosByPart,
            double p50Millis,
            double p99Millis) {
        public Report {
            runningPerSecondByRound = List.copyOf(runningPerSecondByRound);
            cpuMicrosByPart = Collections.unmodifiableMap(new LinkedHashMap<>(cpuMicrosByPart));
        }
    }

    private final Question question;
    private final HttpCell cell;

    /** The servers that are processes of their own. */
    private final OtherProcesses others;

    private RunBench(Question question, HttpCell cell, OtherProcesses others) {
        this.question = question;
        this.cell = cell;
        this.others = others;
    }

    /**
     * Founds a cell of one server in this process, with its data in that folder, and measures it.
     *
     * @param progress hears how far it is
     */
    public static Report run(Path folder, Question question, Consumer<String> progress) throws Exception {
        CellServerOptions options = CellServerOptions.defaults(folder.resolve("server"))
                .withCell(new CellName("run"))
                .withAddress(InetAddress.getByAddress("127.0.0.1", LOOPBACK), 0);
        CellServer server = CellServer.start(options, (message, cause) -> {
            throw new IllegalStateException(message, cause);
        });
        try {
            CellAddresses addresses = CellAddresses.of(URI.create(server.address()));
            return measure(folder, question, addresses, OtherProcesses.NONE, progress);
        } finally {
            server.close();
        }
    }

    /** Founds a cell of several servers, each a process, and measures it. */
    public static Report run(Path folder, Question question, Servers servers, Consumer<String> progress)
            throws Exception {
        try (BenchedCell cell = BenchedCell.found(servers)) {
            return measure(folder, question, cell.leaderFirst(), cell.others(), progress);
        }
    }

    private static Report measure(
            Path folder, Question question, CellAddresses addresses, OtherProcesses others, Consumer<String> progress)
            throws Exception {
        Conditions conditions = Conditions.measure(folder);
        LiveScheduler<?> scheduler = LiveScheduler.start(
                LiveSchedulerOptions.of(addresses, question.type(), question.type(), "0", question.seed()),
                scheduler(question));
        try (NodeAgent agent = NodeAgent.start(agentOptions(addresses, folder.resolve("agent"), question))) {
            agent.registered().get(REGISTERED_SECONDS_MAX, TimeUnit.SECONDS);
            return new RunBench(question, new HttpCell(addresses), others).measure(conditions, progress);
        } finally {
            scheduler.close();
        }
    }

    private static Scheduler<?> scheduler(Question question) {
        if (question.probes() == 0) {
            return BatchPlacement.FIRST_FIT.planner().scheduler();
        }
        SparrowSchedulerProvider sparrow = new SparrowSchedulerProvider();
        Map<String, String> set = Map.of("probes", String.valueOf(question.probes()));
        return sparrow.create(SchedulerOptions.of(sparrow.options(), set));
    }

    private static NodeAgentOptions agentOptions(CellAddresses addresses, Path folder, Question question)
            throws Exception {
        if (question.machines() == 0) {
            return NodeAgentOptions.of(addresses, MachineOptions.thisMachine("this", folder), folder, question.seed());
        }
        List<MachineOptions> machines = IntStream.range(0, question.machines())
                .mapToObj(place -> MachineOptions.hollow("m-" + place, CAPACITY))
                .toList();
        return NodeAgentOptions.of(addresses, machines.get(0), folder, question.seed())
                .withMachines(machines.subList(1, machines.size()))
                .withLease(Duration.ofMinutes(1))
                .withHollowRuntime(NodeAgentOptions.FOREVER);
    }

    private Report measure(Conditions conditions, Consumer<String> progress) throws IOException {
        WarmUp warmUp = new WarmUp(others, Duration.ZERO, WARM_STEP, question.warmMax(), progress);
        for (int job = 0; !warmUp.isOver(); job++) {
            runOne("warm-" + job);
        }
        double[] millis = new double[question.jobs()];
        for (int job = 0; job < question.jobs(); job++) {
            millis[job] = runOne("one-" + job) / NANOS_A_MILLI;
        }
        Arrays.sort(millis);
        List<Many> rounds =
                IntStream.range(0, question.rounds()).mapToObj(this::runMany).toList();
        Many many = rounds.get(rounds.size() - 1);
        return new Report(
                conditions,
                question,
                many.placedPerSecond(),
                many.runningPerSecond(),
                rounds.stream().map(Many::runningPerSecond).toList(),
                many.runningPerSecond() * question.probes(),
                many.cpuMicros(),
                many.cpuMicrosByPart(),
                quantile(millis, 0.50),
                quantile(millis, 0.99));
    }

    private static double quantile(double[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    }

    /** Nanoseconds from the submission to the answer that the task runs, or has run. */
    private long runOne(String name) {
        long begun = System.nanoTime();
        long version = cell.submitJob(job(name, 1)).getVersion();
        while (System.nanoTime() - begun < RUN_ONE_MAX.toNanos()) {
            JobStatus status = cell.getJob(GetJobRequest.newBuilder()
                    .setName(name)
                    .setChangedAfter(version)
                    .build());
            if (hasRun(status.getTasks()) > 0) {
                return System.nanoTime() - begun;
            }
            version = status.getVersion();
        }
        String why = cell.explainJob(
                        ExplainJobRequest.newBuilder().setName(name).build())
                .getSummary();
        throw new IllegalStateException("job " + name + " does not run after " + RUN_ONE_MAX + ": " + why);
    }

    private record Many(double placedPerSecond, double runningPerSecond, Map<String, Double> cpuMicrosByPart) {
        double cpuMicros() {
            return cpuMicrosByPart.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .sum();
        }
    }

    private Many runMany(int round) {
        if (question.tasks() == 0) {
            return new Many(0, 0, Map.of());
        }
        TaskCounts before = cell.getCell().getTasks();
        ThreadCpu cpuBegun = ThreadCpu.now();
        Duration serversBegun = others.cpu();
        long begun = System.nanoTime();
        List<String> names = new ArrayList<>();
        for (int left = question.tasks(); left > 0; left -= TASKS_A_JOB) {
            names.add("many-" + round + "-" + names.size());
            cell.submitJob(job(names.get(names.size() - 1), Math.min(left, TASKS_A_JOB)));
        }
        long placedNanos = 0;
        while (true) {
            TaskCounts counts = cell.getCell().getTasks();
            long now = System.nanoTime() - begun;
            long run = hasRun(counts) - hasRun(before);
            if (placedNanos == 0 && run + counts.getPlaced() - before.getPlaced() >= question.tasks()) {
                placedNanos = now;
            }
            if (run >= question.tasks()) {
                return new Many(
                        question.tasks() / (placedNanos / NANOS_A_SECOND),
                        question.tasks() / (now / NANOS_A_SECOND),
                        cpuMicrosByPart(cpuBegun, serversBegun));
            }
            if (now > TimeUnit.SECONDS.toNanos(RUN_SECONDS_MAX)) {
                throw new IllegalStateException("only " + run + " of " + question.tasks() + " tasks ran in time");
            }
            LockSupport.parkNanos(Math.max(POLL_NANOS_MIN, now / POLLS_A_TIME));
        }
    }

    private static long hasRun(TaskCounts counts) {
        return counts.getRunning() + counts.getFinished() + counts.getFailed() + counts.getKilled();
    }

    private Map<String, Double> cpuMicrosByPart(ThreadCpu begun, Duration serversBegun) {
        Map<String, Double> parts = new LinkedHashMap<>();
        Duration servers = others.cpu().minus(serversBegun);
        if (!servers.isZero()) {
            parts.put("(servers)", servers.toNanos() / NANOS_A_MICRO / question.tasks());
        }
        ThreadCpu.since(begun).forEach((part, nanos) -> parts.put(part, nanos / NANOS_A_MICRO / question.tasks()));
        return parts;
    }

    private Job job(String name, int tasks) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(question.type())
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .setCount(tasks)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 16)
                        .setRun(Run.newBuilder().addCommand("/bin/true").setIsolation(question.isolation())))
                .build();
    }
}
