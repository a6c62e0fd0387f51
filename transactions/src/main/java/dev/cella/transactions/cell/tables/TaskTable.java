package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.cell.pages.SharedValues;
import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.cell.tables.HandOvers.HandOver;
import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.codec.TaskSteps;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that were placed at least once, one row each. A task that was never placed has no row; its group knows its index
 * as pending. Rows of one machine are linked into a list. Group and index name a row, so the number of a row matters in this
 * copy only. Owned by the thread that applies changes; copies share its pages.
 */
public final class TaskTable extends TaskRows {
    /** The columns of the digest. Replicas compare the sums, so the numbers stay. */
    private static final int INDEX_STATE_DIGEST = 0;

    private static final int ATTEMPT_FAILURES_DIGEST = 1;
    private static final int GENERATION_EXIT_CODE_DIGEST = 2;
    private static final int MACHINE_ORDINAL_DIGEST = 3;
    private static final int STARTED_DIGEST = 4;
    private static final int ENDED_DIGEST = 5;
    private static final int CHANGED_DIGEST = 6;
    private static final int ORIGIN_DIGEST = 8;
    private static final int YIELD_DIGEST = 9;
    private static final int SPARE_DIGEST = 10;
    private static final long KEY_FACTOR = 0xD6E8FEB86659FD93L;

    final TableDigest digest;
    private final Map<Placing, Integer> loadedPlacings = new HashMap<>();
    private int lastPlacing = SharedValues.NONE;

    /** The rows that were forgotten. The one that was forgotten last is used again first. */
    private int[] unused = new int[16];

    private int unusedCount;

    /**
     * A run of placements: the group, the number of the placing, and the words and the part of the weight that are the same in
     * each row.
     */
    record Run(GroupRow group, int placing, long attempt, long version, long weight) {}

    TaskTable(boolean digested) {
        digest = new TableDigest(digested);
    }

    private TaskTable(TaskTable copied) {
        super(copied);
        digest = new TableDigest(copied.digest);
    }

    public TaskTable copy() {
        return new TaskTable(this);
    }

    // ---- changing

    /** A row for a task that ends before it was ever placed. */
    int addWaiting(GroupRow group, int index) {
        int row = nextRow();
        begin(row, index, group.job().attemptsBefore() + 1);
        waiting(row, group);
        return row;
    }

    private int nextRow() {
        if (unusedCount > 0) {
            return unused[--unusedCount];
        }
        reach(rows);
        return rows++;
    }

    private void begin(int row, int index, int attempt) {
        long[] page = words.toWrite(row);
        int at = words.at(row);
        page[at + INDEX_ORDINAL_REASON_STATE] = both(index, TaskState.PENDING.code());
        page[at + ATTEMPT_EXIT_CODE] = both(attempt, ChangeSink.EXIT_CODE_NONE);
        page[at + MACHINE_PLACING] = both(NO_MACHINE, low(page[at + MACHINE_PLACING]));
        page[at + ENDED] = 0;
        page[at + CHANGED] = 0;
    }

    private void waiting(int row, GroupRow group) {
        exchangePlacing(row, placing(group, Amounts.NONE, null, 0, false));
    }

    /**
     * Makes a run: the values that are the same for all tasks of the group that one transaction places with this shape.
     */
    Run run(GroupRow group, Amounts shape, Origin origin, boolean spare) {
        int attempt = group.job().attemptsBefore() + 1;
        int generation = group.job().generation();
        long weight = weightOfAttempt(attempt, 0)
                + weightOfExit(generation, ChangeSink.EXIT_CODE_NONE)
                + TableDigest.weight(CHANGED_DIGEST, origin.version())
                + TableDigest.weight(ORIGIN_DIGEST, origin.version())
                + weightOfSpare(spare, shape);
        int placing = placing(group, shape, origin, generation, spare);
        return new Run(group, placing, both(attempt, ChangeSink.EXIT_CODE_NONE), origin.version(), weight);
    }

    /** Places a task for the first time, in a row of its own. */
    int placeFirst(Run run, int index, int machine, int ordinal) {
        int row = nextRow();
        long[] page = words.toWrite(row);
        int at = words.at(row);
        page[at + INDEX_ORDINAL_REASON_STATE] = both(index, halfOf(ordinal, TaskState.PLACED, TaskReason.NONE));
        page[at + ATTEMPT_EXIT_CODE] = run.attempt();
        page[at + MACHINE_PLACING] = both(machine, run.placing());
        page[at + ENDED] = 0;
        page[at + CHANGED] = run.version();
        placings.exchange(SharedValues.NONE, run.placing());
        long weight = run.weight() + weightOfState(page, at) + weightOfMachine(page, at);
        digest.moved(key(run.group(), index), 0, weight);
        return row;
    }

