package dev.cella.transactions.cell;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that were placed at least once, a row each; one that was never placed has no row, its group knows it as an
 * index that is pending. Rows of one machine are linked into a list. Rows are named by their group and index, so the
 * number of a row is a matter of this copy alone. Owned by the thread that applies changes.
 */
final class TaskTable {
    static final int NO_ROW = -1;
    static final int NO_MACHINE = -1;

    private static final int ROW = 1;

    final TableDigest digest = new TableDigest();
    private int rows;
    private int yielding;
    private int firstUnused = NO_ROW;
    private @Nullable GroupRow[] groups = new GroupRow[0];
    private int[] indexes = new int[0];
    private TaskState[] states = new TaskState[0];
    private TaskReason[] reasons = new TaskReason[0];
    private int[] attempts = new int[0];
    private int[] failures = new int[0];
    private int[] generations = new int[0];
    private Amounts[] shapes = new Amounts[0];
    private int[] machines = new int[0];
    private int[] ordinals = new int[0];
    private @Nullable Origin[] origins = new Origin[0];
    private int[] exitCodes = new int[0];
    private long[] startedAts = new long[0];
    private long[] endedAts = new long[0];
    private long[] changedVersions = new long[0];
    private Amounts[] handedOver = new Amounts[0];
    private long[] yieldsToVersions = new long[0];
    private int[] yieldsToOrdinals = new int[0];
    private int[] nextOnMachine = new int[0];
    private int[] previousOnMachine = new int[0];

    // ---- reading

    GroupRow group(int row) {
        GroupRow group = groups[row];
        if (group == null) {
            throw new IllegalStateException("task row " + row + " is not in use");
        }
        return group;
    }

    int index(int row) {
        return indexes[row];
    }

    TaskState state(int row) {
        return states[row];
    }

    TaskReason reason(int row) {
        return reasons[row];
    }

    /** Counted from 1 over all generations of the job's name. */
    int attempt(int row) {
        return attempts[row];
    }

    int failures(int row) {
        return failures[row];
    }

    int generation(int row) {
        return generations[row];
    }

    Amounts shape(int row) {
        return shapes[row];
    }

    /** What of its amounts the claim that evicted it holds by now. */
    Amounts handedOver(int row) {
        return handedOver[row];
    }

    /** What it holds while it is on a machine. */
    Amounts held(int row) {
        Amounts handed = handedOver[row];
        return handed.isNone() ? shapes[row] : shapes[row].minus(handed);
    }

    /** The version of the placement for which it was evicted, or 0. */
    long yieldsToVersion(int row) {
        return yieldsToVersions[row];
    }

    /** How many rows yield to another placement; where there are none nobody needs to look for them. */
    int yielding() {
        return yielding;
    }

    int yieldsToOrdinal(int row) {
        return yieldsToOrdinals[row];
    }

    /** Whether {@code victim} was evicted for the placement in {@code row}. */
    boolean yieldsTo(int victim, int row) {
        Origin by = origins[row];
        return by != null
                && yieldsToVersions[victim] == by.version()
                && yieldsToOrdinals[victim] == ordinals[row]
                && yieldsToVersions[victim] != 0;
    }

    /** The slot of the machine the attempt is or was on, or {@link #NO_MACHINE}. */
    int machine(int row) {
        return machines[row];
    }

    int ordinal(int row) {
        return ordinals[row];
    }

    @Nullable
    Origin origin(int row) {
        return origins[row];
    }

    int exitCode(int row) {
        return exitCodes[row];
    }

    long startedAt(int row) {
        return startedAts[row];
    }

    long endedAt(int row) {
        return endedAts[row];
    }

    long changedVersion(int row) {
        return changedVersions[row];
    }

    int nextOnMachine(int row) {
        return nextOnMachine[row];
    }

    // ---- changing

