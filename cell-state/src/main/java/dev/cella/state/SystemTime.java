package dev.cella.state;

import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine's clocks, and one thread that runs what is due. */
final class SystemTime implements Time, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemTime.class);

    private final ScheduledThreadPoolExecutor timer;
    private final Consumer<Throwable> failed;

    SystemTime(ThreadFactory threads) {
        this(threads, failure -> LOG.error("a timer's task failed", failure));
    }

    /**
     * @param failed receives the failures of tasks
     */
    SystemTime(ThreadFactory threads, Consumer<Throwable> failed) {
        this.failed = failed;
        timer = new ScheduledThreadPoolExecutor(1, threads);
        timer.setRemoveOnCancelPolicy(true);
        timer.setRejectedExecutionHandler((task, closed) -> {
            // Drops tasks that become due after the end.
        });
    }

    @Override
    public long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public Cancellation after(Duration delay, Runnable task) {
        Future<?> due = timer.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error failure) {
            failed.accept(failure);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
