package dev.cella.state.core;

import dev.cella.transactions.cell.tables.CellLimits;
import java.time.Duration;

/**
 * The bounds within which a replica works.
 *
 * @param entryBytes the most bytes of commands in one log entry; a larger command has its own entry
 * @param entriesInFlight the most entries that are proposed and not yet applied. Meanwhile commands gather. So entries become
 *     large under load and stay small otherwise. Beside one in flight, another has to be large
 * @param entryDistance the most time by which small entries are kept apart while many commands come
 * @param laneBytes the most bytes of commands that wait in one lane before it is full
 * @param feedBytes the bytes of changes that are kept for readers of the feed
 * @param checkpointLogBytes a checkpoint is made whenever this many bytes of log have been applied since the last one
 * @param killTime how long after the end of its lease an agent may take to kill its tasks
 * @param cell the limits of the apply itself; the same on every replica
 */
public record ReplicaLimits(
        int entryBytes,
        int entriesInFlight,
        Duration entryDistance,
        long laneBytes,
        long feedBytes,
        long checkpointLogBytes,
        Duration killTime,
        CellLimits cell) {
    /** The limit of a command: twice the largest job or transaction. Ratis takes entries of up to 4 MiB. */
    static final int COMMAND_BYTES_MAX = 2 << 20;

    private static final int JOINING_PART = 4;

    public ReplicaLimits {
        if (entryBytes <= 0 || entriesInFlight <= 0 || laneBytes <= 0 || feedBytes <= 0 || checkpointLogBytes <= 0) {
            throw new IllegalArgumentException("limits are above 0");
        }
        if (entryDistance.isNegative()) {
            throw new IllegalArgumentException("the distance of entries is not negative: " + entryDistance);
        }
        if (killTime.isNegative()) {
            throw new IllegalArgumentException("the kill time is not negative: " + killTime);
        }
    }

    /** An entry that joins another in flight has at least this many bytes of commands. */
    int joiningBytes() {
        return entryBytes / JOINING_PART;
    }

    public static ReplicaLimits defaults() {
        return new ReplicaLimits(
                128 << 10,
                4,
                Duration.ofMillis(3),
                16L << 20,
                32L << 20,
                64L << 20,
                Duration.ofSeconds(5),
                CellLimits.STANDARD);
    }

    public ReplicaLimits withEntryDistance(Duration distance) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, distance, laneBytes, feedBytes, checkpointLogBytes, killTime, cell);
    }

    public ReplicaLimits withLaneBytes(long bytes) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, entryDistance, bytes, feedBytes, checkpointLogBytes, killTime, cell);
    }

    public ReplicaLimits withFeedBytes(long bytes) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, entryDistance, laneBytes, bytes, checkpointLogBytes, killTime, cell);
    }

    public ReplicaLimits withCheckpointLogBytes(long bytes) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, entryDistance, laneBytes, feedBytes, bytes, killTime, cell);
    }

    public ReplicaLimits withKillTime(Duration time) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, entryDistance, laneBytes, feedBytes, checkpointLogBytes, time, cell);
    }

    public ReplicaLimits withCell(CellLimits limits) {
        return new ReplicaLimits(
                entryBytes, entriesInFlight, entryDistance, laneBytes, feedBytes, checkpointLogBytes, killTime, limits);
    }
}
