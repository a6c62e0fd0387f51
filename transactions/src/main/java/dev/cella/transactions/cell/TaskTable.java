package dev.cella.transactions.cell;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.codec.ChangeSink;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that were placed at least once, a row each; one that was never placed has no row, its group knows it as an
 * index that is pending. The numbers of a row are one line of memory. Rows of one machine are linked into a list. Rows are
 * named by their group and index, so the number of a row is a matter of this copy alone. Owned by the thread that applies
 * changes; copies share its pages.
 */
final class TaskTable {
    static final int NO_ROW = -1;
    static final int NO_MACHINE = -1;

    /** The words of a row, two numbers each where there is a high and a low half. */
    private static final int INDEX_STATE = 0;

    private static final int ATTEMPT_FAILURES = 1;
    private static final int GENERATION_EXIT_CODE = 2;
    private static final int MACHINE_ORDINAL = 3;
    private static final int STARTED = 4;
    private static final int ENDED = 5;
    private static final int CHANGED = 6;
    private static final int NEXT_PREVIOUS = 7;
    private static final int WORDS = 8;
    private static final int REASON_SHIFT = 8;
    private static final int BYTE = 0xFF;

    /** The columns of the digest after those of the words before the links. */
    private static final int ORIGIN_DIGEST = 8;

    private static final int YIELD_DIGEST = 9;
    private static final long KEY_FACTOR = 0xD6E8FEB86659FD93L;

    private static final int ROW_BITS = 8;
    private static final TaskState[] STATES = TaskState.values();
    private static final TaskReason[] REASONS = TaskReason.values();

    /** What of a victim's amounts another placement holds by now, and which placement that is. */
    private record HandOver(Amounts amounts, long toVersion, int toOrdinal) {
        static final HandOver NONE = new HandOver(Amounts.NONE, 0, 0);

        boolean isNone() {
            return amounts.isNone() && toVersion == 0;
        }

        long digest() {
            return Digests.mix(Digests.mix(toVersion, toOrdinal), amounts.digest());
        }
    }

    final TableDigest digest;
    private final WordPages words;
    private final RefPages<GroupRow> groups;
    private final RefPages<Amounts> shapes;
    private final RefPages<Origin> origins;
    private final Map<Integer, HandOver> handOvers;
    private int rows;
    private int firstUnused = NO_ROW;

    TaskTable() {
        digest = new TableDigest();
        words = new WordPages(WORDS, ROW_BITS);
        groups = new RefPages<>(ROW_BITS);
        shapes = new RefPages<>(ROW_BITS);
        origins = new RefPages<>(ROW_BITS);
        handOvers = new HashMap<>();
    }

    /** The tasks of this moment, to be read and never written. Of a group's row no more than its identity is of it. */
    private TaskTable(TaskTable copied) {
        digest = new TableDigest(copied.digest);
        words = copied.words.copy();
        groups = copied.groups.copy();
        shapes = copied.shapes.copy();
        origins = copied.origins.copy();
        handOvers = new HashMap<>(copied.handOvers);
        rows = copied.rows;
    }

    TaskTable copy() {
        return new TaskTable(this);
    }

    // ---- reading

    GroupRow group(int row) {
        GroupRow group = groups.get(row);
        if (group == null) {
            throw new IllegalStateException("task row " + row + " is not in use");
        }
        return group;
    }

    int index(int row) {
        return high(row, INDEX_STATE);
    }

    TaskState state(int row) {
        return STATES[low(row, INDEX_STATE) & BYTE];
    }

    TaskReason reason(int row) {
        return REASONS[low(row, INDEX_STATE) >>> REASON_SHIFT & BYTE];
    }

    /** Counted from 1 over all generations of the job's name. */
    int attempt(int row) {
        return high(row, ATTEMPT_FAILURES);
    }

    int failures(int row) {
        return low(row, ATTEMPT_FAILURES);
    }

    int generation(int row) {
        return high(row, GENERATION_EXIT_CODE);
    }

