package dev.cella.bench.run;

import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.bench.cell.Conditions;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TaskCounts;
import dev.cella.scheduler.batch.BatchPlacement;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.transactions.model.CellName;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Measures the time from a submission until tasks RUN: many tasks at once, then small jobs one after another in an idle cell.
 * The whole cell is in this process: one replica, one scheduler, one agent.
 */
public final class RunBench {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final long REGISTERED_SECONDS_MAX = 300;
    private static final long RUN_SECONDS_MAX = 600;
    private static final int TASKS_A_JOB = 1_000;
    private static final int WARM_JOBS = 50;
    private static final long POLL_NANOS = 5_000_000;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double NANOS_A_SECOND = 1e9;
    private static final MachineCapacity CAPACITY = new MachineCapacity(64_000, 262_144, 0);

    /**
     * The size of the measurement.
     *
     * @param machines hollow ones; 0: this machine, whose tasks are processes
     * @param tasks at once
     * @param jobs of one task, one after another
     */
    public record Question(int machines, int tasks, int jobs, long seed) {}

    /**
     * The results.
     *
     * @param cpuMicrosPerTask of the whole process, for the many tasks
     */
    public record Report(
            Conditions conditions,
            Question question,
            double placedPerSecond,
            double runningPerSecond,
            double cpuMicrosPerTask,
            double p50Millis,
            double p99Millis) {}

    private final Question question;
    private final HttpCell cell;

    private RunBench(Question question, HttpCell cell) {
        this.question = question;
        this.cell = cell;
    }

    /** Founds a cell in that folder and measures it. */
    public static Report run(Path folder, Question question) throws Exception {
        Conditions conditions = Conditions.measure(folder);
        CellServerOptions options = CellServerOptions.defaults(folder.resolve("server"))
                .withCell(new CellName("run"))
                .withAddress(InetAddress.getByAddress("127.0.0.1", LOOPBACK), 0);
        CellServer server = CellServer.start(options, (message, cause) -> {
            throw new IllegalStateException(message, cause);
        });
        URI address = URI.create(server.address());
        LiveScheduler<?> scheduler = LiveScheduler.start(
                LiveSchedulerOptions.of(address, "batch", "batch", "0", question.seed()),
                BatchPlacement.FIRST_FIT.planner().scheduler());
        try (NodeAgent agent = NodeAgent.start(agentOptions(address, folder.resolve("agent"), question))) {
            agent.registered().get(REGISTERED_SECONDS_MAX, TimeUnit.SECONDS);
            return new RunBench(question, new HttpCell(address)).measure(conditions);
        } finally {
            scheduler.close();
            server.close();
        }
    }

    private static NodeAgentOptions agentOptions(URI address, Path folder, Question question) throws Exception {
        if (question.machines() == 0) {
            return NodeAgentOptions.of(address, MachineOptions.thisMachine("this", folder), folder, question.seed());
        }
        List<MachineOptions> machines = IntStream.range(0, question.machines())
                .mapToObj(place -> MachineOptions.hollow("m-" + place, CAPACITY))
                .toList();
        return NodeAgentOptions.of(address, machines.get(0), folder, question.seed())
                .withMachines(machines.subList(1, machines.size()))
                .withLease(Duration.ofMinutes(1))
                .withHollowRuntime(NodeAgentOptions.FOREVER);
    }

    private Report measure(Conditions conditions) {
        for (int job = 0; job < WARM_JOBS; job++) {
            runOne("warm-" + job);
        }
        double[] millis = new double[question.jobs()];
        for (int job = 0; job < question.jobs(); job++) {
            millis[job] = runOne("one-" + job) / NANOS_A_MILLI;
        }
        Arrays.sort(millis);
        Many many = runMany();
        return new Report(
                conditions,
                question,
                many.placedPerSecond(),
                many.runningPerSecond(),
                many.cpuMicros(),
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
        while (true) {
            JobStatus status = cell.getJob(GetJobRequest.newBuilder()
                    .setName(name)
                    .setChangedAfter(version)
                    .build());
            if (hasRun(status.getTasks()) > 0) {
                return System.nanoTime() - begun;
            }
            version = status.getVersion();
        }
    }

    private record Many(double placedPerSecond, double runningPerSecond, double cpuMicros) {}

    private Many runMany() {
        if (question.tasks() == 0) {
            return new Many(0, 0, 0);
        }
        TaskCounts before = cell.getCell().getTasks();
        long cpuBegun = cpuNanos();
        long begun = System.nanoTime();
        List<String> names = new ArrayList<>();
        for (int left = question.tasks(); left > 0; left -= TASKS_A_JOB) {
            names.add("many-" + names.size());
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
                        (cpuNanos() - cpuBegun) / 1e3 / question.tasks());
            }
            if (now > TimeUnit.SECONDS.toNanos(RUN_SECONDS_MAX)) {
                throw new IllegalStateException("only " + run + " of " + question.tasks() + " tasks ran in time");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static long hasRun(TaskCounts counts) {
        return counts.getRunning() + counts.getFinished() + counts.getFailed() + counts.getKilled();
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static Job job(String name, int tasks) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .setCount(tasks)
                        .putResources("cpuMilli", 1)
                        .putResources("memoryMib", 16)
                        .setRun(Run.newBuilder().addCommand("/bin/true")))
                .build();
    }
}
