package dev.cella.state.core;

import java.util.EnumMap;
import java.util.Map;

/**
 * Divides the time of a start into parts, until the replica leads for the first time. Guarded by its own monitor: the starting
 * thread, the apply thread and the log's thread end parts.
 */
public final class StartTimes {
    /** In order; each part begins where the previous one ended. */
    public enum Part {
        /** Finds, checks and loads the newest checkpoint. */
        CHECKPOINT,
        /** Opens the log. */
        LOG,
        /** Finds a leader, and with it the committed entries. */
        ELECTION,
        /** Applies the entries of the log after the checkpoint. */
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

    /** Only the first end of a part counts. If a later part has ended already, the part took no time of its own. */
    synchronized void ended(Part part) {
        if (nanos.keySet().stream().allMatch(ended -> ended.compareTo(part) < 0)) {
            long now = time.monotonicNanos();
            nanos.put(part, now - lastEndNanos);
            lastEndNanos = now;
        }
    }

    /** The time of the part; 0 if it has not ended, or took no time of its own. */
    public synchronized long nanos(Part part) {
        return nanos.getOrDefault(part, 0L);
    }

    /** The wall time at which the first part began. */
    public long beginWallMillis() {
        return beginWallMillis;
    }
}
