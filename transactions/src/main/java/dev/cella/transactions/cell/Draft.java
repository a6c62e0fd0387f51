package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A plan in the making: what would be free on the machines it has touched so far, above a view that it does not change.
 *
 * <p>A planner takes its own claims in flight and those it is planning; the commit takes the claims of a transaction that
 * it has accepted so far. Both ask the same {@link #fits}, so they cannot disagree about what fits. Touching a machine
 * copies its free amounts once; {@link #clear} is O(1). A draft is worth as much as the version of the view it was made
 * on: clear it when the view advances. Owned by one thread, the one that reads the view.
 */
public final class Draft {
    private static final int FITS = -1;

    private final Tables tables;
    private int width;
    private int epoch = 1;
    private long[] entries = new long[0];
    private int touched;
    private long[] slack = new long[0];
    private final Map<Integer, List<HoldRow>> holds = new HashMap<>();
    private long poolEpoch;

    public Draft(CellView view) {
        this(view.tables());
    }

    Draft(Tables tables) {
        this.tables = tables;
    }

    /** Forgets everything that was taken. */
    public void clear() {
        epoch++;
        touched = 0;
        holds.clear();
        poolEpoch = tables.policies.nextDraft();
    }

    /** What is free of a dimension on the machine in the slot, after what the draft has taken. */
    public long free(int slot, int dimension) {
        return Math.max(0, slack(slot, dimension));
    }

    /** Whether amounts fit in every dimension. */
    public boolean fits(int slot, Amounts amounts) {
        return firstLacking(slot, amounts) == FITS;
    }

    /** The first dimension, in the order of the registry, in which amounts do not fit, or -1 when they do. */
    public int firstLacking(int slot, Amounts amounts) {
        return firstLacking(slot, amounts, Amounts.NONE);
    }

    /**
     * The first dimension, in the order of the registry, in which amounts do not fit what is free and what victims hold, or
     * -1 when they fit. On a machine that is shrinking nothing fits that uses the dimension.
     */
    int firstLacking(int slot, Amounts amounts, Amounts victims) {
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            long asked = amounts.at(dimension);
            long slack = slack(slot, dimension);
            if (asked > 0 && (slack < 0 || asked > slack + victims.at(dimension))) {
                return dimension;
            }
        }
        return FITS;
    }

    /** Takes amounts, which fit. */
    public void take(int slot, Amounts amounts) {
        int entry = touch(slot);
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            slack[entry + dimension] -= amounts.at(dimension);
        }
    }

    /** Gives amounts back that were taken, or that are free when somebody has ended: first to the holds that want them. */
    public void give(int slot, Amounts amounts) {
        int entry = touch(slot);
        for (int dimension = 0; dimension < amounts.size(); dimension++) {
            slack[entry + dimension] += amounts.at(dimension);
        }
        settle(slot, entry);
    }

    /** A task is told to end: where no agent has to report it, it has ended, and what it held is free. */
    void endWithoutAgent(int row) {
        int slot = tables.tasks.machine(row);
        if (endsAtOnce(row)) {
            count(tables.tasks.group(row).job(), tables.tasks.held(row), -1);
            countOnMachines(tables.tasks.group(row), -1);
            give(slot, tables.tasks.held(row));
        }
    }

    /** Whether nobody has to report that a task on a machine has ended, once it is told to. */
    boolean endsAtOnce(int row) {
        return tables.machines.agent(tables.tasks.machine(row)) == null;
    }

    /** How many tasks of the group would be on machines. */
    int onMachines(GroupRow group) {
        return group.onMachines() + group.drafted(poolEpoch);
    }

    void countOnMachines(GroupRow group, int more) {
        group.draft(more, poolEpoch);
    }

    // ---- holds

    /** What the job has got on the machine. */
    Amounts gotBy(JobRow job, int slot) {
        return got(slot, job, true);
    }

    /** What other jobs have got there. */
    Amounts gotByOthers(JobRow job, int slot) {
        return got(slot, job, false);
    }

    private Amounts got(int slot, JobRow job, boolean own) {
        Amounts got = Amounts.NONE;
        if (!tables.holds.isEmpty() || !holds.isEmpty()) {
            for (HoldRow hold : holdsOn(slot)) {
                got = hold.job().id().equals(job.id()) == own ? got.plus(hold.got()) : got;
            }
        }
        return got;
    }

    /** The holds on the machine as the draft has changed them, oldest first. */
    List<HoldRow> holdsOn(int slot) {
        List<HoldRow> drafted = holds.get(slot);
        return drafted == null ? tables.holds.on(slot) : drafted;
    }

    /** Takes from what the job holds on the machine. Answers what is still needed. */
    Amounts useHolds(JobRow job, int slot, Amounts amounts) {
        if (tables.holds.isEmpty()) {
            return amounts;
        }
        Amounts need = amounts;
        touch(slot);
        for (HoldRow hold : holdsOn(slot)) {
            if (hold.job().id().equals(job.id())) {
                Amounts used = hold.use(need);
                count(job, used, -1);
                need = need.minus(used);
            }
        }
        return need;
    }

    /** One more hold, the youngest, gets what is free. */
    void hold(HoldRow hold) {
        int entry = touch(hold.slot());
        holds.computeIfAbsent(hold.slot(), slot -> new ArrayList<>()).add(hold);
        settle(hold.slot(), entry);
    }

    private void settle(int slot, int entry) {
        for (HoldRow hold : holdsOn(slot)) {
            Amounts more = hold.lacks().min(freeAt(entry));
            hold.grow(more);
            count(hold.job(), more, 1);
            for (int dimension = 0; dimension < more.size(); dimension++) {
                slack[entry + dimension] -= more.at(dimension);
            }
        }
    }

    private Amounts freeAt(int entry) {
        long[] free = new long[width];
        Arrays.setAll(free, dimension -> Math.max(0, slack[entry + dimension]));
        return Amounts.of(free);
    }

    // ---- pools

    /** A job holds more, or less, in its pool and the ancestors of it. */
    void count(JobRow job, Amounts amounts, int sign) {
        for (PoolRow pool = job.pool(); pool != null; pool = pool.parentOrNull()) {
            pool.draft(amounts, sign, poolEpoch);
        }
    }

    /** What the draft adds to what the pool holds. */
    long counted(PoolRow pool, int dimension) {
        return pool.drafted(dimension, poolEpoch);
    }

    // ---- amounts of touched machines

    /** What is free, or below zero what a machine that is to shrink has too much of. */
    private long slack(int slot, int dimension) {
        return isTouched(slot) ? slack[entry(slot) + dimension] : tables.machines.slack(slot, dimension);
    }

    private boolean isTouched(int slot) {
        return slot < entries.length && (int) (entries[slot] >>> 32) == epoch;
    }

    /** Where a touched machine's free amounts are. */
    private int entry(int slot) {
        return (int) entries[slot] * width;
    }

    /** Where they are, copied on the first touch. */
    private int touch(int slot) {
        if (!isTouched(slot)) {
            makeRoom(slot);
            entries[slot] = (long) epoch << 32 | touched++;
            int entry = entry(slot);
            for (int dimension = 0; dimension < width; dimension++) {
                slack[entry + dimension] = tables.machines.slack(slot, dimension);
            }
            if (!tables.holds.isEmpty() && !tables.holds.on(slot).isEmpty()) {
                holds.put(
                        slot,
                        new ArrayList<>(tables.holds.on(slot).stream()
                                .map(HoldRow::draft)
                                .toList()));
            }
        }
        return entry(slot);
    }

    private void makeRoom(int slot) {
        if (touched == 0) {
            width = tables.dimensions().size();
        }
        if (slot >= entries.length) {
            entries = Arrays.copyOf(entries, tables.machines.slots());
        }
        if ((touched + 1) * width > slack.length) {
            slack = Arrays.copyOf(slack, Math.max(64, 2 * (touched + 1) * width));
        }
    }
}