    /** A row for a task that is pending for the first time. */
    int add(GroupRow group, int index, int attempt) {
        int row = firstUnused == NO_ROW ? rows : firstUnused;
        if (row == rows) {
            grow();
        } else {
            firstUnused = nextOnMachine[row];
        }
        groups[row] = group;
        indexes[row] = index;
        failures[row] = 0;
        endedAts[row] = 0;
        changedVersions[row] = 0;
        becomePending(row, attempt);
        return row;
    }

    void place(int row, int generation, Amounts shape, int machine, Origin origin, int ordinal) {
        long before = digestOf(row);
        generations[row] = generation;
        shapes[row] = shape;
        machines[row] = machine;
        origins[row] = origin;
        ordinals[row] = ordinal;
        states[row] = TaskState.PLACED;
        changedVersions[row] = origin.version();
        moved(row, before);
    }

    void step(int row, TaskState state, TaskReason reason, int exitCode, long startedAt, long endedAt, long version) {
        long before = digestOf(row);
        states[row] = state;
        reasons[row] = reason;
        if (exitCode != ChangeSink.EXIT_CODE_NONE) {
            exitCodes[row] = exitCode;
        }
        if (startedAt != 0) {
            startedAts[row] = startedAt;
        }
        if (endedAt != 0) {
            endedAts[row] = endedAt;
        }
        if (state == TaskState.FAILED) {
            failures[row]++;
        }
        changedVersions[row] = version;
        moved(row, before);
    }

    /** Told to stop for another placement, or for nobody (version 0). */
    void evict(int row, TaskState state, TaskReason reason, long forVersion, int forOrdinal, long version) {
        long before = digestOf(row);
        states[row] = state;
        reasons[row] = reason;
        setYield(row, forVersion, forOrdinal);
        changedVersions[row] = version;
        moved(row, before);
    }

    /** How much of its amounts another placement holds, and which one. */
    void handOver(int row, Amounts handed, long toVersion, int toOrdinal) {
        long before = digestOf(row);
        handedOver[row] = handed;
        setYield(row, toVersion, toOrdinal);
        moved(row, before);
    }

    /** The next attempt, pending. */
    void again(int row, long version) {
        long before = digestOf(row);
        becomePending(row, attempts[row] + 1);
        endedAts[row] = 0;
        changedVersions[row] = version;
        moved(row, before);
    }

    /** What a snapshot says, into a row just added. */
    void load(
            int row,
            TaskState state,
            TaskReason reason,
            int failed,
            int generation,
            Amounts shape,
            int machine,
            @Nullable Origin origin,
            int ordinal,
            int exitCode,
            long startedAt,
            long endedAt,
            Amounts handed,
            long yieldsToVersion,
            int yieldsToOrdinal,
            long changedVersion) {
        handedOver[row] = handed;
        setYield(row, yieldsToVersion, yieldsToOrdinal);
        states[row] = state;
        reasons[row] = reason;
        failures[row] = failed;
        generations[row] = generation;
        shapes[row] = shape;
        machines[row] = machine;
        origins[row] = origin;
        ordinals[row] = ordinal;
        exitCodes[row] = exitCode;
        startedAts[row] = startedAt;
        endedAts[row] = endedAt;
        changedVersions[row] = changedVersion;
        moved(row, 0);
    }

    private void becomePending(int row, int attempt) {
        states[row] = TaskState.PENDING;
        reasons[row] = TaskReason.NONE;
        attempts[row] = attempt;
        generations[row] = 0;
        shapes[row] = Amounts.NONE;
        machines[row] = NO_MACHINE;
        origins[row] = null;
        ordinals[row] = 0;
        exitCodes[row] = ChangeSink.EXIT_CODE_NONE;
        startedAts[row] = 0;
        handedOver[row] = Amounts.NONE;
        setYield(row, 0, 0);
    }

    private void setYield(int row, long toVersion, int toOrdinal) {
        yielding += (toVersion == 0 ? 0 : 1) - (yieldsToVersions[row] == 0 ? 0 : 1);
        yieldsToVersions[row] = toVersion;
        yieldsToOrdinals[row] = toOrdinal;
    }

