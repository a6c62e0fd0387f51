package dev.cella.transactions.cell.tables;

import static dev.cella.transactions.model.Invariants.checkInvariant;

import dev.cella.transactions.cell.pages.SharedValues;
import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Origin;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The machines, one slot each: how they come, change and go, and the effect of claims, holds and releases on them.
 *
 * <p>A slot is valid only together with the identity in it: the registered version is 0 in an empty slot. A slot is used again
 * for another name only when no row of a task refers to it any longer. Owned by the thread that applies changes; copies share
 * its pages.
 */
public final class MachineTable extends MachineRows {
    /** One task, in the word that counts tasks and references. */
    private static final long ONE_TASK = 1L << 32;

    final TableDigest digest;
    private final Map<String, Integer> slotsByName = new HashMap<>();
    private final Map<Long, Integer> slotsById = new HashMap<>();
    /** The slots without a machine that nothing refers to. */
    private final BitSet usableSlots = new BitSet();

    /** By name, the slots without a machine that tasks refer to, because they were last on that machine. */
    private final Map<String, BitSet> leftSlots = new HashMap<>();

    private int lastClaimant = SharedValues.NONE;
    private long changedVersion;
    private SlotsByName slotsInOrder = new SlotsByName();

    MachineTable(boolean digested) {
        digest = new TableDigest(digested);
    }

    private MachineTable(MachineTable copied) {
        super(copied);
        digest = new TableDigest(copied.digest);
        changedVersion = copied.changedVersion;
        slotsInOrder = copied.slotsInOrder;
    }

    public MachineTable copy() {
        return new MachineTable(this);
    }

    // ---- finding

    /** The slot of the machine of that name, or -1. */
    public int find(String name) {
        return slotsByName.getOrDefault(name, -1);
    }

    /** The slot of that incarnation of a machine, or -1. */
    public int findById(long id) {
        return slotsById.getOrDefault(id, -1);
    }

    /** The slot for a machine with a new name: the first that nothing refers to. */
    public int nextSlot() {
        int slot = usableSlots.nextSetBit(0);
        return slot < 0 ? slots : slot;
    }

    /** The newest version at which a machine changed, came or went. A loaded table does not know which have gone. */
    public long changedVersion() {
        return changedVersion;
    }

    /**
     * The slots of the machines in the order of their names; the caller does not change them. Only for a copy: the machines of
     * the cell's own table may come and go while they are sorted.
     */
    public int[] slotsInOrder() {
        return slotsInOrder.of(this);
    }

    // ---- machines that come, change and go

    void register(
            int slot, String name, Amounts has, Map<String, String> says, @Nullable AgentIdentity agent, long version) {
        reach(slot);
        checkInvariant(
                taskCount(slot) == 0, "machine slot %s is registered again with %s tasks", slot, taskCount(slot));
        if (registeredVersion(slot) != 0) {
            slotsById.remove(registeredVersion(slot));
            slotsByName.remove(name(slot));
        } else {
            usableSlots.clear(slot);
            markLeft(slot, false);
        }
        slotsInOrder = new SlotsByName();
        long before = begin(slot);
        say(slot, name, says, agent);
        setIdentity(slot, version);
        slotsByName.put(name, slot);
        slotsById.put(version, slot);
        for (int dimension = 0; dimension < amounts.width(); dimension++) {
            amounts.set(slot, dimension, has.at(dimension), has.at(dimension), has.at(dimension));
        }
        setMembers(slot, MachineMembers.of(has.members()));
        amounts.mark(slot, MachineAmounts.DOWN, false);
        amounts.noteShrinking(slot);
        moved(slot, before);
    }

    private void say(int slot, String name, Map<String, String> says, @Nullable AgentIdentity agent) {
        said.set(slot, MachineSaid.of(name, says, agent));
        amounts.mark(slot, MachineAmounts.HAS_AGENT, agent != null);
    }

    private void setIdentity(int slot, long version) {
        amounts.mark(slot, MachineAmounts.EXISTS, version != 0);
        amounts.rows().set(slot, REGISTERED, version);
        setChanged(slot, version);
        setClaimed(slot, version, 0, null);
    }

    private void setChanged(int slot, long version) {
        amounts.rows().set(slot, CHANGED, version);
        changedVersion = Math.max(changedVersion, version);
    }

