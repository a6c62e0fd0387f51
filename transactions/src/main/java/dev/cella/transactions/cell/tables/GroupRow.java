package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One group of a job: its header, which of its tasks have a row, and which are pending.
 *
 * <p>The row stores the indexes that are not pending, as bits. So a group of a hundred thousand tasks that were never placed
 * uses no memory for them. A live row: it changes with the tables, on the thread that owns them.
 */
public final class GroupRow {
    private final JobRow job;
    private final int place;
    private final boolean ofCopies;
    private GroupHeader header;
    private long askedVersion;
    private int askedCount;
    private int pending;
    private int onMachines;
    private int failedForGood;
    private long draftEpoch;
    private int drafted;
    private long[] taken = new long[0];
    private int[] rows = new int[0];
    private int rowCount;

    /** For a group of copies: the index of the task that each copies. */
    private final List<Integer> copied = new ArrayList<>();

    /** The group of the copies of its tasks; made with the first one. */
    private @Nullable GroupRow copies;

    /** For a group of copies: no copy below this index may have a task to end, or end with its task. */
    private int settledCopies;

    /** The tasks that wait in queues of machines; made with the first one. */
    private @Nullable BitSet queued;

    /**
     * No surplus task below this index has anything left to do. A surplus task is one that the group has lost by shrinking.
     */
    private int sweptTo;

    GroupRow(JobRow job, int place, GroupHeader header) {
        this.job = job;
        this.place = place;
        this.ofCopies = header.isOfCopies();
        this.header = header;
        this.pending = header.count();
    }

    /** The group at this moment. */
    GroupRow copy(JobRow ofJob) {
        GroupRow copy = new GroupRow(ofJob, place, header);
        copy.askedVersion = askedVersion;
        copy.askedCount = askedCount;
        copy.pending = pending;
        copy.onMachines = onMachines;
        copy.failedForGood = failedForGood;
        copy.taken = taken.clone();
        copy.rows = rows.clone();
        copy.rowCount = rowCount;
        copy.queued = queued == null ? null : (BitSet) queued.clone();
        copy.sweptTo = sweptTo;
        copy.copied.addAll(copied);
        return copy;
    }

    public JobRow job() {
        return job;
    }

    /** The name of the task at that index, "job/group/index", which never changes. */
    public String text(int index) {
        return job.name() + "/" + header.name() + "/" + index;
    }

    /** Its place in the job's list of groups. */
    public int place() {
        return place;
    }

    public GroupHeader header() {
        return header;
    }

    /** The version at which a person said its number of tasks last; 0 if the cell does not know it. */
    public long askedVersion() {
        return askedVersion;
    }

    /** The number of tasks that a person asked for last. A scheduler may have scaled it since, for a while. */
    public int askedCount() {
        return ofCopies || askedVersion == 0 ? header.count() : askedCount;
    }

    /** How many of its tasks wait to be placed. */
    public int pending() {
        return job.isStopped() ? 0 : pending;
    }

    /** How many of its tasks are on machines, holding their amounts. */
    public int onMachines() {
        return onMachines;
    }

    /** How many of its tasks failed more often than their restarts allow. */
    public int failedForGood() {
        return failedForGood;
    }

    /** Returns whether more tasks failed for good than allowed, so that the job must end. */
    boolean hasTooManyFailures() {
        return header.failuresMax() > 0 && failedForGood > header.failuresMax();
    }

    public boolean isPending(int index) {
        return index >= 0 && index < header.count() && !job.isStopped() && !isTaken(index);
    }

    /** Returns whether the task waits in the queue of a machine. It is pending then, and nobody has to place it. */
    public boolean isQueued(int index) {
        return queued != null && queued.get(index);
    }

    /** The indexes of the tasks that wait in the queue of a machine. */
    public IntStream queued() {
        return queued == null ? IntStream.empty() : queued.stream();
    }

