package dev.cella.state.core;

import java.time.Duration;

/** The clocks of one replica. The core reads no other, so that a test or a simulation can be its own time. */
public interface Time {
    /** A clock that never goes back and means nothing between processes. */
    long monotonicNanos();

    /** What people's clocks show, in milliseconds since 1970. Never compared. */
    long wallMillis();

    /** Runs the task once after the delay, unless it is cancelled before. The task must be short. */
    Cancellation after(Duration delay, Runnable task);

    /** A task that has not run yet. */
    interface Cancellation {
        void cancel();
    }
}
