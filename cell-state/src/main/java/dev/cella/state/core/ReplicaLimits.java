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
 * @param specificationBytesMax the most bytes of jobs' specifications that the doors let the cell keep
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
        long specificationBytesMax,
        Duration killTime,
        CellLimits cell) {
    /** The limit of a command: twice the largest job or transaction. Ratis takes entries of up to 4 MiB. */
    static final int COMMAND_BYTES_MAX = 2 << 20;

    private static final int JOINING_PART = 4;

    /**
     * The part of the heap that specifications of jobs may take as they are. Large ones are there up to ten times for a moment:
     * in the rows, in the rows of readers over HTTP, in the texts for them, and in pages that are written and sent.
     */
    private static final int SPECIFICATIONS_PART = 32;

    /** The part of a small heap that the log since a checkpoint may take; its rows are in memory until then. */
    private static final int CHECKPOINT_LOG_PART = 16;

    private static final int FEED_PART = 32;

    public ReplicaLimits {
        if (entryBytes <= 0
                || entriesInFlight <= 0
                || laneBytes <= 0
                || feedBytes <= 0
                || checkpointLogBytes <= 0
                || specificationBytesMax <= 0) {
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

    /** Returns that many bytes, or that part of the heap of this process if it is smaller. */
    public static long withinHeap(long bytes, int part) {
        return Math.min(bytes, Runtime.getRuntime().maxMemory() / part);
    }

    /** The defaults for the heap of this process. */
    public static ReplicaLimits defaults() {
        return new ReplicaLimits(
                128 << 10,
                4,
                Duration.ofMillis(3),
                16L << 20,
                withinHeap(32L << 20, FEED_PART),
                withinHeap(64L << 20, CHECKPOINT_LOG_PART),
                withinHeap(Long.MAX_VALUE, SPECIFICATIONS_PART),
                Duration.ofSeconds(5),
                CellLimits.STANDARD);
    }

    public ReplicaLimits withEntryDistance(Duration distance) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                distance,
                laneBytes,
                feedBytes,
                checkpointLogBytes,
                specificationBytesMax,
                killTime,
                cell);
    }

    public ReplicaLimits withLaneBytes(long bytes) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                entryDistance,
                bytes,
                feedBytes,
                checkpointLogBytes,
                specificationBytesMax,
                killTime,
                cell);
    }

    public ReplicaLimits withFeedBytes(long bytes) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                entryDistance,
                laneBytes,
                bytes,
                checkpointLogBytes,
                specificationBytesMax,
                killTime,
                cell);
    }

    public ReplicaLimits withCheckpointLogBytes(long bytes) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                entryDistance,
                laneBytes,
                feedBytes,
                bytes,
                specificationBytesMax,
                killTime,
                cell);
    }

    public ReplicaLimits withSpecificationBytesMax(long bytes) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                entryDistance,
                laneBytes,
                feedBytes,
                checkpointLogBytes,
                bytes,
                killTime,
                cell);
    }

    public ReplicaLimits withKillTime(Duration time) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                entryDistance,
                laneBytes,
                feedBytes,
                checkpointLogBytes,
                specificationBytesMax,
                time,
                cell);
    }

    public ReplicaLimits withCell(CellLimits limits) {
        return new ReplicaLimits(
                entryBytes,
                entriesInFlight,
                entryDistance,
                laneBytes,
                feedBytes,
                checkpointLogBytes,
                specificationBytesMax,
                killTime,
                limits);
    }
}
