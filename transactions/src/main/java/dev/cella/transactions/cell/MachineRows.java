package dev.cella.transactions.cell;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.Origin;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the machines, to be read: the numbers of a row lie beside each other, those first that a claim goes for, so
 * that it touches two lines of memory in a large cell. {@link MachineTable} changes them.
 */
abstract sealed class MachineRows permits MachineTable {
    /** The words of a row; then free amount and capacity of each dimension, and after them the wanted capacities. */
    static final int REGISTERED = 0;

    static final int CLAIMED = 1;
    static final int CLAIMED_BY_OTHERS = 2;
    static final int CLAIMED_SESSION = 3;
    static final int CHANGED = 4;
    static final int FIRST_TASK_CLAIMANT = 5;
    static final int TASKS_REFERENCES = 6;
    static final int MARKS = 7;
    static final int AMOUNTS = 8;

    static final long DRAINING = 1;
    static final long DOWN = 2;
    static final long SHRINKING = 4;

    static final long LOW_HALF = 0xFFFFFFFFL;
    static final long HIGH_HALF = ~LOW_HALF;
    static final int ROW_BITS = 6;

    final RefPages<MachineSaid> said;
    final RefPages<Drain> drains;
    final RefPages<MachineMembers> members;
    final SharedValues<Origin> claimants;
    int width;
    WordPages rows;
    int slots;

    MachineRows() {
        said = new RefPages<>(ROW_BITS);
        drains = new RefPages<>(ROW_BITS);
        members = new RefPages<>(ROW_BITS);
        claimants = new SharedValues<>();
        width = 4;
        rows = newRows(width);
    }

    /** The machines of this moment, to be read by slot and never written. */
    MachineRows(MachineRows copied) {
        said = copied.said.copy();
        drains = copied.drains.copy();
        members = copied.members.copy();
        claimants = copied.claimants.copy();
        width = copied.width;
        rows = copied.rows.copy();
        slots = copied.slots;
    }

    static WordPages newRows(int width) {
        return new WordPages(AMOUNTS + 3 * width, ROW_BITS);
    }

    // ---- reading

    int slots() {
        return slots;
    }

    boolean exists(int slot) {
        return slot >= 0 && slot < slots && registeredVersion(slot) != 0;
    }

    MachineSaid said(int slot) {
        MachineSaid says = said.get(slot);
        return says == null ? MachineSaid.NOTHING : says;
    }

    /** The name of what is, or was last, in the slot. */
    String name(int slot) {
        return said(slot).name();
    }

    SortedMap<String, String> attributes(int slot) {
        return said(slot).attributes();
    }

    @Nullable
    AgentIdentity agent(int slot) {
        return said(slot).agent();
    }

    long registeredVersion(int slot) {
        return rows.word(slot, REGISTERED);
    }

    long free(int slot, int dimension) {
        return rows.word(slot, freeWord(dimension));
    }

    long capacity(int slot, int dimension) {
        return rows.word(slot, freeWord(dimension) + 1);
    }

    long capacityWanted(int slot, int dimension) {
        return rows.word(slot, AMOUNTS + 2 * width + dimension);
    }

    /** The capacity is the word after it. */
    static int freeWord(int dimension) {
        return AMOUNTS + 2 * dimension;
    }

    /** Something of each line of memory that a claim touches, and the end of a task; says nothing. */
    long readRow(int slot) {
        long[] page = rows.page(slot);
        int at = rows.at(slot);
        return page[at] + page[at + AMOUNTS - 1] + page[at + AMOUNTS + 3];
    }

    /** Its members in the dimensions that are sets; the numbers of them are its amounts. */
    MachineMembers members(int slot) {
        MachineMembers has = members.get(slot);
        return has == null ? MachineMembers.NONE : has;
    }

    long held(int slot, int dimension) {
        return capacity(slot, dimension) - free(slot, dimension);
    }

    /** What is free, or below zero what a machine that is to shrink has too much of. */
    long slack(int slot, int dimension) {
        long free = free(slot, dimension);
        boolean shrinking = (rows.word(slot, MARKS) & SHRINKING) != 0;
        return shrinking ? free - (capacity(slot, dimension) - capacityWanted(slot, dimension)) : free;
    }

    boolean isDraining(int slot) {
        return (rows.word(slot, MARKS) & DRAINING) != 0;
    }

    /** How it is emptied; nothing where all tasks on it stay. */
    @Nullable
    Drain drain(int slot) {
        return drains.get(slot);
    }

    boolean isDown(int slot) {
        return (rows.word(slot, MARKS) & DOWN) != 0;
    }

    boolean isReady(int slot) {
        return (rows.word(slot, MARKS) & (DRAINING | DOWN)) == 0;
    }

    MachineStatus status(int slot) {
        if (isDown(slot)) {
            return MachineStatus.DOWN;
        }
        if (!isDraining(slot)) {
            return MachineStatus.READY;
        }
        return taskCount(slot) > 0 ? MachineStatus.DRAINING : MachineStatus.DRAINED;
    }

    long claimedVersion(int slot) {
        return rows.word(slot, CLAIMED);
    }

    /** The last version at which anyone claimed whose session is not {@code session}. */
    long claimedByOthersVersion(int slot, long session) {
        boolean own = session != 0 && rows.word(slot, CLAIMED_SESSION) == session;
        return own ? claimedByOthersVersion(slot) : claimedVersion(slot);
    }

    /** The last version at which anyone claimed but the one who claimed last. */
    long claimedByOthersVersion(int slot) {
        return rows.word(slot, CLAIMED_BY_OTHERS);
    }

    @Nullable
    Origin claimedBy(int slot) {
        return claimants.get((int) rows.word(slot, FIRST_TASK_CLAIMANT));
    }

    long changedVersion(int slot) {
        return rows.word(slot, CHANGED);
    }

    /** The row of the task that came last, or {@link TaskTable#NO_ROW}. */
    int firstTask(int slot) {
        return (int) (rows.word(slot, FIRST_TASK_CLAIMANT) >>> 32) - 1;
    }

    int taskCount(int slot) {
        return (int) (rows.word(slot, TASKS_REFERENCES) >>> 32);
    }

    /** What of its marks the digest shows. */
    long marks(int slot) {
        return rows.word(slot, MARKS) & (DRAINING | DOWN);
    }

    int references(int slot) {
        return (int) rows.word(slot, TASKS_REFERENCES);
    }

    // ---- pages

    int pages() {
        return rows.pages();
    }

    int firstSlot(int page) {
        return page * rows.rowsAPage();
    }

    int endSlot(int page) {
        return Math.min(slots, firstSlot(page + 1));
    }

    /** Whether nobody changed a machine of the page between the two copies. */
    boolean isSame(int page, MachineRows other) {
        return rows.isSame(page, other.rows)
                && said.isSame(page, other.said)
                && drains.isSame(page, other.drains)
                && members.isSame(page, other.members);
    }
}
