package dev.cella.state.core;

import java.util.EnumMap;
import java.util.Map;

/**
 * How the time of a start divides, until the replica leads for the first time. Guarded by its own monitor: parts are ended by the
 * thread that starts, by the one that applies, and by the log's.
 */
public final class StartTimes {
    /** In order; each begins where the one before has ended. */
    public enum Part {
        /** The newest checkpoint is found, checked and loaded. */
        CHECKPOINT,
        /** The log is opened. */
        LOG,
        /** A leader is found, and with it what is committed. */
        ELECTION,
        /** What the log has after the checkpoint is applied. */
        REPLAY
    }

    private final Time time;
    private final Map<Part, Long> nanos = new EnumMap<>(Part.class);
    private final long beginWallMillis;
    private long lastEndNanos;

    StartTimes(Time time) {
        this.time = time;
        this.beginWallMillis = time.wallMillis();
        this.lastEndNanos = time.monotonicNanos();
    }

    /** Only the first end of a part counts, and none once a later part has ended: then it took no time of its own. */
    synchronized void ended(Part part) {
        if (nanos.keySet().stream().allMatch(ended -> ended.compareTo(part) < 0)) {
            long now = time.monotonicNanos();
            nanos.put(part, now - lastEndNanos);
            lastEndNanos = now;
        }
    }

    /** What the part has taken; 0 where it has not ended, or took no time of its own. */
    public synchronized long nanos(Part part) {
        return nanos.getOrDefault(part, 0L);
    }

    /** When the first part began, as people's clocks show it. */
    public long beginWallMillis() {
        return beginWallMillis;
    }
}