    /** Places the pending attempt that is in the row. */
    void place(int row, Run run, int index, int machine, int ordinal) {
        long before = weight(row);
        long[] page = words.toWrite(row);
        int at = words.at(row);
        placings.exchange(low(page[at + MACHINE_PLACING]), run.placing());
        page[at + INDEX_ORDINAL_REASON_STATE] = both(index, halfOf(ordinal, TaskState.PLACED, TaskReason.NONE));
        page[at + MACHINE_PLACING] = both(machine, run.placing());
        page[at + CHANGED] = run.version();
        moved(row, before);
    }

    /** Applies a step to the task of the group in that row. Returns its state before. */
    TaskState step(int row, GroupRow group, TaskSteps step, long version) {
        long[] page = words.toWrite(row);
        int at = words.at(row);
        boolean isFirst = page[at + CHANGED] == 0;
        long first = page[at + INDEX_ORDINAL_REASON_STATE];
        long next = withState(first, step.state(), step.reason());
        page[at + INDEX_ORDINAL_REASON_STATE] = next;
        long weight = TableDigest.weight(INDEX_STATE_DIGEST, next - first)
                + TableDigest.weight(CHANGED_DIGEST, exchange(page, at + CHANGED, version));
        if (step.exitCode() != ChangeSink.EXIT_CODE_NONE) {
            long attempt = both(high(page[at + ATTEMPT_EXIT_CODE]), step.exitCode());
            long more = exchange(page, at + ATTEMPT_EXIT_CODE, attempt);
            weight += TableDigest.weight(GENERATION_EXIT_CODE_DIGEST, more);
        }
        if (step.startedAtMillis() != 0) {
            weight += TableDigest.weight(STARTED_DIGEST, exchangeSeldom(row, SELDOM_STARTED, step.startedAtMillis()));
        }
        if (step.endedAtMillis() != 0) {
            weight += TableDigest.weight(ENDED_DIGEST, exchange(page, at + ENDED, step.endedAtMillis()));
        }
        if (step.state() == TaskState.FAILED) {
            weight += TableDigest.weight(
                    ATTEMPT_FAILURES_DIGEST, exchangeSeldom(row, SELDOM_FAILURES, failures(row) + 1L));
        }
        digest.moved(key(group, high(first)), 0, isFirst ? weight(row) : weight);
        return STATES[low(first) & BYTE];
    }

    /** Writes a word. Returns by how much it grows. */
    private static long exchange(long[] page, int place, long value) {
        long before = page[place];
        page[place] = value;
        return value - before;
    }

    private long exchangeSeldom(int row, int word, long value) {
        return exchange(seldom.toWrite(row), seldom.at(row) + word, value);
    }

    /** Skips the write if the value is already there: a write would clone the page for nothing. */
    private void setSeldom(int row, int word, long value) {
        if (seldom.word(row, word) != value) {
            seldom.set(row, word, value);
        }
    }

    /** Marks the task as told to stop, for another placement or for nobody (version 0). */
    void evict(int row, TaskState state, TaskReason reason, long forVersion, int forOrdinal, long version) {
        long before = weight(row);
        setState(row, state, reason);
        setHandOver(row, new HandOver(handedOver(row), forVersion, forOrdinal));
        words.set(row, CHANGED, version);
        moved(row, before);
    }

    /** The task keeps its place and its identity, and holds its amounts from now on. */
    void upgrade(int row, long version) {
        long before = weight(row);
        Placing spare = placing(row);
        exchangePlacing(row, placing(spare.group(), spare.shape(), spare.origin(), spare.generation(), false));
        words.set(row, CHANGED, version);
        moved(row, before);
    }

    /** Sets how much of its amounts another placement holds, and which one. */
    void handOver(int row, Amounts handed, long toVersion, int toOrdinal) {
        if (handed.isNone() && toVersion == 0 && handOvers.of(row).isNone()) {
            return;
        }
        long before = weight(row);
        setHandOver(row, new HandOver(handed, toVersion, toOrdinal));
        moved(row, before);
    }

