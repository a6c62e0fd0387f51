package dev.cella.state.core;

import dev.cella.transactions.cell.CellLimits;
import java.time.Duration;

/**
 * The bounds within which a replica works.
 *
 * @param entryBytes so many bytes of commands are packed into one log entry; a larger command has one for itself
 * @param entriesInFlight so many entries are proposed and not yet applied. While they are, commands gather: this, and
 *     no waiting, makes entries large when there is much to do and small when there is little
 * @param laneBytes so many bytes of commands wait in one lane before it is full
 * @param feedBytes so many bytes of changes are kept for readers of the feed
 * @param checkpointLogBytes a checkpoint is made whenever so many bytes of log have been applied since the last
 * @param killTime how long after the end of its lease an agent may take to kill its tasks
 * @param cell what the apply itself goes by; the same on every replica
 */
public record ReplicaLimits(
        int entryBytes,
        int entriesInFlight,
        long laneBytes,
        long feedBytes,
        long checkpointLogBytes,
        Duration killTime,
        CellLimits cell) {
    /** No command is larger: twice the largest job or transaction. Ratis takes entries of up to 4 MiB. */
    static final int COMMAND_BYTES_MAX = 2 << 20;

    public ReplicaLimits {
        if (entryBytes <= 0 || entriesInFlight <= 0 || laneBytes <= 0 || feedBytes <= 0 || checkpointLogBytes <= 0) {
            throw new IllegalArgumentException("limits are above 0");
        }
        if (killTime.isNegative()) {
            throw new IllegalArgumentException("the kill time is not negative: " + killTime);
        }
    }

    public static ReplicaLimits defaults() {
        return new ReplicaLimits(
                128 << 10, 4, 16L << 20, 32L << 20, 64L << 20, Duration.ofSeconds(5), CellLimits.STANDARD);
    }

    public ReplicaLimits withLaneBytes(long bytes) {
        return new ReplicaLimits(entryBytes, entriesInFlight, bytes, feedBytes, checkpointLogBytes, killTime, cell);
    }

    public ReplicaLimits withFeedBytes(long bytes) {
        return new ReplicaLimits(entryBytes, entriesInFlight, laneBytes, bytes, checkpointLogBytes, killTime, cell);
    }

    public ReplicaLimits withCheckpointLogBytes(long bytes) {
        return new ReplicaLimits(entryBytes, entriesInFlight, laneBytes, feedBytes, bytes, killTime, cell);
    }

    public ReplicaLimits withKillTime(Duration time) {
        return new ReplicaLimits(entryBytes, entriesInFlight, laneBytes, feedBytes, checkpointLogBytes, time, cell);
    }

    public ReplicaLimits withCell(CellLimits limits) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, laneBytes, feedBytes, checkpointLogBytes, killTime, limits);
    }
}
