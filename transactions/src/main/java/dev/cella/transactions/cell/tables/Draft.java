package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan in progress: what would be free on the machines it has touched so far, on top of a view that it does not change.
 *
 * <p>A planner takes its own claims in flight and those it is planning; the commit takes the claims of a transaction that it
 * has accepted so far. Both call the same {@link #fits}, so they cannot disagree about what fits. Touching a machine copies
 * its free amounts once; {@link #clear} is O(1). A draft is valid only for the version of the view it was made on: clear it
 * when the view advances. Owned by one thread, the one that reads the view.
 */
public final class Draft {
    private static final int FITS = -1;

    private final Tables tables;
    private int width;
    private final TouchedSlots touched = new TouchedSlots();
    private long[] slack = new long[0];

    /** The slot of the last lookup, which is mostly the next one as well, and where its amounts are. */
    private int lastSlot = TouchedSlots.NONE;

    private int lastEntry = TouchedSlots.NONE;
    private final Map<Integer, List<HoldRow>> holds = new HashMap<>();
    private final Map<Integer, MachineMembers> members = new HashMap<>();
    private final Map<Integer, SpareOnMachine> spare = new HashMap<>();
    private long poolEpoch;
    private String scheduler = "";
    private long session;

    public Draft(Tables tables) {
        this.tables = tables;
    }

    /** Forgets everything that was taken. */
    public void clear() {
        touched.clear();
        lastSlot = TouchedSlots.NONE;
        holds.clear();
        members.clear();
        spare.clear();
        poolEpoch = tables.policies.nextDraft();
    }

    /** The free amount of a dimension on the machine in the slot, after what the draft has taken. */
    public long free(int slot, int dimension) {
        return Math.max(0, slack(slot, dimension));
    }

    /** Returns whether amounts fit in every dimension. */
    public boolean fits(int slot, Amounts amounts) {
        return firstLacking(slot, amounts) == FITS;
    }

    /** As {@link #fits}, when the caller is about to take from the machine. */
    public boolean touchedFits(int slot, Amounts amounts) {
        touch(slot);
        return fits(slot, amounts);
    }

    /** The first dimension, in the order of the registry, in which amounts do not fit, or -1 when they do. */
    public int firstLacking(int slot, Amounts amounts) {
        return firstLacking(slot, amounts, Amounts.NONE);
    }

    /**
     * The first dimension, in the order of the registry, in which amounts do not fit into what is free plus what victims hold,
     * or -1 if they fit. On a machine that is shrinking, amounts that use the dimension never fit.
     */
    public int firstLacking(int slot, Amounts amounts, Amounts victims) {
        int counted = firstTooFew(slot, amounts, victims);
        if (!tables.hasSets()) {
            return counted;
        }
        int named = members(slot).firstLacking(amounts, victims.members(), tables.dimensions());
        return named != FITS && (counted == FITS || named < counted) ? named : counted;
    }

    private int firstTooFew(int slot, Amounts amounts, Amounts victims) {
        int entry = find(slot);
        if (entry == TouchedSlots.NONE && victims.isNone()) {
            return tables.machines.firstTooFew(slot, amounts);
        }
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long asked = amounts.at(dimension);
            long left = slackOf(slot, entry, dimension);
            if (asked > 0 && (left < 0 || asked > left + victims.at(dimension))) {
                return dimension;
            }
        }
        return FITS;
    }

    /**
     * Takes amounts, which must fit. Returns them with the members that they name by then. Give them back unchanged.
     */
    public Amounts take(int slot, Amounts amounts) {
        int entry = touch(slot);
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            slack[entry + dimension] -= amounts.at(dimension);
        }
        return tables.hasSets() ? takeMembers(slot, amounts) : amounts;
    }

    /** Gives amounts back that were taken, or that became free when a task ended. Holds that want them come first. */
    public void give(int slot, Amounts amounts) {
        int entry = touch(slot);
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            slack[entry + dimension] += amounts.at(dimension);
        }
        if (amounts.namesMembers()) {
            members.put(slot, members(slot).released(amounts.members()));
        }
        settle(slot, entry);
    }

    /** Tells a task to end. If no agent has to report the end, the task has ended and what it held is free. */
    public void endWithoutAgent(int row) {
        int slot = tables.tasks.machine(row);
        if (endsAtOnce(row)) {
            count(tables.tasks.group(row).job(), tables.tasks.held(row), -1);
            countOnMachines(tables.tasks.group(row), -1);
            give(slot, tables.tasks.held(row));
        }
        endSpare(row, false);
    }

    /** Returns whether a task on a machine ends as soon as it is told to, because no agent has to report it. */
    public boolean endsAtOnce(int row) {
        return !tables.machines.hasAgent(tables.tasks.machine(row));
    }

    /** How many tasks of the group would be on machines. */
    public int onMachines(GroupRow group) {
        return group.onMachines() + group.drafted(poolEpoch);
    }

    public void countOnMachines(GroupRow group, int more) {
        group.draft(more, poolEpoch);
    }

    // ---- spare tasks

    /** Returns whether a machine has, or would have, spare tasks. */
    public boolean hasSpare() {
        return !tables.spare.isEmpty() || !spare.isEmpty();
    }

    private SpareOnMachine spareOn(int slot) {
        return spare.computeIfAbsent(slot, at -> SpareOnMachine.of(tables, at));
    }

    /**
     * The first dimension in which a spare task does not fit beside what is held and the machine's spare tasks, or -1. Spare
     * tasks may fill that many percent of its capacity.
     */
    public int firstLackingSpare(int slot, Amounts amounts, int percentMax) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            boolean isShrinking = slack(slot, dimension) < 0;
            if (amounts.at(dimension) > 0
                    && (isShrinking || amounts.at(dimension) > spareRoom(slot, dimension, percentMax))) {
                return dimension;
            }
        }
        return FITS;
    }

    /** The amount that is left for spare tasks; below zero if they use too much. */
    public long spareRoom(int slot, int dimension, int percentMax) {
        long capacity = tables.machines.capacity(slot, dimension);
        long share = capacity / 100 * percentMax + capacity % 100 * percentMax / 100;
        return Math.min(free(slot, dimension), share) - spareOn(slot).used(dimension);
    }

    /** The rows of the spare tasks that would still be on the machine, the youngest first. */
    public List<Integer> spareRows(int slot) {
        return spareOn(slot).rows();
    }

    /** Drafts a spare task for the claim at that place of the transaction. */
    public void takeSpare(int slot, int ordinal, Amounts amounts) {
        spareOn(slot).add(ordinal, amounts);
    }

    /** Drafts that a spare task holds its amounts from now on. */
    public void upgrade(int row) {
        int slot = tables.tasks.machine(row);
        spareOn(slot).leave(row);
        take(slot, tables.tasks.shape(row));
        count(tables.tasks.group(row).job(), tables.tasks.shape(row), 1);
    }

    /** The task was told to end. If it is spare work and no agent has to report the end, its room is free. */
    public void endSpare(int row, boolean forClaim) {
        if (tables.tasks.isSpare(row)) {
            SpareOnMachine on = spareOn(tables.tasks.machine(row));
            if (endsAtOnce(row)) {
                on.leave(row);
            } else {
                on.end(row, forClaim);
            }
        }
    }

    /**
     * Ends spare tasks on the machine as long as they use more than is free. Returns the rows of those that have rows by now.
     */
    public List<Integer> endSpareFor(int slot) {
        if (!hasSpare()) {
            return List.of();
        }
        boolean atOnce = !tables.machines.hasAgent(slot);
        List<Integer> ended = new ArrayList<>(
                spareOn(slot).makeRoom(tables.dimensions().size(), dimension -> free(slot, dimension), atOnce));
        ended.removeIf(row -> row == SpareOnMachine.DRAFTED);
        return ended;
    }

    // ---- holds

    /** Sets who makes the claims from now on: that session of that scheduler, or any of its sessions if 0. */
    public void claimant(String ofScheduler, long ofSession) {
        scheduler = ofScheduler;
        session = ofSession;
    }

    public boolean isFor(HoldRow hold, JobRow job) {
        return hold.isFor(job, scheduler, session);
    }

    /** The part that the settlement takes from the job's own holds. The job's pool counts it already. */
    public Amounts fromHoldsOf(JobRow job, int slot, Settlement settlement) {
        Amounts from = Amounts.NONE;
        if (settlement.needs().isEmpty()) {
            return from;
        }
        int at = 0;
        for (HoldRow hold : holdsOn(slot)) {
            if (isFor(hold, job)) {
                Amounts used = hold.got().min(settlement.needs().get(at++));
                from = hold.isOffer() ? from : from.plus(used);
            }
        }
        return from;
    }

    /** The amounts that the job's holds have got on the machine. */
    public Amounts gotBy(JobRow job, int slot) {
        return got(slot, job, true);
    }

    /** The amounts that holds of other jobs have got there. */
    public Amounts gotByOthers(JobRow job, int slot) {
        return got(slot, job, false);
    }

    private Amounts got(int slot, JobRow job, boolean own) {
        Amounts got = Amounts.NONE;
        if (!tables.holds.isEmpty() || !holds.isEmpty()) {
            for (HoldRow hold : holdsOn(slot)) {
                got = isFor(hold, job) == own ? got.plus(hold.got()) : got;
            }
        }
        return got;
    }

    /** The holds on the machine as the draft has changed them, oldest first. */
    public List<HoldRow> holdsOn(int slot) {
        List<HoldRow> drafted = holds.get(slot);
        return drafted == null ? tables.holds.on(slot) : drafted;
    }

    /** Computes the amounts that a claim of the job would take there, by their source. */
    public Settlement settlement(JobRow job, int slot, Amounts shape, List<Amounts> victims) {
        List<HoldRow> on = tables.holds.isEmpty() ? List.of() : holdsOn(slot);
        if (on.isEmpty() && victims.isEmpty() && !tables.hasSets()) {
            return Settlement.ofFree(shape);
        }
        List<Amounts> got = new ArrayList<>();
        for (HoldRow hold : on) {
            if (isFor(hold, job)) {
                got.add(hold.got());
            }
        }
        return Settlement.of(shape, got, victims, members(slot).open());
    }

    /** Takes the settlement's share from what the job holds on the machine. */
    public void useHolds(JobRow job, int slot, Settlement settlement) {
        if (settlement.needs().isEmpty()) {
            return;
        }
        touch(slot);
        int at = 0;
        for (HoldRow hold : holdsOn(slot)) {
            if (isFor(hold, job)) {
                count(hold, hold.use(settlement.needs().get(at++)), -1);
            }
        }
    }

    /** Adds a hold, the youngest. It gets what is free. The older ones lack nothing that is free, as in the tables. */
    public void hold(HoldRow hold) {
        int entry = touch(hold.slot());
        holds.computeIfAbsent(hold.slot(), slot -> new ArrayList<>()).add(hold);
        grow(hold, Settlement.grown(hold, freeAt(hold.slot(), entry)), entry);
    }

    private void settle(int slot, int entry) {
        if (tables.holds.isEmpty() && holds.isEmpty()) {
            return;
        }
        List<HoldRow> on = holdsOn(slot);
        List<Amounts> grown = Settlement.grown(on, freeAt(slot, entry));
        for (int at = 0; at < grown.size(); at++) {
            grow(on.get(at), grown.get(at), entry);
        }
    }

    private void grow(HoldRow hold, Amounts more, int entry) {
        hold.grow(more);
        count(hold, more, 1);
        for (int dimension = 0; dimension < more.size(); dimension++) {
            slack[entry + dimension] -= more.at(dimension);
        }
        if (more.namesMembers()) {
            members.put(hold.slot(), members(hold.slot()).taken(more.members()));
        }
    }

    private Amounts freeAt(int slot, int entry) {
        long[] free = new long[width];
        Arrays.setAll(free, dimension -> Math.max(0, slack[entry + dimension]));
        return tables.hasSets() ? members(slot).open(free, tables.dimensions()) : Amounts.of(free);
    }

    // ---- for planners, who draft more than claims

    /**
     * The first dimension in which amounts do not fit into what is free plus what the victims hold, or -1 if they fit. All
     * victims are on that machine.
     */
    public int firstLackingBeside(int slot, Amounts amounts, List<TaskRow> victims) {
        Amounts held = victims.stream().map(TaskRow::held).reduce(Amounts.NONE, Amounts::plus);
        return firstLackingBeside(slot, amounts, held);
    }

    /** The same for victims that hold these amounts together. */
    public int firstLackingBeside(int slot, Amounts amounts, Amounts held) {
        return firstLacking(slot, amounts, held);
    }

    /**
     * Takes amounts for a claim that evicts the victims. They hand over what they hold one after another, and the rest comes
     * from what is free. The part that they do not hand over becomes free only where no agent has to report their end.
     */
    public void takeOver(int slot, Amounts amounts, List<TaskRow> victims) {
        boolean endAtOnce = !tables.machines.hasAgent(slot);
        List<Amounts> held = victims.stream().map(TaskRow::held).toList();
        Settlement settlement =
                Settlement.of(amounts, List.of(), held, members(slot).open());
        take(slot, settlement.fromFree());
        for (int at = 0; endAtOnce && at < held.size(); at++) {
            Amounts rest = held.get(at).minus(settlement.handed().get(at));
            if (!rest.isNone()) {
                give(slot, rest);
            }
        }
    }

    /** Tells the task to end. Its amounts become free at once only where no agent has to report its end. */
    public void end(TaskRow task) {
        int slot = task.machine().orElseThrow();
        if (!tables.machines.hasAgent(slot)) {
            give(slot, task.held());
        }
    }

    /** Drafts a hold that asks for amounts on the machine. Returns what it gets of them now. */
    public Amounts reserve(int slot, Amounts wanted) {
        Amounts free = freeAt(slot, touch(slot));
        return take(slot, wanted.choosing(free.members()).min(free));
    }

    // ---- members of dimensions that are sets; unused in a cell without sets

    private MachineMembers members(int slot) {
        MachineMembers drafted = members.get(slot);
        return drafted == null ? tables.machines.members(slot) : drafted;
    }

    private Amounts takeMembers(int slot, Amounts amounts) {
        MachineMembers has = members(slot);
        Amounts chosen = amounts.choosing(has.open());
        if (chosen.namesMembers()) {
            members.put(slot, has.taken(chosen.members()));
        }
        return chosen;
    }

    /** How many members of a set dimension the asked amounts could get from those that are free. */
    public long servable(int slot, Amounts asked, int dimension) {
        Members open = members(slot).open();
        return asked.choosing(open)
                .members()
                .at(dimension)
                .and(open.at(dimension))
                .size();
    }

    // ---- pools

    /** Counts a job's hold in its pool by the amounts that it has got. An offer counts in no pool. */
    private void count(HoldRow hold, Amounts amounts, int times) {
        JobRow job = hold.jobOrNull();
        if (job != null) {
            count(job, amounts, times);
        }
    }

    /**
     * Adds {@code times} times the amounts to what the job holds in its pool and the pool's ancestors; {@code times} may be
     * negative.
     */
    public void count(JobRow job, Amounts amounts, int times) {
        for (PoolRow pool = job.pool(); pool != null; pool = pool.parentOrNull()) {
            pool.draft(amounts, times, poolEpoch);
        }
    }

    /** What the draft adds to the pool. */
    public long counted(PoolRow pool, int dimension) {
        return pool.drafted(dimension, poolEpoch);
    }

    // ---- amounts of touched machines

    /** The free amount, or below zero the excess of a machine that is to shrink. */
    private long slack(int slot, int dimension) {
        return slackOf(slot, find(slot), dimension);
    }

    private long slackOf(int slot, int entry, int dimension) {
        return entry == TouchedSlots.NONE ? tables.machines.slack(slot, dimension) : slack[entry + dimension];
    }

    /** The place of the slot's amounts, if the slot was touched. */
    private int find(int slot) {
        if (slot != lastSlot) {
            int number = touched.find(slot);
            lastEntry = number == TouchedSlots.NONE ? number : number * width;
            lastSlot = slot;
        }
        return lastEntry;
    }

    /** The place of the slot's amounts. Copies them on the first touch. */
    private int touch(int slot) {
        if (slot != lastSlot || lastEntry == TouchedSlots.NONE) {
            int next = touched.count();
            makeRoom(next);
            int number = touched.findOrAdd(slot);
            lastSlot = slot;
            lastEntry = number * width;
            if (number == next) {
                copy(slot, lastEntry);
            }
        }
        return lastEntry;
    }

    private void copy(int slot, int entry) {
        tables.machines.copySlack(slot, width, slack, entry);
        if (!tables.holds.isEmpty() && !tables.holds.on(slot).isEmpty()) {
            holds.put(
                    slot,
                    new ArrayList<>(
                            tables.holds.on(slot).stream().map(HoldRow::copy).toList()));
        }
    }

    private void makeRoom(int forNumber) {
        if (forNumber == 0) {
            width = tables.dimensions().size();
        }
        int needed = (forNumber + 1) * width;
        if (needed > slack.length) {
            slack = Arrays.copyOf(slack, Math.max(64, 2 * needed));
        }
    }
}