    /** The next attempt, pending. */
    void again(int row, long version) {
        long before = weight(row);
        begin(row, index(row), attempt(row) + 1);
        setSeldom(row, SELDOM_STARTED, 0);
        words.set(row, CHANGED, version);
        waiting(row, group(row));
        handOvers.set(row, HandOver.NONE);
        moved(row, before);
    }

    private void reach(int row) {
        words.reach(row);
        seldom.reach(row);
        links.reach(row);
    }

    /** Fills an unused row from a snapshot. */
    void load(int row, LoadedTask loaded) {
        reach(row);
        checkInvariant(!isUsed(row), "task row %s is loaded twice", row);
        rows = Math.max(rows, row + 1);
        begin(row, loaded.index(), loaded.attempt());
        setHandOver(row, new HandOver(loaded.handed(), loaded.yieldsToVersion(), loaded.yieldsToOrdinal()));
        words.set(
                row,
                INDEX_ORDINAL_REASON_STATE,
                both(loaded.index(), halfOf(loaded.ordinal(), loaded.state(), loaded.reason())));
        words.set(row, ATTEMPT_EXIT_CODE, both(loaded.attempt(), loaded.exitCode()));
        setSeldom(row, SELDOM_FAILURES, loaded.failures());
        words.set(row, MACHINE_PLACING, both(loaded.slot(), SharedValues.NONE));
        Placing placing = new Placing(loaded.group(), loaded.shape(), loaded.by(), loaded.generation(), loaded.spare());
        exchangePlacing(row, loadedPlacings.computeIfAbsent(placing, placings::add));
        setSeldom(row, SELDOM_STARTED, loaded.startedAtMillis());
        words.set(row, ENDED, loaded.endedAtMillis());
        words.set(row, CHANGED, loaded.changedVersion());
        links.set(row, 0, both(loaded.nextOnMachine(), NO_ROW));
        moved(row, 0);
    }

    /**
     * Call this when all rows are loaded with their next rows: it sets the previous rows of a machine's list and counts the
     * list.
     */
    int finishList(int firstOnMachine) {
        int count = 0;
        int previous = NO_ROW;
        for (int row = firstOnMachine; row != NO_ROW; row = nextOnMachine(row)) {
            links.set(row, 0, both(nextOnMachine(row), previous));
            previous = row;
            count++;
            checkInvariant(count <= rows, "the list of tasks that begins with row %s has no end", firstOnMachine);
        }
        return count;
    }

    /** Call this when all rows are loaded: unused rows in between may be used again. */
    void finishLoad() {
        loadedPlacings.clear();
        for (int row = rows - 1; row >= 0; row--) {
            if (!isUsed(row)) {
                leave(row);
            }
        }
    }

    private void setState(int row, TaskState state, TaskReason reason) {
        long first = words.word(row, INDEX_ORDINAL_REASON_STATE);
        words.set(row, INDEX_ORDINAL_REASON_STATE, withState(first, state, reason));
    }

    /** The first word with another state and reason. */
    private static long withState(long first, TaskState state, TaskReason reason) {
        return (first & (-1L << ORDINAL_SHIFT)) | reason.code() << REASON_SHIFT | state.code();
    }

    /** The low half of the first word. */
    private static int halfOf(int ordinal, TaskState state, TaskReason reason) {
        checkInvariant(ordinal >= 0 && ordinal <= ORDINAL_MAX, "the claim at place %s of a transaction", ordinal);
        return ordinal << ORDINAL_SHIFT | reason.code() << REASON_SHIFT | state.code();
    }

    /** Claims of one transaction come one after another, so the last number is mostly the right one. */
    private int placing(GroupRow group, Amounts shape, @Nullable Origin origin, int generation, boolean spare) {
        Placing last = placings.get(lastPlacing);
        if (last == null || !last.isOf(group, shape, origin == null ? 0 : origin.version(), spare)) {
            lastPlacing = placings.add(new Placing(group, shape, origin, generation, spare));
        }
        return lastPlacing;
    }

    private void exchangePlacing(int row, int placing) {
        long[] page = words.toWrite(row);
        int at = words.at(row) + MACHINE_PLACING;
        placings.exchange(low(page[at]), placing);
        page[at] = both(high(page[at]), placing);
    }

    private void setHandOver(int row, HandOver handOver) {
        words.toWrite(row);
        handOvers.set(row, handOver);
    }

    // ---- the lists of the machines

    void link(int row, int firstOnMachine) {
        links.set(row, 0, both(firstOnMachine, NO_ROW));
        if (firstOnMachine != NO_ROW) {
            setPrevious(firstOnMachine, row);
        }
    }

