package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.RefPages;
import dev.cella.transactions.cell.pages.SharedValues;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Origin;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The read side of the machines' rows. The numbers of a row are adjacent, and its amounts in {@link MachineAmounts} follow
 * them, so that a claim touches two lines of memory in a large cell. {@link MachineTable} changes the rows.
 */
public abstract sealed class MachineRows permits MachineTable {
    static final int REGISTERED = 0;

    static final int CLAIMED = 1;
    static final int CLAIMED_BY_OTHERS = 2;
    static final int CLAIMED_SESSION = 3;
    static final int CHANGED = 4;
    static final int FIRST_TASK_CLAIMANT = 5;
    static final int TASKS_REFERENCES = 6;
    static final int WORDS = 7;

    static final long LOW_HALF = 0xFFFFFFFFL;
    static final long HIGH_HALF = ~LOW_HALF;
    static final int ROW_BITS = 6;

    final RefPages<MachineSaid> said;
    final RefPages<Drain> drains;
    final RefPages<MachineMembers> members;
    final SharedValues<Origin> claimants;
    final MachineAmounts amounts;
    final MachineTotals totals;
    int slots;

    MachineRows() {
        said = new RefPages<>(ROW_BITS);
        drains = new RefPages<>(ROW_BITS);
        members = new RefPages<>(ROW_BITS);
        claimants = new SharedValues<>();
        amounts = new MachineAmounts();
        totals = new MachineTotals(amounts.width());
    }

    /** The machines at this moment, for reading by slot only. */
    MachineRows(MachineRows copied) {
        said = copied.said.copy();
        drains = copied.drains.copy();
        members = copied.members.copy();
        claimants = copied.claimants.copy();
        amounts = copied.amounts.copy();
        totals = new MachineTotals(copied.totals);
        slots = copied.slots;
    }

    // ---- reading

    public int slots() {
        return slots;
    }

    public boolean exists(int slot) {
        return slot >= 0 && slot < slots && amounts.has(slot, MachineAmounts.EXISTS);
    }

    MachineSaid said(int slot) {
        MachineSaid says = said.get(slot);
        return says == null ? MachineSaid.NOTHING : says;
    }

    /** The name of the machine that is, or was last, in the slot. */
    public String name(int slot) {
        return said(slot).name();
    }

    public SortedMap<String, String> attributes(int slot) {
        return said(slot).attributes();
    }

    @Nullable
    public AgentIdentity agent(int slot) {
        return said(slot).agent();
    }

    /** Returns whether an agent has to report that a task on it has ended. */
    public boolean hasAgent(int slot) {
        return amounts.has(slot, MachineAmounts.HAS_AGENT);
    }

    public long registeredVersion(int slot) {
        return amounts.rows().word(slot, REGISTERED);
    }

    public long free(int slot, int dimension) {
        return amounts.free(slot, dimension);
    }

    public long capacity(int slot, int dimension) {
        return amounts.capacity(slot, dimension);
    }

    /** What all machines that are not DOWN have, at most {@link Amounts#AMOUNT_MAX}. */
    public long totalCapacity(int dimension) {
        return totals.capacity(dimension);
    }

    /** What all machines that are DOWN have, at most {@link Amounts#AMOUNT_MAX}. */
    public long totalCapacityDown(int dimension) {
        return totals.capacityDown(dimension);
    }

    /** What all machines that are not DOWN have free, at most {@link Amounts#AMOUNT_MAX}. */
    public long totalFree(int dimension) {
        return totals.free(dimension);
    }

    public long capacityWanted(int slot, int dimension) {
        return amounts.wanted(slot, dimension);
    }

    /**
     * Reads something from each line of memory that a claim or the end of a task touches; the value has no meaning.
     */
    long readRow(int slot) {
        return amounts.readRow(slot);
    }

    /** Its members in the dimensions that are sets. Its amounts hold their counts. */
    public MachineMembers members(int slot) {
        MachineMembers has = members.get(slot);
        return has == null ? MachineMembers.NONE : has;
    }

    public long held(int slot, int dimension) {
        return capacity(slot, dimension) - free(slot, dimension);
    }

