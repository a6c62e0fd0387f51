package dev.cella.agent;

import com.google.protobuf.Timestamp;
import dev.cella.agent.keeper.BootClock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The agent's two clocks: a monotonic one for decisions, and the wall clock for people.
 *
 * @param monotonicNanos never goes back, and counts the time of a suspend
 */
record AgentClock(LongSupplier monotonicNanos, InstantSource wall) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    static AgentClock system() {
        return new AgentClock(BootClock.system(), InstantSource.system());
    }

    long nowMillis() {
        return monotonicNanos.getAsLong() / NANOS_PER_MILLI;
    }

    /** The wall time at which the monotonic clock showed this. */
    Timestamp wallAt(long millis) {
        Instant instant = wall.instant().minusMillis(nowMillis() - millis);
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }
}
