package dev.cella.state;

import dev.cella.state.core.Threads;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads and clocks of a replica in this process, started and ended together. They do not keep a process alive.
 */
final class ReplicaThreads implements AutoCloseable {
    private static final int ANSWER_THREADS = 2;
    private static final long CLOSE_SECONDS = 2;

    private final SystemTime time = new SystemTime(named("cell-timer"));
    private final ExecutorService batcher = Executors.newSingleThreadExecutor(named("cell-batcher"));
    private final ExecutorService answers = Executors.newFixedThreadPool(ANSWER_THREADS, named("cell-answers"));
    private final ExecutorService persister = Executors.newSingleThreadExecutor(named("cell-persister"));

    private static ThreadFactory named(String name) {
        AtomicInteger made = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    SystemTime time() {
        return time;
    }

    Threads threads() {
        return new Threads(batcher, answers, persister);
    }

    @Override
    public void close() {
        time.close();
        List<ExecutorService> pools = List.of(batcher, answers, persister);
        pools.forEach(ExecutorService::shutdown);
        try {
            for (ExecutorService pool : pools) {
                if (!pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    pool.shutdownNow();
                }
            }
        } catch (InterruptedException interrupted) {
            pools.forEach(ExecutorService::shutdownNow);
            Thread.currentThread().interrupt();
        }
    }
}
