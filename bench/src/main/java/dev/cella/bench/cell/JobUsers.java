package dev.cella.bench.cell;

import dev.cella.client.http.CellUnreachable;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.StopJobRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Users of a cell whose schedulers are processes: each submits a job, waits until all its tasks are placed, and ends it. So
 * the size of the cell stays constant. The machines have no agents, so what is placed ends with its job.
 */
final class JobUsers implements WarmUp.Load, AutoCloseable {
    private static final Duration PLACED_MAX = Duration.ofMinutes(2);
    private static final Duration LEFT_MAX = Duration.ofSeconds(20);
    private static final Duration A_MOMENT = Duration.ofMillis(1);
    private static final int DIGITS = 3;

    /** A cell that does not keep up must not be asked by thousands of threads; the jobs that come late count as waiting. */
    private static final int USERS_MAX = 128;

    private final BenchedCell cell;
    private final HttpCell http;
    private final OfferedJobs offered;
    private final String name;
    private final List<String> schedulers;
    private final Histogram placedNanos = new ConcurrentHistogram(DIGITS);
    private final AtomicInteger submitted = new AtomicInteger();
    private final ExecutorService users = Executors.newFixedThreadPool(USERS_MAX);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    /** The jobs that are not placed yet, with their planned times. */
    private final Map<Integer, Long> waiting = new ConcurrentHashMap<>();

    private volatile boolean measuring;
    private volatile boolean stopped;
    /** Never completes normally. */
    private final CompletableFuture<Void> failure = new CompletableFuture<>();

    /** @param name with which the names of the jobs begin */
    JobUsers(BenchedCell cell, OfferedJobs offered, String name, List<String> schedulers) {
        this.cell = cell;
        this.http = new HttpCell(cell.leaderFirst());
        this.offered = offered;
        this.name = name;
        this.schedulers = schedulers;
    }

    void start() {
        if (offered.perSecond().isPresent()) {
            startAtRate(TimeUnit.SECONDS.toNanos(1) / offered.perSecond().getAsInt());
        } else {
            schedulers.forEach(scheduler -> startUsers(scheduler));
        }
    }

    /** The delay of a job counts from its planned time: what keeps the clock waiting counts. */
    private void startAtRate(long periodNanos) {
        long begun = System.nanoTime();
        var unused = clock.scheduleAtFixedRate(
                () -> {
                    int job = submitted.getAndIncrement();
                    String scheduler = schedulers.get(job % schedulers.size());
                    long planned = begun + job * periodNanos;
                    waiting.put(job, planned);
                    users.execute(() -> guard(() -> runJob(job, scheduler, planned)));
                },
                0,
                periodNanos,
                TimeUnit.NANOSECONDS);
    }

    private void startUsers(String scheduler) {
        for (int user = 0; user < offered.users(); user++) {
            users.execute(() -> guard(() -> {
                while (!stopped) {
                    runJob(submitted.getAndIncrement(), scheduler, System.nanoTime());
                }
            }));
        }
    }

    /** A measurement with a user that has failed must not be printed: {@link #goOn} and {@link #finish} throw the failure. */
    private void guard(Runnable job) {
        try {
            job.run();
        } catch (RuntimeException defect) {
            if (!stopped) {
                failure.completeExceptionally(defect);
            }
            stopped = true;
        }
    }

    private void runJob(int number, String scheduler, long begunNanos) {
        String job = name + "-" + number;
        waiting.put(number, begunNanos);
        long version = ask(() -> cell.submitJob(job, scheduler, offered.tasks()).getVersion());
        awaitPlaced(job, version);
        waiting.remove(number);
        if (measuring) {
            placedNanos.recordValue(System.nanoTime() - begunNanos);
        }
        ask(() -> cell.shrinkJob(job, 0));
        ask(() -> http.stopJob(StopJobRequest.newBuilder().setName(job).build()));
    }

    /** Asks again while the cell does not answer: each of these requests may be made twice. */
    private <T> T ask(Supplier<T> request) {
        while (true) {
            try {
                return request.get();
            } catch (CellUnreachable noAnswer) {
                if (stopped) {
                    throw noAnswer;
                }
            }
        }
    }

    private void awaitPlaced(String job, long submittedVersion) {
        long begun = System.nanoTime();
        long version = submittedVersion;
        while (System.nanoTime() - begun < PLACED_MAX.toNanos()) {
            GetJobRequest request = GetJobRequest.newBuilder()
                    .setName(job)
                    .setChangedAfter(version)
                    .build();
            JobStatus status = ask(() -> http.getJob(request));
            if (status.getTasks().getPending() == 0) {
                return;
            }
            version = status.getVersion();
        }
        String why = http.explainJob(ExplainJobRequest.newBuilder().setName(job).build())
                .getSummary();
        throw new IllegalStateException("job " + job + " is not placed after " + PLACED_MAX + ": " + why);
    }

    @Override
    public void goOn(Duration pause) throws InterruptedException {
        try {
            failure.get(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException nobodyHasFailed) {
            // As it should be.
        } catch (ExecutionException failed) {
            throw new IllegalStateException(
                    "a user of the load " + name + " has failed: " + failed.getCause(), failed.getCause());
        }
    }

    /** From now on the delays of jobs that are placed count. */
    void beginMeasuring() {
        measuring = true;
    }

    /** Waits until a job is placed: on a busy machine a short measurement would find nothing. */
    void awaitFirst() throws InterruptedException {
        while (placedNanos.getTotalCount() == 0) {
            goOn(A_MOMENT);
        }
    }

    /** Stops counting. The jobs that still wait count as placed now: a cell that does not keep up must not look quick. */
    void endMeasuring() {
        measuring = false;
        long now = System.nanoTime();
        waiting.values().forEach(begun -> placedNanos.recordValue(Math.max(0, now - begun)));
    }

    /** The time from the submission of a job until all its tasks are placed, in nanoseconds. */
    Histogram placedNanos() {
        return placedNanos;
    }

    /** Submits nothing more, and gives the jobs under way some time to end. */
    void finish() throws InterruptedException {
        goOn(Duration.ZERO);
        stopped = true;
        clock.shutdownNow();
        users.shutdown();
        if (!users.awaitTermination(LEFT_MAX.toSeconds(), TimeUnit.SECONDS)) {
            users.shutdownNow();
        }
    }

    @Override
    public void close() {
        stopped = true;
        clock.shutdownNow();
        users.shutdownNow();
    }
}