    void link(int row, int firstOnMachine) {
        nextOnMachine[row] = firstOnMachine;
        previousOnMachine[row] = NO_ROW;
        if (firstOnMachine != NO_ROW) {
            previousOnMachine[firstOnMachine] = row;
        }
    }

    /** Takes the row out of its machine's list and answers the first row of it. */
    int unlink(int row, int firstOnMachine) {
        int next = nextOnMachine[row];
        int previous = previousOnMachine[row];
        checkInvariant(previous != NO_ROW || firstOnMachine == row, "task row %s is on no list", row);
        if (next != NO_ROW) {
            previousOnMachine[next] = previous;
        }
        if (previous != NO_ROW) {
            nextOnMachine[previous] = next;
        }
        return previous == NO_ROW ? next : firstOnMachine;
    }

    /** The row is forgotten; its number may be used again. */
    void remove(int row) {
        digest.moved(key(row), ROW, digestOf(row), 0);
        groups[row] = null;
        origins[row] = null;
        nextOnMachine[row] = firstUnused;
        firstUnused = row;
    }

    private void moved(int row, long before) {
        digest.moved(key(row), ROW, before, digestOf(row));
    }

    private long key(int row) {
        GroupRow group = group(row);
        return Digests.mix(group.job().id().version(), (long) group.place() << 32 | indexes[row]);
    }

    /** Zero for a row that nothing was written to yet. */
    private long digestOf(int row) {
        if (changedVersions[row] == 0) {
            return 0;
        }
        Origin origin = origins[row];
        long of = Digests.mix(changedVersions[row], states[row].code() | (long) reasons[row].code() << 8);
        of = Digests.mix(of, (long) attempts[row] << 32 | failures[row]);
        of = Digests.mix(of, (long) machines[row] << 32 | ordinals[row]);
        of = Digests.mix(of, (long) generations[row] << 32 | (exitCodes[row] & 0xFFFFFFFFL));
        of = Digests.mix(of, origin == null ? 0 : origin.version());
        of = Digests.mix(of, startedAts[row] * 31 + endedAts[row]);
        return yieldsToVersions[row] == 0 && handedOver[row].isNone() ? of : Digests.mix(of, digestOfYield(row));
    }

    private long digestOfYield(int row) {
        return Digests.mix(Digests.mix(yieldsToVersions[row], yieldsToOrdinals[row]), handedOver[row].digest());
    }

    private void grow() {
        if (rows == indexes.length) {
            int length = Math.max(64, rows + (rows >> 1));
            groups = Arrays.copyOf(groups, length);
            indexes = Arrays.copyOf(indexes, length);
            states = Arrays.copyOf(states, length);
            reasons = Arrays.copyOf(reasons, length);
            attempts = Arrays.copyOf(attempts, length);
            failures = Arrays.copyOf(failures, length);
            generations = Arrays.copyOf(generations, length);
            shapes = Arrays.copyOf(shapes, length);
            machines = Arrays.copyOf(machines, length);
            ordinals = Arrays.copyOf(ordinals, length);
            origins = Arrays.copyOf(origins, length);
            exitCodes = Arrays.copyOf(exitCodes, length);
            startedAts = Arrays.copyOf(startedAts, length);
            endedAts = Arrays.copyOf(endedAts, length);
            changedVersions = Arrays.copyOf(changedVersions, length);
            handedOver = Arrays.copyOf(handedOver, length);
            yieldsToVersions = Arrays.copyOf(yieldsToVersions, length);
            yieldsToOrdinals = Arrays.copyOf(yieldsToOrdinals, length);
            nextOnMachine = Arrays.copyOf(nextOnMachine, length);
            previousOnMachine = Arrays.copyOf(previousOnMachine, length);
        }
        rows++;
    }
}
