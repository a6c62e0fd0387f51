package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.SharedValues;
import dev.cella.transactions.cell.pages.WordPages;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * The read side of the tasks' rows. The numbers that claims and ends touch are adjacent, in 40 bytes, because fewer bytes
 * arrive sooner. One of them is the number of the {@link Placing} that the row shares with the other claims of its
 * transaction. The start time and the failures are apart, and so is the place in the machine's list, which claims and ends of
 * other tasks write. {@link TaskTable} changes the rows.
 */
public abstract sealed class TaskRows permits TaskTable {
    public static final int NO_ROW = -1;
    public static final int NO_MACHINE = -1;

    /**
     * The words of a row. A name with two parts is a word with a high and a low half; the first low half has three values.
     */
    static final int INDEX_ORDINAL_REASON_STATE = 0;

    static final int ATTEMPT_EXIT_CODE = 1;
    static final int MACHINE_PLACING = 2;
    static final int ENDED = 3;
    static final int CHANGED = 4;
    static final int WORDS = 5;

    /** The words that claims and most ends do not touch: they are zero in an unused row. */
    static final int SELDOM_STARTED = 0;

    static final int SELDOM_FAILURES = 1;
    static final int SELDOM_WORDS = 2;
    static final int REASON_SHIFT = 8;
    static final int ORDINAL_SHIFT = 16;
    static final int ORDINAL_MAX = 0xFFFF;
    static final int BYTE = 0xFF;
    static final long HIGH_HALF = -1L << 32;

    static final int ROW_BITS = 8;
    static final TaskState[] STATES = TaskState.values();
    private static final TaskReason[] REASONS = TaskReason.values();

    /**
     * The values that the claims of one transaction on tasks of one group share. A pending task has no origin and no
     * generation yet.
     */
    record Placing(GroupRow group, Amounts shape, @Nullable Origin origin, int generation, boolean spare) {
        /** Group and version determine the generation. */
        boolean isOf(GroupRow ofGroup, Amounts ofShape, long ofVersion, boolean ofSpare) {
            return group == ofGroup && version() == ofVersion && spare == ofSpare && shape.equals(ofShape);
        }

        /** The version of the transaction, or 0. */
        long version() {
            return origin == null ? 0 : origin.version();
        }
    }

    final WordPages words;

    /**
     * For each row, the words that claims and most ends do not touch. They are only written together with another word of the
     * row.
     */
    final WordPages seldom;

    /** For each row, the next and the previous row in its machine's list. */
    final WordPages links;

    final SharedValues<Placing> placings;
    final HandOvers handOvers;
    int rows;

    TaskRows() {
        words = new WordPages(WORDS, ROW_BITS);
        seldom = new WordPages(SELDOM_WORDS, ROW_BITS);
        links = new WordPages(1, ROW_BITS);
        placings = new SharedValues<>();
        handOvers = new HandOvers();
    }

    /** The tasks at this moment, for reading only. The row of a group is live, so use only its identity. */
    TaskRows(TaskRows copied) {
        words = copied.words.copy();
        seldom = copied.seldom.copy();
        links = copied.links.copy();
        placings = copied.placings.copy();
        handOvers = copied.handOvers.copy();
        rows = copied.rows;
    }

    // ---- reading

    public GroupRow group(int row) {
        return placing(row).group();
    }

    Placing placing(int row) {
        Placing placing = placings.get(low(row, MACHINE_PLACING));
        if (placing == null) {
            throw new IllegalStateException("task row " + row + " is not in use");
        }
        return placing;
    }

    public int index(int row) {
        return high(row, INDEX_ORDINAL_REASON_STATE);
    }

    public TaskState state(int row) {
        return STATES[low(row, INDEX_ORDINAL_REASON_STATE) & BYTE];
    }

    public TaskReason reason(int row) {
        return REASONS[low(row, INDEX_ORDINAL_REASON_STATE) >>> REASON_SHIFT & BYTE];
    }

    /** Counted from 1 over all generations of the job's name. */
    public int attempt(int row) {
        return high(row, ATTEMPT_EXIT_CODE);
    }

