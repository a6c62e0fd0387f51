package dev.cella.scheduling;

import dev.cella.scheduling.host.PoolDraft;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The amounts that a job's holds have got, machine by machine, and that its plan has not claimed yet. A claim takes from them
 * before it takes from the free amounts, as in the commit (SEMANTICS section 5, "Holds"). Belongs to one plan and its thread.
 */
final class OwnHolds {
    /** A job without holds, as almost all are. */
    static final OwnHolds NONE = new OwnHolds(List.of());

    private static final int[] NO_MACHINES = new int[0];

    private final Map<Integer, Amounts> left = new TreeMap<>();
    private final List<PoolRow> limited;

    private OwnHolds(List<PoolRow> limited) {
        this.limited = limited;
    }

    static OwnHolds of(CellView view, JobRow job) {
        List<HoldRow> rows = view.holdsOf(job);
        if (rows.isEmpty()) {
            return NONE;
        }
        OwnHolds holds = new OwnHolds(PoolDraft.limited(view.pool(job.header().pool())));
        rows.forEach(row -> holds.left.merge(row.slot(), row.got(), Amounts::plus));
        return holds;
    }

    /** The pools with limits in which they count. */
    List<PoolRow> limited() {
        return limited;
    }

    boolean isEmpty() {
        return left.isEmpty();
    }

    /** The slots of the machines, in order. */
    int[] machines() {
        return left.isEmpty()
                ? NO_MACHINES
                : left.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    Amounts on(int machine) {
        return left.isEmpty() ? Amounts.NONE : left.getOrDefault(machine, Amounts.NONE);
    }

    /** The part of the amounts that must come from the free amounts of the machine. */
    Amounts beyond(int machine, Amounts shape) {
        Amounts held = on(machine);
        Amounts asked = shape.choosing(held.members());
        return asked.minus(held.min(asked));
    }

    /** Takes from what is held on the machine. Returns what it took. */
    Amounts take(int machine, Amounts asked) {
        Amounts had = on(machine);
        Amounts taken = had.min(asked);
        if (!taken.isNone()) {
            left.put(machine, had.minus(taken));
        }
        return taken;
    }

    /** Holds again what a claim took that was given up. */
    void give(int machine, Amounts taken) {
        if (!taken.isNone()) {
            left.merge(machine, taken, Amounts::plus);
        }
    }
}
