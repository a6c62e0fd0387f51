package dev.cella.agent;

import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The agent's two times: a monotonic one that decides, and the wall's for people.
 *
 * @param monotonicNanos never goes back
 */
record AgentClock(LongSupplier monotonicNanos, InstantSource wall) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    static AgentClock system() {
        return new AgentClock(System::nanoTime, InstantSource.system());
    }

    long nowMillis() {
        return monotonicNanos.getAsLong() / NANOS_PER_MILLI;
    }

    /** When it was, at the wall, that the monotonic clock showed this. */
    Timestamp wallAt(long millis) {
        Instant instant = wall.instant().minusMillis(nowMillis() - millis);
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }
}