    int exitCode(int row) {
        return low(row, GENERATION_EXIT_CODE);
    }

    /** The slot of the machine the attempt is or was on, or {@link #NO_MACHINE}. */
    int machine(int row) {
        return high(row, MACHINE_ORDINAL);
    }

    int ordinal(int row) {
        return low(row, MACHINE_ORDINAL);
    }

    long startedAt(int row) {
        return words.word(row, STARTED);
    }

    long endedAt(int row) {
        return words.word(row, ENDED);
    }

    long changedVersion(int row) {
        return words.word(row, CHANGED);
    }

    int nextOnMachine(int row) {
        return high(row, NEXT_PREVIOUS);
    }

    private int previousOnMachine(int row) {
        return low(row, NEXT_PREVIOUS);
    }

    /** Something of the rows before and after it in its machine's list; says nothing. */
    long readNeighbours(int row) {
        int next = nextOnMachine(row);
        int previous = previousOnMachine(row);
        return readLinks(next) + readLinks(previous);
    }

    private long readLinks(int row) {
        return row == NO_ROW ? 0 : words.word(row, NEXT_PREVIOUS);
    }

    private int high(int row, int word) {
        return (int) (words.word(row, word) >>> 32);
    }

    private int low(int row, int word) {
        return (int) words.word(row, word);
    }

    Amounts shape(int row) {
        Amounts shape = shapes.get(row);
        return shape == null ? Amounts.NONE : shape;
    }

    @Nullable
    Origin origin(int row) {
        return origins.get(row);
    }

    /** What of its amounts the claim that evicted it holds by now. */
    Amounts handedOver(int row) {
        return handOver(row).amounts();
    }

    /** What it holds while it is on a machine. */
    Amounts held(int row) {
        Amounts handed = handedOver(row);
        return handed.isNone() ? shape(row) : shape(row).minus(handed);
    }

    /** The version of the placement for which it was evicted, or 0. */
    long yieldsToVersion(int row) {
        return handOver(row).toVersion();
    }

    int yieldsToOrdinal(int row) {
        return handOver(row).toOrdinal();
    }

    /** How many rows yield to another placement; where there are none nobody needs to look for them. */
    int yielding() {
        return handOvers.size();
    }

    private HandOver handOver(int row) {
        return handOvers.isEmpty() ? HandOver.NONE : handOvers.getOrDefault(row, HandOver.NONE);
    }

    /** Whether {@code victim} was evicted for the placement in {@code row}. */
    boolean yieldsTo(int victim, int row) {
        Origin by = origins.get(row);
        return by != null && yieldsTo(victim, by.version(), ordinal(row));
    }

    /** Whether {@code victim} was evicted for that placement. */
    boolean yieldsTo(int victim, long version, int ordinal) {
        HandOver handOver = handOver(victim);
        return handOver.toVersion() != 0 && handOver.toVersion() == version && handOver.toOrdinal() == ordinal;
    }

    // ---- pages

    int pages() {
        return words.pages();
    }

    int firstRow(int page) {
        return page * words.rowsAPage();
    }

    int endRow(int page) {
        return Math.min(rows, firstRow(page + 1));
    }

    boolean isUsed(int row) {
        return groups.get(row) != null;
    }

    /** Whether nobody changed a task of the page between the two copies. */
    boolean isSame(int page, TaskTable other) {
        return words.isSame(page, other.words) && groups.isSame(page, other.groups);
    }

    // ---- changing

    /** A row for a task that is pending for the first time. */
    int add(GroupRow group, int index, int attempt) {
        int row = firstUnused == NO_ROW ? rows++ : firstUnused;
        if (row == firstUnused) {
            firstUnused = nextOnMachine(row);
        } else {
            reach(row);
        }
        begin(row, group, index, attempt);
        return row;
    }

    private void begin(int row, GroupRow group, int index, int attempt) {
        groups.set(row, group);
        long[] page = words.toWrite(row);
        int at = words.at(row);
        page[at + INDEX_STATE] = both(index, 0);
        page[at + ENDED] = 0;
        page[at + CHANGED] = 0;
        becomePending(row, attempt, 0);
    }