    public int failures(int row) {
        return (int) seldom.word(row, SELDOM_FAILURES);
    }

    public int generation(int row) {
        return placing(row).generation();
    }

    public int exitCode(int row) {
        return low(row, ATTEMPT_EXIT_CODE);
    }

    /** The slot of the machine the attempt is or was on, or {@link #NO_MACHINE}. */
    public int machine(int row) {
        return high(row, MACHINE_PLACING);
    }

    public int ordinal(int row) {
        return low(row, INDEX_ORDINAL_REASON_STATE) >>> ORDINAL_SHIFT;
    }

    public long startedAt(int row) {
        return seldom.word(row, SELDOM_STARTED);
    }

    public long endedAt(int row) {
        return words.word(row, ENDED);
    }

    public long changedVersion(int row) {
        return words.word(row, CHANGED);
    }

    public int nextOnMachine(int row) {
        return high(links.word(row, 0));
    }

    int previousOnMachine(int row) {
        return low(links.word(row, 0));
    }

    /** Reads something from the rows before and after it in its machine's list; the value has no meaning. */
    long readNeighbours(int row) {
        int next = nextOnMachine(row);
        int previous = previousOnMachine(row);
        return readLinks(next) + readLinks(previous);
    }

    private long readLinks(int row) {
        return row == NO_ROW ? 0 : links.word(row, 0);
    }

    private int high(int row, int word) {
        return high(words.word(row, word));
    }

    private int low(int row, int word) {
        return low(words.word(row, word));
    }

    public Amounts shape(int row) {
        return placing(row).shape();
    }

    /** The version of the transaction that placed the task, or 0. */
    public long placedVersion(int row) {
        return placing(row).version();
    }

    @Nullable
    public Origin origin(int row) {
        Placing placing = placings.get(low(row, MACHINE_PLACING));
        return placing == null ? null : placing.origin();
    }

    /** The amounts that the task has handed over to the claim that evicted it. */
    public Amounts handedOver(int row) {
        return handOvers.of(row).amounts();
    }

    /** Returns whether the task was placed as spare work and has not been upgraded. */
    public boolean isSpare(int row) {
        return placing(row).spare();
    }

    /** The amounts that it holds while it is on a machine. A spare task holds none. */
    public Amounts held(int row) {
        if (isSpare(row)) {
            return Amounts.NONE;
        }
        Amounts handed = handedOver(row);
        return handed.isNone() ? shape(row) : shape(row).minus(handed);
    }

    /** The version of the placement for which it was evicted, or 0. */
    public long yieldsToVersion(int row) {
        return handOvers.of(row).toVersion();
    }

    public int yieldsToOrdinal(int row) {
        return handOvers.of(row).toOrdinal();
    }

    /** How many rows yield to another placement. At 0, callers need not search. */
    int yielding() {
        return handOvers.size();
    }

    /** Returns whether {@code victim} was evicted for the placement in {@code row}. */
    boolean yieldsTo(int victim, int row) {
        Origin by = origin(row);
        return by != null && yieldsTo(victim, by.version(), ordinal(row));
    }

    /** Returns whether {@code victim} was evicted for that placement. */
    boolean yieldsTo(int victim, long version, int ordinal) {
        return handOvers.of(victim).isTo(version, ordinal);
    }

    // ---- pages

    public int pages() {
        return words.pages();
    }

    public int firstRow(int page) {
        return page * words.rowsAPage();
    }

    public int endRow(int page) {
        return Math.min(rows, firstRow(page + 1));
    }

    public boolean isUsed(int row) {
        return low(row, MACHINE_PLACING) != SharedValues.NONE;
    }

    /**
     * Returns whether no task of the page changed between the two copies. The seldom words never change alone, so this does not
     * compare them.
     */
    public boolean isSame(int page, TaskRows other) {
        return words.isSame(page, other.words) && links.isSame(page, other.links);
    }

    // ---- two numbers in a word

    static long both(int high, int low) {
        return (long) high << 32 | (low & 0xFFFFFFFFL);
    }

    static int high(long word) {
        return (int) (word >>> 32);
    }

    static int low(long word) {
        return (int) word;
    }
}
