package dev.cella.state.core;

import java.time.Duration;

/** The clocks of one replica. The core reads no others, so that a test or a simulation can control time. */
public interface Time {
    /** A clock that never goes back. Its values mean nothing in other processes. */
    long monotonicNanos();

    /** The wall time, in milliseconds since 1970. It is never compared. */
    long wallMillis();

    /** Runs the task once after the delay, unless it is cancelled before. The task must be short. */
    Cancellation after(Duration delay, Runnable task);

    /** A task that has not run yet. */
    interface Cancellation {
        void cancel();
    }
}
