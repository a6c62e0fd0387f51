package dev.cella.client.live;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single thread that owns an object, for handing over events. A failing event is reported here, once, and the thread
 * decides whether it goes on. Events after the end of the thread are dropped.
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

    /** The time at which to wake the owner, if one is set. */
    Alarm alarm() {
        return new Alarm();
    }

    /** A single alarm: setting it replaces the former time. Used on the owner's thread. */
    final class Alarm {
        private @Nullable Future<?> set;

        void set(long delayMillis, Runnable event) {
            cancel();
            try {
                set = thread.schedule(guarded(event), delayMillis, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException ended) {
                LOG.debug("an alarm was set after the end of its thread");
            }
        }

        /** A thread that is shut down waits for its remaining timers, so none may be left. */
        void cancel() {
            if (set != null) {
                set.cancel(false);
                set = null;
            }
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