    /** Notes whether the task waits in some queue. */
    void queue(int index, boolean waits) {
        BitSet known = queued == null ? new BitSet() : queued;
        known.set(index, waits);
        queued = known.isEmpty() ? null : known;
    }

    /** How many of its tasks are pending and wait in no queue. */
    public int toPlan() {
        return queued == null ? pending() : pending() - queued.cardinality();
    }

    /** The first index that is not below {@code from}, is pending and waits in no queue, or -1. */
    public int nextToPlan(int from) {
        int index = nextPending(from);
        while (index >= 0 && isQueued(index)) {
            index = nextPending(index + 1);
        }
        return index;
    }

    /** The first pending index that is not below {@code from}, or -1. */
    public int nextPending(int from) {
        if (job.isStopped()) {
            return -1;
        }
        for (int index = from; index < header.count(); index++) {
            int word = index >> 6;
            if (word >= taken.length) {
                return index;
            }
            long open = ~taken[word] >>> index;
            if (open != 0) {
                int found = index + Long.numberOfTrailingZeros(open);
                return found < header.count() ? found : -1;
            }
            index |= 63;
        }
        return -1;
    }

    /** The row of the task, or {@link TaskTable#NO_ROW} when it was never placed. */
    public int row(int index) {
        return index < rows.length ? rows[index] - 1 : TaskTable.NO_ROW;
    }

    /** How many of its tasks have a row, surplus tasks included. */
    int rows() {
        return rowCount;
    }

    /** No index from here on has a row. */
    public int rowsEnd() {
        return rows.length;
    }

    void setRow(int index, int row) {
        if (index >= rows.length) {
            rows = Arrays.copyOf(rows, Math.max(index + 1, Math.min(header.count(), Math.max(8, 2 * rows.length))));
        }
        rowCount += rows[index] == 0 ? 1 : 0;
        rows[index] = row + 1;
    }

    /** Forgets the row of a surplus task. A group without rows uses no memory for the tasks that it had. */
    void removeRow(int index) {
        rows[index] = 0;
        rowCount--;
        if (isTaken(index)) {
            taken[index >> 6] &= ~(1L << index);
        }
        if (rowCount == 0) {
            rows = new int[0];
            taken = new long[0];
        }
    }

    /** Returns whether the group has shrunk and lost this task. A surplus task on a machine stops and is then forgotten. */
    public boolean isSurplus(int index) {
        return index >= header.count();
    }

    /** The first index at which a surplus task may have to stop or lose its row. */
    public int firstToSweep() {
        return Math.max(header.count(), sweptTo);
    }

    /** Notes that nothing is left to do for surplus tasks below that index. */
    void sweptTo(int index) {
        sweptTo = index;
    }

    /** Notes that a surplus task has ended, so its row must be dropped. */
    void mustSweep(int index) {
        sweptTo = Math.min(sweptTo, index);
    }

    void take(int index) {
        int word = index >> 6;
        if (word >= taken.length) {
            taken = Arrays.copyOf(taken, Math.max(word + 1, Math.min(2 * taken.length, (header.count() + 63) >> 6)));
        }
        taken[word] |= 1L << index;
        pending--;
    }

    void putBack(int index) {
        taken[index >> 6] &= ~(1L << index);
        pending++;
    }

    /** Replaces the header. The caller must recount the tasks. */
    void update(GroupHeader next) {
        header = next;
        sweptTo = 0;
        if (ofCopies && copied.size() > next.count()) {
            copied.subList(next.count(), copied.size()).clear();
            settledCopies = 0;
        }
    }

    /**
     * Notes that a person asked for its present number of tasks at that version; 0 if the cell does not store that. Nobody asks
     * for copies.
     */
    void ask(long version) {
        askedVersion = ofCopies ? 0 : version;
        askedCount = askedVersion == 0 ? 0 : header.count();
    }