    /** The free amount, or below zero the excess of a machine that is to shrink. */
    long slack(int slot, int dimension) {
        return amounts.slack(slot, dimension);
    }

    int firstTooFew(int slot, Amounts asked) {
        return amounts.firstTooFew(slot, asked);
    }

    void copySlack(int slot, int dimensions, long[] to, int at) {
        amounts.copySlack(slot, dimensions, to, at);
    }

    /** The first dimension in which the request is more than the machine will ever have, or -1. */
    public int firstTooLarge(int slot, Amounts asked) {
        for (int dimension = 0; dimension < asked.size(); dimension++) {
            boolean known = dimension < amounts.width();
            MemberSet has = members(slot).wanted().at(dimension);
            if (asked.at(dimension) > (known ? capacityWanted(slot, dimension) : 0)
                    || !has.contains(asked.members().at(dimension))) {
                return dimension;
            }
        }
        return -1;
    }

    /** The most that the machine will ever have for the request in that dimension. */
    public long couldGet(int slot, Amounts asked, int dimension) {
        MemberSet named = asked.members().at(dimension);
        long capacity = dimension < amounts.width() ? capacityWanted(slot, dimension) : 0;
        return named.isNone()
                ? capacity
                : named.and(members(slot).wanted().at(dimension)).size();
    }

    public boolean isDraining(int slot) {
        return amounts.has(slot, MachineAmounts.DRAINING);
    }

    /** How it is being emptied; null if all tasks on it stay. */
    @Nullable
    public Drain drain(int slot) {
        return drains.get(slot);
    }

    public boolean isDown(int slot) {
        return amounts.has(slot, MachineAmounts.DOWN);
    }

    public boolean isReady(int slot) {
        return amounts.isReady(slot);
    }

    public MachineStatus status(int slot) {
        if (isDown(slot)) {
            return MachineStatus.DOWN;
        }
        if (!isDraining(slot)) {
            return MachineStatus.READY;
        }
        return taskCount(slot) > 0 ? MachineStatus.DRAINING : MachineStatus.DRAINED;
    }

    public long claimedVersion(int slot) {
        return amounts.rows().word(slot, CLAIMED);
    }

    /** The version of the last claim by a session other than {@code session}. */
    public long claimedByOthersVersion(int slot, long session) {
        boolean own = session != 0 && amounts.rows().word(slot, CLAIMED_SESSION) == session;
        return own ? claimedByOthersVersion(slot) : claimedVersion(slot);
    }

    /** The version of the last claim by a session other than that of the newest claim. */
    public long claimedByOthersVersion(int slot) {
        return amounts.rows().word(slot, CLAIMED_BY_OTHERS);
    }

    @Nullable
    public Origin claimedBy(int slot) {
        return claimants.get((int) amounts.rows().word(slot, FIRST_TASK_CLAIMANT));
    }

    public long changedVersion(int slot) {
        return amounts.rows().word(slot, CHANGED);
    }

    /** The row of the task that was placed last, or {@link TaskTable#NO_ROW}. */
    public int firstTask(int slot) {
        return (int) (amounts.rows().word(slot, FIRST_TASK_CLAIMANT) >>> 32) - 1;
    }

    public int taskCount(int slot) {
        return (int) (amounts.rows().word(slot, TASKS_REFERENCES) >>> 32);
    }

    /** The marks that the digest covers. */
    long marks(int slot) {
        return amounts.marks(slot) & (MachineAmounts.DRAINING | MachineAmounts.DOWN);
    }

    /** How many tasks are, or were last, on the machine of that slot. */
    public int references(int slot) {
        return (int) amounts.rows().word(slot, TASKS_REFERENCES);
    }

    // ---- pages

    public int pages() {
        return amounts.rows().pages();
    }

    public int firstSlot(int page) {
        return page * amounts.rows().rowsAPage();
    }

    public int endSlot(int page) {
        return Math.min(slots, firstSlot(page + 1));
    }

    /** Returns whether no machine of the page changed between the two copies. */
    public boolean isSame(int page, MachineRows other) {
        return amounts.isSame(page, other.amounts)
                && said.isSame(page, other.said)
                && drains.isSame(page, other.drains)
                && members.isSame(page, other.members);
    }
}
