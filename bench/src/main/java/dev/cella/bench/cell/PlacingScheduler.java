package dev.cella.bench.cell;

import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.TransactionStream;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that does not think: it claims the next machines in a row for the next tasks of its own jobs. To keep the size
 * of the cell constant, it sometimes ends what it placed: a job's tasks are placed from the last to the first, and the job
 * shrinks after those that have ended.
 *
 * <p>It runs on its own thread, except for the shrinking, because nobody waits for its answer.
 */
final class PlacingScheduler implements AutoCloseable {
    static final int COMMANDS_A_ROUND = 3;

    /** A job shrinks by this many tasks at once: the number of rows that the cell drops in one command. */
    private static final int SHRINKS_BY = 10_000;

    /** An answer, and the planned time of its transaction. */
    record Answered(Outcome outcome, int claims, long begunNanos) {}

    private final BenchedCell cell;
    private final OfferedLoad load;
    private final String name;
    private final int machines;
    private final Consumer<Answered> heard;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService shrinking = Executors.newSingleThreadExecutor();
    /** Completes only with a failure. */
    private final CompletableFuture<Void> failing = new CompletableFuture<>();

    private final CellConnection connection;
    private final TransactionStream stream;
    private final Deque<TaskId> placed = new ArrayDeque<>();
    private JobId job = new JobId(1);
    private int tasksLeft;
    private int released;
    private int jobs;
    private int nextMachine;
    private long commands;
    private int underWay;
    private long openedNanos;
    private CellVersion basis = CellVersion.NONE;
    private boolean stopped;

    PlacingScheduler(BenchedCell cell, OfferedLoad load, String name, int machines, Consumer<Answered> heard) {
        this.cell = cell;
        this.load = load;
        this.name = name;
        this.machines = machines;
        this.heard = heard;
        this.nextMachine = Math.floorMod(name.hashCode(), machines);
        this.connection = CellConnection.open(cell.leaderFirst());
        this.stream = new TransactionStream(connection, thread, Backoff.standard(new Random(1)));
    }

    void start() {
        thread.execute(() -> guard(this::begin));
    }

    private void begin() {
        nextJob();
        openedNanos = System.nanoTime();
        if (load.perSecond().isPresent()) {
            long periodNanos = TimeUnit.SECONDS.toNanos(load.schedulers())
                    / load.perSecond().getAsInt();
            var unused = thread.scheduleAtFixedRate(
                    () -> guard(() -> submitDue(periodNanos)),
                    0,
                    Math.max(1_000_000, periodNanos),
                    TimeUnit.NANOSECONDS);
        } else {
            fill();
        }
    }

    /**
     * A measurement of a scheduler that has failed must not be printed: the failure is thrown by {@link #check}, {@link #await}
     * and {@link #finish}.
     */
    private void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException defect) {
            failed(defect);
        }
    }

    private @Nullable Void failed(Throwable defect) {
        stopped = true;
        failing.completeExceptionally(new IllegalStateException("scheduler " + name + " has failed", defect));
        return null;
    }

    private void fill() {
        while (underWay < load.window() && commands < load.commandsMax() && !stopped) {
            submit(System.nanoTime());
        }
    }

    /** The transactions that should have begun by now, each with its planned time: waiting here counts. */
    private void submitDue(long periodNanos) {
        long now = System.nanoTime();
        while (openedNanos <= now && !stopped) {
            submit(openedNanos);
            openedNanos += periodNanos;
        }
    }

    private void submit(long begunNanos) {
        Transaction transaction = isTimeToRelease() ? release() : place();
        underWay++;
        CompletableFuture<Void> unused = stream.submit(transaction)
                .thenAccept(outcome -> answered(transaction, outcome, begunNanos))
                .exceptionally(this::failed);
    }

    private boolean isTimeToRelease() {
        return load.releases() && commands % COMMANDS_A_ROUND == COMMANDS_A_ROUND - 1 && !placed.isEmpty();
    }

    private Transaction place() {
        Transaction.Builder transaction = transaction();
        for (int claim = 0; claim < load.claims(); claim++) {
            if (tasksLeft == 0) {
                nextJob();
            }
            transaction.claim(job.version(), 0, --tasksLeft, 1, nextMachine);
            nextMachine = (nextMachine + 1) % machines;
        }
        return transaction.build();
    }

    private Transaction release() {
        Transaction.Builder transaction = transaction();
        int released = Math.min(placed.size(), (COMMANDS_A_ROUND - 1) * load.claims());
        for (int eviction = 0; eviction < released; eviction++) {
            transaction.evict(new Eviction(placed.removeFirst(), 1, OptionalInt.empty()));
        }
        return transaction.build();
    }

    private Transaction.Builder transaction() {
        return Transaction.builder(new TransactionId(name + "-" + commands++), name)
                .basis(basis)
                .machinesAsOf(basis);
    }

    private void nextJob() {
        JobSubmitted submitted = cell.submitJob(name + "-" + jobs++, name, JobHeader.TASKS_MAX);
        job = new JobId(submitted.getVersion());
        tasksLeft = JobHeader.TASKS_MAX;
        basis = new CellVersion(Math.max(basis.number(), submitted.getVersion()));
    }

    private void answered(Transaction transaction, Outcome outcome, long begunNanos) {
        underWay--;
        basis = outcome.version();
        for (int claim = 0; claim < transaction.claims(); claim++) {
            if (outcome.results().get(claim).accepted()) {
                placed.addLast(transaction.task(claim));
            }
        }
        shrinkAfter(transaction.evictions().size());
        heard.accept(new Answered(outcome, transaction.claims(), begunNanos));
        if (load.perSecond().isEmpty()) {
            guard(this::fill);
        }
    }

    /** One step behind what was released: answers may come in another order than the tasks were placed in. */
    private void shrinkAfter(int evictions) {
        int steps = released / SHRINKS_BY;
        released += evictions;
        if (released / SHRINKS_BY > steps && steps > 0) {
            int ended = (steps - 1) * SHRINKS_BY;
            String shrunk = name + "-" + ended / JobHeader.TASKS_MAX;
            int left = JobHeader.TASKS_MAX - ended % JobHeader.TASKS_MAX - SHRINKS_BY;
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> cell.shrinkJob(shrunk, left), shrinking)
                    .exceptionallyAsync(this::failed, thread);
        }
    }

    /** Throws if it has failed. */
    void check() {
        if (failing.isCompletedExceptionally()) {
            failing.join();
        }
    }

    /** Waits for something that its answers bring about. */
    <T> T await(CompletableFuture<T> event) {
        CompletableFuture.anyOf(event, failing).join();
        check();
        return event.join();
    }

    /** Begins nothing more, and returns when everything is answered. */
    void finish() throws InterruptedException {
        while (!CompletableFuture.supplyAsync(this::isIdle, thread).join()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private boolean isIdle() {
        stopped = true;
        check();
        return underWay == 0;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        shrinking.shutdownNow();
        connection.close();
    }
}