    /** Takes the row out of its machine's list. Returns the first row of the list. */
    int unlink(int row, int firstOnMachine) {
        int next = nextOnMachine(row);
        int previous = previousOnMachine(row);
        checkInvariant(previous != NO_ROW || firstOnMachine == row, "task row %s is on no list", row);
        if (next != NO_ROW) {
            setPrevious(next, previous);
        }
        if (previous != NO_ROW) {
            setNext(previous, next);
        }
        return previous == NO_ROW ? next : firstOnMachine;
    }

    private void setNext(int row, int next) {
        long[] page = links.toWrite(row);
        int at = links.at(row);
        page[at] = both(next, low(page[at]));
    }

    private void setPrevious(int row, int previous) {
        long[] page = links.toWrite(row);
        int at = links.at(row);
        page[at] = both(high(page[at]), previous);
    }

    /** Forgets the row of a task of the group. Its number may be used again. */
    void remove(int row, GroupRow group) {
        digest.moved(key(group, index(row)), weight(row), 0);
        handOvers.set(row, HandOver.NONE);
        setSeldom(row, SELDOM_STARTED, 0);
        setSeldom(row, SELDOM_FAILURES, 0);
        exchangePlacing(row, SharedValues.NONE);
        leave(row);
    }

    private void leave(int row) {
        if (unusedCount == unused.length) {
            unused = Arrays.copyOf(unused, 2 * unusedCount);
        }
        unused[unusedCount++] = row;
    }

    // ---- the digest of a row

    private void moved(int row, long before) {
        digest.moved(key(group(row), index(row)), before, weight(row));
    }

    private static long key(GroupRow group, int index) {
        long place = (long) group.place() << 32 | index;
        return group.job().id().version() * KEY_FACTOR + place;
    }

    /** The weight; zero for a row that was never written. */
    private long weight(int row) {
        long[] page = words.page(row);
        int at = words.at(row);
        return page[at + CHANGED] == 0 || !digest.isKept() ? 0 : weightOfSteps(row, page, at) + weightOfPlacing(row);
    }

    /** The part of the weight that a step changes. */
    private long weightOfSteps(int row, long[] page, int at) {
        return weightOfState(page, at)
                + weightOfAttempt(attempt(row), failures(row))
                + weightOfExit(generation(row), exitCode(row))
                + TableDigest.weight(STARTED_DIGEST, startedAt(row))
                + TableDigest.weight(ENDED_DIGEST, page[at + ENDED])
                + TableDigest.weight(CHANGED_DIGEST, page[at + CHANGED]);
    }

    private static long weightOfAttempt(int attempt, int failures) {
        return TableDigest.weight(ATTEMPT_FAILURES_DIGEST, both(attempt, failures));
    }

    private static long weightOfExit(int generation, int exitCode) {
        return TableDigest.weight(GENERATION_EXIT_CODE_DIGEST, both(generation, exitCode));
    }

    private static long weightOfState(long[] page, int at) {
        long first = page[at + INDEX_ORDINAL_REASON_STATE];
        long state = low(first) & (1L << ORDINAL_SHIFT) - 1;
        return TableDigest.weight(INDEX_STATE_DIGEST, (first & HIGH_HALF) | state);
    }

    /** The weight of the task's placement, and of what it has handed over. */
    private long weightOfPlacing(int row) {
        Origin origin = origin(row);
        long weight = weightOfMachine(words.page(row), words.at(row))
                + TableDigest.weight(ORIGIN_DIGEST, origin == null ? 0 : origin.version())
                + weightOfSpare(isSpare(row), shape(row));
        HandOver handOver = handOvers.of(row);
        return handOver.isNone() ? weight : weight + TableDigest.weight(YIELD_DIGEST, handOver.digest());
    }

    /** The amounts of other tasks are in what their machine holds. */
    private static long weightOfSpare(boolean spare, Amounts shape) {
        return spare ? TableDigest.weight(SPARE_DIGEST, Digests.mix(1, shape.digest())) : 0;
    }

    private static long weightOfMachine(long[] page, int at) {
        int ordinal = low(page[at + INDEX_ORDINAL_REASON_STATE]) >>> ORDINAL_SHIFT;
        return TableDigest.weight(MACHINE_ORDINAL_DIGEST, both(high(page[at + MACHINE_PLACING]), ordinal));
    }
}