    void place(int row, int generation, Amounts shape, int machine, Origin origin, int ordinal) {
        long before = weight(row);
        shapes.set(row, shape);
        origins.set(row, origin);
        long[] page = words.toWrite(row);
        int at = words.at(row);
        page[at + GENERATION_EXIT_CODE] = both(generation, (int) page[at + GENERATION_EXIT_CODE]);
        page[at + MACHINE_ORDINAL] = both(machine, ordinal);
        page[at + CHANGED] = origin.version();
        setState(row, TaskState.PLACED, reason(row));
        moved(row, before);
    }

    void step(int row, TaskState state, TaskReason reason, int exitCode, long startedAt, long endedAt, long version) {
        long before = weight(row);
        long[] page = words.toWrite(row);
        int at = words.at(row);
        setState(row, state, reason);
        if (exitCode != ChangeSink.EXIT_CODE_NONE) {
            page[at + GENERATION_EXIT_CODE] = both(generation(row), exitCode);
        }
        if (startedAt != 0) {
            page[at + STARTED] = startedAt;
        }
        if (endedAt != 0) {
            page[at + ENDED] = endedAt;
        }
        if (state == TaskState.FAILED) {
            page[at + ATTEMPT_FAILURES]++;
        }
        page[at + CHANGED] = version;
        moved(row, before);
    }

    /** Told to stop for another placement, or for nobody (version 0). */
    void evict(int row, TaskState state, TaskReason reason, long forVersion, int forOrdinal, long version) {
        long before = weight(row);
        setState(row, state, reason);
        setHandOver(row, handedOver(row), forVersion, forOrdinal);
        words.set(row, CHANGED, version);
        moved(row, before);
    }

    /** How much of its amounts another placement holds, and which one. */
    void handOver(int row, Amounts handed, long toVersion, int toOrdinal) {
        if (handed.isNone() && toVersion == 0 && handOver(row).isNone()) {
            return;
        }
        long before = weight(row);
        setHandOver(row, handed, toVersion, toOrdinal);
        moved(row, before);
    }

    /** The next attempt, pending. */
    void again(int row, long version) {
        long before = weight(row);
        becomePending(row, attempt(row) + 1, failures(row));
        words.set(row, ENDED, 0);
        words.set(row, CHANGED, version);
        moved(row, before);
    }

    /** What a snapshot says of a row that was not in use. */
    void load(
            int row,
            GroupRow group,
            int index,
            int attempt,
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
            long changedVersion,
            int nextOnMachine) {
        reach(row);
        rows = Math.max(rows, row + 1);
        begin(row, group, index, attempt);
        setHandOver(row, handed, yieldsToVersion, yieldsToOrdinal);
        setState(row, state, reason);
        shapes.set(row, shape);
        origins.set(row, origin);
        words.set(row, ATTEMPT_FAILURES, both(attempt(row), failed));
        words.set(row, GENERATION_EXIT_CODE, both(generation, exitCode));
        words.set(row, MACHINE_ORDINAL, both(machine, ordinal));
        words.set(row, STARTED, startedAt);
        words.set(row, ENDED, endedAt);
        words.set(row, CHANGED, changedVersion);
        words.set(row, NEXT_PREVIOUS, both(nextOnMachine, NO_ROW));
        moved(row, 0);
    }

    /** All rows are loaded, with the one after each: brings the way back into a machine's list, and counts it. */
    int finishList(int firstOnMachine) {
        int count = 0;
        int previous = NO_ROW;
        for (int row = firstOnMachine; row != NO_ROW; row = nextOnMachine(row)) {
            words.set(row, NEXT_PREVIOUS, both(nextOnMachine(row), previous));
            previous = row;
            count++;
        }
        return count;
    }

    /** All rows are loaded: those between them that are not in use may be used again. */
    void finishLoad() {
        for (int row = rows - 1; row >= 0; row--) {
            if (!isUsed(row)) {
                words.set(row, NEXT_PREVIOUS, both(firstUnused, NO_ROW));
                firstUnused = row;
            }
        }
    }