    /**
     * Sets another capacity. Held amounts stay held, and the capacity falls to the wanted one as they are released.
     */
    void renew(int slot, Amounts has, Map<String, String> says, @Nullable AgentIdentity agent, long version) {
        long before = begin(slot);
        for (int dimension = 0; dimension < amounts.width(); dimension++) {
            long held = held(slot, dimension);
            long next = Math.max(has.at(dimension), held);
            amounts.set(slot, dimension, next - held, next, has.at(dimension));
        }
        countMembers(slot, members(slot).renewed(has.members()));
        say(slot, name(slot), says, agent);
        setChanged(slot, version);
        amounts.noteShrinking(slot);
        moved(slot, before);
    }

    void drain(int slot, @Nullable Drain drain, long version) {
        long before = begin(slot);
        amounts.mark(slot, MachineAmounts.DRAINING, true);
        drains.set(slot, drain);
        setChanged(slot, version);
        moved(slot, before);
    }

    /** Sets the marks. A machine that is no longer draining forgets the drain's options. */
    void mark(int slot, boolean isDraining, boolean isDown, long version) {
        long before = begin(slot);
        if (!isDraining) {
            drains.set(slot, null);
        }
        amounts.mark(slot, MachineAmounts.DRAINING, isDraining);
        amounts.mark(slot, MachineAmounts.DOWN, isDown);
        setChanged(slot, version);
        moved(slot, before);
    }

    void remove(int slot, long version) {
        checkInvariant(taskCount(slot) == 0, "machine slot %s is removed with %s tasks", slot, taskCount(slot));
        slotsById.remove(registeredVersion(slot));
        slotsByName.remove(name(slot));
        slotsInOrder = new SlotsByName();
        digest.moved(slot, begin(slot), 0);
        for (int dimension = 0; dimension < amounts.width(); dimension++) {
            amounts.set(slot, dimension, 0, 0, 0);
        }
        setMembers(slot, MachineMembers.NONE);
        say(slot, name(slot), Map.of(), null);
        setIdentity(slot, 0);
        changedVersion = version;
        amounts.mark(slot, amounts.marks(slot), false);
        drains.set(slot, null);
        setLeft(slot);
    }

    private void setLeft(int slot) {
        usableSlots.set(slot, references(slot) == 0);
        markLeft(slot, references(slot) != 0);
    }

    private void markLeft(int slot, boolean isLeft) {
        leftSlots.compute(name(slot), (name, slots) -> {
            BitSet marked = slots == null ? new BitSet() : slots;
            marked.set(slot, isLeft);
            return marked.isEmpty() ? null : marked;
        });
    }

    private void setMembers(int slot, MachineMembers has) {
        if (members.get(slot) != null || !has.equals(MachineMembers.NONE)) {
            members.set(slot, has.equals(MachineMembers.NONE) ? null : has);
        }
    }

    /** Sets the amounts of set dimensions to the numbers of members, because the members are the amount. */
    private void countMembers(int slot, MachineMembers has) {
        for (int dimension = 0; dimension < has.capacity().size(); dimension++) {
            if (!has.capacity().at(dimension).isNone()) {
                amounts.set(
                        slot,
                        dimension,
                        has.free().at(dimension).size(),
                        has.capacity().at(dimension).size(),
                        has.wanted().at(dimension).size());
            }
        }
        setMembers(slot, has);
    }

    private void setClaimed(int slot, long version, long byOthers, @Nullable Origin by) {
        amounts.rows().set(slot, CLAIMED, version);
        amounts.rows().set(slot, CLAIMED_BY_OTHERS, byOthers);
        amounts.rows().set(slot, CLAIMED_SESSION, by == null ? 0 : by.session());
        setClaimant(slot, by);
    }

