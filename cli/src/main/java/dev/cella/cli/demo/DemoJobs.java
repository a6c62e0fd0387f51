package dev.cella.cli.demo;

import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ClaimRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits the demo's jobs, like any client: for each scheduler a stream of jobs with exponential gaps and sizes, each stream
 * with its own seed. One thread submits them all.
 */
final class DemoJobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoJobs.class);
    private static final int TASKS_MAX = 60;
    private static final String RUNTIME = "CELLA_HOLLOW_RUNTIME_MILLIS";
    private static final String RUNTIME_MEAN = "CELLA_HOLLOW_RUNTIME_MILLIS_MEAN";
    private static final long A_DAY_MILLIS = 86_400_000;

    private final HttpCell cell;
    private final ScheduledExecutorService submitter;

    DemoJobs(HttpCell cell) {
        this.cell = cell;
        this.submitter = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "demo-jobs");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Fills half of the cell, every machine alike, with tasks that outlast the demo. */
    void fillHalf(Random random) {
        Job job = job(
                        DemoScript.BEFORE,
                        DemoScript.BEFORE,
                        DemoScript.TASKS_BEFORE,
                        Map.of(RUNTIME, Long.toString(A_DAY_MILLIS)))
                .build();
        cell.submitJob(job);
        TransactionOutcome outcome = cell.commit(claimsFor(job, random));
        if (outcome.getResultsList().stream().anyMatch(result -> !result.getAccepted())) {
            throw new IllegalStateException("half of an empty cell could not be filled: " + outcome.getOutcome());
        }
    }

    private static TransactionRequest claimsFor(Job job, Random random) {
        TransactionRequest.Builder transaction =
                TransactionRequest.newBuilder().setId(DemoScript.BEFORE).setScheduler(DemoScript.BEFORE);
        List<String> machines = new ArrayList<>(DemoScript.lastingMachines());
        Collections.shuffle(machines, random);
        for (int index = 0; index < job.getGroups(0).getCount(); index++) {
            transaction.addClaims(ClaimRequest.newBuilder()
                    .setTask(job.getName() + "/main/" + index)
                    .setMachine(machines.get(index % machines.size())));
        }
        return transaction.build();
    }

    /** Begins to submit one scheduler's jobs, the first after a gap. */
    void begin(DemoScript.Planner planner, RandomGenerator random) {
        submitNext(planner, random, 1, System.nanoTime());
    }

    /** Submits each job at its time, however long the previous submission took. */
    @SuppressWarnings("FutureReturnValueIgnored") // a job that cannot be submitted is logged, and ends nothing
    private void submitNext(DemoScript.Planner planner, RandomGenerator random, int number, long lastNanos) {
        long dueNanos = lastNanos + (long) (exponential(random, 1 / planner.jobsASecond()) * 1_000_000_000L);
        submitter.schedule(
                () -> {
                    submit(planner, random, number);
                    submitNext(planner, random, number + 1, dueNanos);
                },
                dueNanos - System.nanoTime(),
                TimeUnit.NANOSECONDS);
    }

    private void submit(DemoScript.Planner planner, RandomGenerator random, int number) {
        String name = String.format(Locale.ROOT, "%s-%04d", planner.name(), number);
        int tasks = (int) Math.max(1, Math.min(TASKS_MAX, Math.round(exponential(random, planner.tasksMean()))));
        Map<String, String> env = Map.of(RUNTIME_MEAN, Long.toString(DemoScript.TASK_RUNTIME_MEAN.toMillis()));
        try {
            cell.submitJob(job(name, planner.name(), tasks, env)
                    .setAtomicity(planner.atomicity())
                    .setConflictRule(planner.conflictRule())
                    .build());
        } catch (RuntimeException refused) {
            LOG.warn("job={} scheduler={}: not submitted", name, planner.name(), refused);
        }
    }

    private static double exponential(RandomGenerator random, double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    private static Job.Builder job(String name, String scheduler, int tasks, Map<String, String> env) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .setScheduler(scheduler)
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .setCount(tasks)
                        .putResources("cpuMilli", DemoScript.TASK_CPU_MILLI)
                        .putResources("memoryMib", DemoScript.TASK_MEMORY_MIB)
                        .setRun(Run.newBuilder().addCommand("hollow").putAllEnv(env)));
    }

    /** Submits no more. */
    @Override
    public void close() {
        submitter.shutdownNow();
    }
}
