package dev.cella.scheduling;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.HoldRow;
import dev.cella.transactions.cell.JobRow;
import dev.cella.transactions.model.Amounts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a job has got by its holds, machine by machine, and its plan has not claimed yet. A claim takes from there before it
 * takes from what is free, as the commit does (SEMANTICS section 5, "Holds"). Belongs to one plan and its thread.
 */
final class OwnHolds {
    /** A job that holds nothing, as almost all do. */
    static final OwnHolds NONE = new OwnHolds();

    private static final int[] NO_MACHINES = new int[0];

    private final Map<Integer, Amounts> left = new TreeMap<>();

    private OwnHolds() {}

    static OwnHolds of(CellView view, JobRow job) {
        List<HoldRow> rows = view.holdsOf(job);
        if (rows.isEmpty()) {
            return NONE;
        }
        OwnHolds holds = new OwnHolds();
        rows.forEach(row -> holds.left.merge(row.slot(), row.got(), Amounts::plus));
        return holds;
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

    /** What of the amounts has to come from what is free on the machine. */
    Amounts beyond(int machine, Amounts shape) {
        Amounts held = on(machine);
        Amounts asked = shape.choosing(held.members());
        return asked.minus(held.min(asked));
    }

    /** Takes from what is held on the machine, and answers what it took. */
    Amounts take(int machine, Amounts asked) {
        Amounts had = on(machine);
        Amounts taken = had.min(asked);
        if (!taken.isNone()) {
            left.put(machine, had.minus(taken));
        }
        return taken;
    }

    /** A claim is given up: what it took is held again. */
    void give(int machine, Amounts taken) {
        if (!taken.isNone()) {
            left.merge(machine, taken, Amounts::plus);
        }
    }
}