    void writeAsked(ByteWriter out) {
        out.writeVarint(askedVersion);
        out.writeVarint(askedCount);
    }

    void readAsked(ByteReader in) {
        askedVersion = in.readVarint();
        askedCount = in.readInt();
    }

    /** Mixes nothing in if the number is not known, so that older digests stay the same. */
    long mixAsked(long digest) {
        return askedVersion == 0 ? digest : Digests.mix(Digests.mix(digest + place, askedVersion), askedCount);
    }

    /** Returns whether no task is left, and no row of a former task. */
    boolean isEmpty() {
        return header.count() == 0 && rowCount == 0;
    }

    void countOnMachines(int more) {
        onMachines += more;
    }

    // ---- tasks that the current transaction would add to those on machines; scratch of the commit rule

    int drafted(long epoch) {
        return draftEpoch == epoch ? drafted : 0;
    }

    void draft(int more, long epoch) {
        drafted = drafted(epoch) + more;
        draftEpoch = epoch;
    }

    // ---- copies

    /** Returns whether its tasks are copies of the tasks of another group of the job. */
    public boolean isOfCopies() {
        return ofCopies;
    }

    /** The index of the task that this copy is of. */
    public int copied(int index) {
        return copied.get(index);
    }

    /** The group of the copies of its tasks, if any task ever had one. */
    public Optional<GroupRow> copies() {
        return Optional.ofNullable(copies);
    }

    /** The group whose tasks this group of copies copies. */
    public GroupRow original() {
        return job.group(job.header().findGroup(header.nameOfCopied()));
    }

    void copiedBy(GroupRow ofItsCopies) {
        copies = ofItsCopies;
    }

    /** Adds a copy of the task at that index of the other group. */
    void addCopy(GroupHeader next, int of) {
        header = next;
        pending++;
        copied.add(of);
    }

    /** Adds which task a copy from a snapshot is of. */
    void loadCopy(int of) {
        copied.add(of);
    }

    int settledCopies() {
        return settledCopies;
    }

    void settledCopies(int below) {
        settledCopies = below;
    }

    // ---- for the tables

    /** Counts a task that has ended for good, so that no new attempt follows by itself. */
    void countForGood(TaskState ended, TaskReason reason) {
        if (ofCopies || reason == TaskReason.COPY) {
            job.countBeside();
            return;
        }
        failedForGood += ended == TaskState.FAILED ? 1 : 0;
        job.countForGood(ended);
    }

    /** Recounts its tasks, also in its job's counts, after its header has changed or a snapshot was loaded. */
    void recount(Tables tables) {
        pending = header.count() - taken();
        onMachines = 0;
        failedForGood = 0;
        job.countPending(pending);
        for (int index = 0; index < rows.length; index++) {
            if (row(index) != TaskTable.NO_ROW && isTaken(index)) {
                recount(tables, index, row(index));
            }
        }
    }

    /** A surplus task counts while it is on a machine. */
    private void recount(Tables tables, int index, int row) {
        TaskState state = tables.tasks.state(row);
        if (state.isOnMachine()) {
            job.counts().add(state, 1);
            onMachines++;
        } else if (!isSurplus(index)) {
            job.counts().add(state, 1);
            if (tables.facts.isForGood(row, state)) {
                countForGood(state, tables.tasks.reason(row));
            }
        }
    }

    /** How many of its indexes are not pending. */
    private int taken() {
        int whole = Math.min(header.count() >> 6, taken.length);
        int count = 0;
        for (int word = 0; word < whole; word++) {
            count += Long.bitCount(taken[word]);
        }
        boolean hasRest = whole < taken.length && (header.count() & 63) != 0;
        return hasRest ? count + Long.bitCount(taken[whole] & (1L << header.count()) - 1) : count;
    }

    private boolean isTaken(int index) {
        int word = index >> 6;
        return word < taken.length && (taken[word] >>> index & 1) != 0;
    }
}
