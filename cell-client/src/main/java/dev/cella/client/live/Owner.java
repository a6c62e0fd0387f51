package dev.cella.client.live;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns an object, as its events reach it. An event that fails is told of here, once, and costs the
 * thread nothing; when the thread has ended, events end with it.
 */
final class Owner implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(Owner.class);

    private final ScheduledExecutorService thread;

    Owner(ScheduledExecutorService thread) {
        this.thread = thread;
    }

    @Override
    public void execute(Runnable event) {
        try {
            thread.execute(guarded(event));
        } catch (RejectedExecutionException ended) {
            LOG.debug("an event came after the end of its thread");
        }
    }

    void after(long delayMillis, Runnable event) {
        try {
            ScheduledFuture<?> unused = thread.schedule(guarded(event), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.debug("an event was timed after the end of its thread");
        }
    }

    private static Runnable guarded(Runnable event) {
        return () -> {
            try {
                event.run();
            } catch (RuntimeException | Error failure) {
                LOG.error("an event failed", failure);
                throw failure;
            }
        };
    }
}
