package dev.cella.agent;

import dev.cella.agent.runner.ProcessRunner;
import dev.cella.agent.runner.UsageMeter.Measured;
import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.TaskUsage;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the attempts of this agent every few seconds, on a thread of its own, and hands each measurement over once: it
 * goes to the cell with the next renewal of the leases.
 */
final class UsageReports implements AutoCloseable {
    private static final Logger logger = LoggerFactory.getLogger(UsageReports.class);

    private static final long EVERY_SECONDS = 5;
    private static final int REPORTS_MAX = 10_000;

    private final AtomicReference<List<AttemptUsage>> measured = new AtomicReference<>(List.of());
    private boolean isFailing;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread created = new Thread(work, "task-usage");
        created.setDaemon(true);
        return created;
    });

    /** Begins to measure; an agent of hollow machines has nothing to. */
    void begin(ProcessRunner processes) {
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(
                () -> measure(processes::measure), EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    /** After an exception the thread would never measure again. */
    void measure(Supplier<List<Measured>> attempts) {
        try {
            measured.set(messages(attempts.get()));
            isFailing = false;
        } catch (RuntimeException failure) {
            if (!isFailing) {
                logger.warn("agent event=not-measured: it tries again", failure);
            }
            isFailing = true;
        }
    }

    /** The newest measurement, unless it was taken before. */
    List<AttemptUsage> take() {
        return measured.getAndSet(List.of());
    }

    static List<AttemptUsage> messages(List<Measured> attempts) {
        return attempts.stream().limit(REPORTS_MAX).map(UsageReports::message).toList();
    }

    private static AttemptUsage message(Measured attempt) {
        return AttemptUsage.newBuilder()
                .setJobVersion(attempt.assignment().task().job().version())
                .setGroup(attempt.assignment().task().group())
                .setIndex(attempt.assignment().task().index())
                .setAttempt(attempt.assignment().attempt())
                .setUsage(TaskUsage.newBuilder()
                        .setCpuMilli(attempt.cpuMilli())
                        .setCpuMilliMean(attempt.cpuMilliMean())
                        .setMemoryMib(attempt.memoryMib())
                        .setDiskMib(attempt.diskMib())
                        .setOutputBytesPerSecond(attempt.outputBytesPerSecond()))
                .build();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