    private void setClaimant(int slot, @Nullable Origin by) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot) + FIRST_TASK_CLAIMANT;
        int number = by == null ? SharedValues.NONE : claimant(by);
        claimants.exchange((int) page[at], number);
        page[at] = (page[at] & HIGH_HALF) | number;
    }

    /**
     * The number of the claimant. Claims of one transaction come one after another, so the last number is mostly the right
     * one.
     */
    private int claimant(Origin by) {
        Origin last = claimants.get(lastClaimant);
        if (last == null || last.version() != by.version()) {
            lastClaimant = claimants.add(by);
        }
        return lastClaimant;
    }

    private void setFirstTask(int slot, int row) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot) + FIRST_TASK_CLAIMANT;
        page[at] = firstTaskWord(row) | (page[at] & LOW_HALF);
    }

    private static long firstTaskWord(int row) {
        return (row + 1L) << 32;
    }

    // ---- claims, releases, holds: they update the digest by the difference

    /**
     * Places a task on the machine for a claim of {@code by}, which was checked to fit, and takes from the free amounts.
     * Returns the task that was placed last before it.
     */
    int place(int slot, int row, Amounts taken, Origin by) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot);
        long weight = takeFree(slot, page, at, taken) + claim(page, at, by) + touch(page, at, by.version());
        digest.moved(slot, 0, weight);
        long before = page[at + FIRST_TASK_CLAIMANT];
        int claimant = claimant(by);
        claimants.exchange((int) before, claimant);
        page[at + FIRST_TASK_CLAIMANT] = firstTaskWord(row) | claimant;
        page[at + TASKS_REFERENCES] += ONE_TASK + 1;
        return (int) (before >>> 32) - 1;
    }

    /**
     * Places a spare task on the machine. It takes nothing that is free and is no claim that others could conflict with.
     * Returns the task that was placed last before it.
     */
    int placeSpare(int slot, int row, long version) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot);
        digest.moved(slot, 0, touch(page, at, version));
        long before = page[at + FIRST_TASK_CLAIMANT];
        page[at + FIRST_TASK_CLAIMANT] = firstTaskWord(row) | (before & LOW_HALF);
        page[at + TASKS_REFERENCES] += ONE_TASK + 1;
        return (int) (before >>> 32) - 1;
    }

    /** Takes free amounts for a spare task of the machine, which {@code by} makes a task like any other. */
    void upgrade(int slot, Amounts taken, Origin by) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot);
        long weight = takeFree(slot, page, at, taken) + claim(page, at, by) + touch(page, at, by.version());
        digest.moved(slot, 0, weight);
        setClaimant(slot, by);
    }

    /** Takes free amounts for a hold. A hold is no claim. */
    void hold(int slot, Amounts taken, long version) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot);
        long weight = takeFree(slot, page, at, taken) + touch(page, at, version);
        digest.moved(slot, 0, weight);
    }

    private long takeFree(int slot, long[] page, int at, Amounts taken) {
        long weight = MachineAmounts.take(slot, page, at, taken);
        countFree(page, at, taken, -1);
        return taken.namesMembers() ? weight + takeMembers(slot, taken.members()) : weight;
    }

    private void countFree(long[] page, int at, Amounts changed, int sign) {
        if ((page[at + MachineAmounts.MARKS] & MachineAmounts.DOWN) == 0) {
            totals.countFree(changed, sign);
        }
    }

    private long takeMembers(int slot, Members taken) {
        MachineMembers has = members(slot);
        checkInvariant(has.free().contains(taken), "machine slot %s: members are taken that are not free", slot);
        return changeMembers(slot, has, has.taken(taken));
    }

    private long giveMembers(int slot, Members given) {
        MachineMembers has = members(slot);
        checkInvariant(has.free().and(given).isNone(), "machine slot %s: members are released that are free", slot);
        return changeMembers(slot, has, has.released(given));
    }

    private long changeMembers(int slot, MachineMembers before, MachineMembers after) {
        setMembers(slot, after);
        return TableDigest.weight(MachineDigest.MEMBERS, MachineDigest.digestOf(after))
                - TableDigest.weight(MachineDigest.MEMBERS, MachineDigest.digestOf(before));
    }

    /** Claims of the same session, or of the same transaction, do not count as claims by others. */
    private static long claim(long[] page, int at, Origin by) {
        long claimed = page[at + CLAIMED];
        long others = page[at + CLAIMED_BY_OTHERS];
        boolean first = claimed == page[at + REGISTERED];
        boolean same = claimed == by.version() || (by.session() != 0 && page[at + CLAIMED_SESSION] == by.session());
        long next = same ? others : claimed;
        page[at + CLAIMED] = by.version();
        page[at + CLAIMED_BY_OTHERS] = first ? 0 : next;
        page[at + CLAIMED_SESSION] = by.session();
        return TableDigest.weight(MachineDigest.CLAIMED, by.version() - claimed)
                + TableDigest.weight(MachineDigest.CLAIMED_BY_OTHERS, page[at + CLAIMED_BY_OTHERS] - others);
    }

    private long touch(long[] page, int at, long version) {
        long before = page[at + CHANGED];
        page[at + CHANGED] = version;
        changedVersion = version;
        return TableDigest.weight(MachineDigest.CHANGED, version - before);
    }

    /** Gives amounts back. A machine that is to shrink loses them. */
    void release(int slot, Amounts given, long version) {
        release(slot, amounts.rows().toWrite(slot), amounts.rows().at(slot), given, version);
    }

    private void release(int slot, long[] page, int at, Amounts given, long version) {
        if ((page[at + MachineAmounts.MARKS] & MachineAmounts.SHRINKING) != 0) {
            shrink(slot, given, version);
            return;
        }
        long weight = amounts.give(slot, page, at, given) + touch(page, at, version);
        countFree(page, at, given, 1);
        if (given.namesMembers()) {
            weight += giveMembers(slot, given.members());
        }
        digest.moved(slot, 0, weight);
    }

    private void shrink(int slot, Amounts given, long version) {
        long before = begin(slot);
        amounts.shrink(slot, given);
        if (given.namesMembers()) {
            countMembers(slot, members(slot).released(given.members()));
        }
        setChanged(slot, version);
        amounts.noteShrinking(slot);
        moved(slot, before);
    }

    // ---- the tasks on it

    /**
     * Removes a task from the machine and gives amounts back. {@code nextFirst} is now first in the machine's list, or no task
     * is.
     */
    void leave(int slot, int nextFirst, Amounts given, long version) {
        long[] page = amounts.rows().toWrite(slot);
        int at = amounts.rows().at(slot);
        page[at + FIRST_TASK_CLAIMANT] = firstTaskWord(nextFirst) | (page[at + FIRST_TASK_CLAIMANT] & LOW_HALF);
        page[at + TASKS_REFERENCES] -= ONE_TASK;
        release(slot, page, at, given, version);
    }

    /** Counts a task that is already in the list. */
    void countTask(int slot, int more) {
        amounts.rows().toWrite(slot)[amounts.rows().at(slot) + TASKS_REFERENCES] += more * ONE_TASK;
    }

    /** Counts task rows, ended ones too, that refer to the machine by its slot. */
    void refer(int slot, int more) {
        amounts.rows().toWrite(slot)[amounts.rows().at(slot) + TASKS_REFERENCES] += more;
        if (registeredVersion(slot) == 0) {
            setLeft(slot);
        }
    }

    /** The slots to which tasks may refer that are, or were last, on a machine of that name. */
    public BitSet slotsNamed(String name) {
        BitSet named = (BitSet) leftSlots.getOrDefault(name, new BitSet()).clone();
        int slot = find(name);
        if (slot >= 0) {
            named.set(slot);
        }
        return named;
    }

    // ---- loading

    public void load(
            int slot,
            String name,
            long registered,
            Amounts has,
            Amounts wants,
            Amounts isFree,
            Map<String, String> says,
            @Nullable AgentIdentity agent,
            boolean isDraining,
            boolean isDown,
            @Nullable Drain drain,
            long claimed,
            long claimedByOthers,
            @Nullable Origin by,
            long changed,
            int firstTask) {
        reach(slot);
        checkInvariant(registeredVersion(slot) == 0, "machine slot %s is loaded twice", slot);
        register(slot, name, has, says, agent, registered);
        setFirstTask(slot, firstTask);
        long before = begin(slot);
        for (int dimension = 0; dimension < amounts.width(); dimension++) {
            amounts.set(slot, dimension, isFree.at(dimension), has.at(dimension), wants.at(dimension));
        }
        setMembers(slot, new MachineMembers(has.members(), wants.members(), isFree.members()));
        amounts.mark(slot, MachineAmounts.DRAINING, isDraining);
        amounts.mark(slot, MachineAmounts.DOWN, isDown);
        drains.set(slot, drain);
        setClaimed(slot, claimed, claimedByOthers, by);
        setChanged(slot, changed);
        amounts.noteShrinking(slot);
        moved(slot, before);
    }

    public void loadEmpty(int slot, String name) {
        reach(slot);
        checkInvariant(registeredVersion(slot) == 0, "machine slot %s is loaded twice", slot);
        said.set(slot, MachineSaid.of(name, Map.of(), null));
    }

    /** Makes room for that many dimensions in every row. */
    void widen(int dimensions) {
        amounts.widen(dimensions, slots);
        totals.widen(amounts.width());
    }

    private void reach(int slot) {
        amounts.reach(slot);
        said.reach(slot);
        drains.reach(slot);
        members.reach(slot);
        if (slot >= slots) {
            usableSlots.set(slots, slot + 1);
            slots = slot + 1;
        }
    }

    // ---- the digest of a row

    /** The row is about to change. Returns its weight, for {@link #moved}. */
    private long begin(int slot) {
        totals.count(amounts, slot, -1);
        return weight(slot);
    }

    private void moved(int slot, long before) {
        digest.moved(slot, before, weight(slot));
        totals.count(amounts, slot, 1);
    }

    private long weight(int slot) {
        return MachineDigest.weight(this, slot);
    }
}