    private void becomePending(int row, int attempt, int failed) {
        long[] page = words.toWrite(row);
        int at = words.at(row);
        page[at + INDEX_STATE] = both((int) (page[at + INDEX_STATE] >>> 32), TaskState.PENDING.code());
        page[at + ATTEMPT_FAILURES] = both(attempt, failed);
        page[at + GENERATION_EXIT_CODE] = both(0, ChangeSink.EXIT_CODE_NONE);
        page[at + MACHINE_ORDINAL] = both(NO_MACHINE, 0);
        page[at + STARTED] = 0;
        shapes.clear(row);
        origins.clear(row);
        setHandOver(row, Amounts.NONE, 0, 0);
    }

    private void setState(int row, TaskState state, TaskReason reason) {
        words.set(row, INDEX_STATE, both(index(row), state.code() | reason.code() << REASON_SHIFT));
    }

    private void setHandOver(int row, Amounts handed, long toVersion, int toOrdinal) {
        words.toWrite(row);
        if (!handed.isNone() || toVersion != 0) {
            handOvers.put(row, new HandOver(handed, toVersion, toOrdinal));
        } else if (!handOvers.isEmpty()) {
            handOvers.remove(row);
        }
    }

    private static long both(int high, int low) {
        return (long) high << 32 | (low & 0xFFFFFFFFL);
    }

    // ---- the lists of the machines

    void link(int row, int firstOnMachine) {
        words.set(row, NEXT_PREVIOUS, both(firstOnMachine, NO_ROW));
        if (firstOnMachine != NO_ROW) {
            words.set(firstOnMachine, NEXT_PREVIOUS, both(nextOnMachine(firstOnMachine), row));
        }
    }

    /** Takes the row out of its machine's list and answers the first row of it. */
    int unlink(int row, int firstOnMachine) {
        int next = nextOnMachine(row);
        int previous = previousOnMachine(row);
        checkInvariant(previous != NO_ROW || firstOnMachine == row, "task row %s is on no list", row);
        if (next != NO_ROW) {
            words.set(next, NEXT_PREVIOUS, both(nextOnMachine(next), previous));
        }
        if (previous != NO_ROW) {
            words.set(previous, NEXT_PREVIOUS, both(next, previousOnMachine(previous)));
        }
        return previous == NO_ROW ? next : firstOnMachine;
    }

    /** The row is forgotten; its number may be used again. */
    void remove(int row) {
        digest.moved(coefficient(row), weight(row), 0);
        setHandOver(row, Amounts.NONE, 0, 0);
        groups.clear(row);
        shapes.clear(row);
        origins.clear(row);
        words.set(row, NEXT_PREVIOUS, both(firstUnused, NO_ROW));
        firstUnused = row;
    }

    private void reach(int row) {
        words.reach(row);
        groups.reach(row);
        shapes.reach(row);
        origins.reach(row);
    }

    // ---- the digest of a row

    private void moved(int row, long before) {
        digest.moved(coefficient(row), before, weight(row));
    }

    private long coefficient(int row) {
        GroupRow group = group(row);
        long place = (long) group.place() << 32 | index(row);
        return TableDigest.coefficient(group.job().id().version() * KEY_FACTOR + place);
    }

    /** Zero for a row that nothing was written to yet. */
    private long weight(int row) {
        long[] page = words.page(row);
        int at = words.at(row);
        if (page[at + CHANGED] == 0) {
            return 0;
        }
        Origin origin = origins.get(row);
        long weight = TableDigest.weight(ORIGIN_DIGEST, origin == null ? 0 : origin.version());
        for (int word = 0; word < NEXT_PREVIOUS; word++) {
            weight += TableDigest.weight(word, page[at + word]);
        }
        HandOver handOver = handOver(row);
        return handOver.isNone() ? weight : weight + TableDigest.weight(YIELD_DIGEST, handOver.digest());
    }
}
