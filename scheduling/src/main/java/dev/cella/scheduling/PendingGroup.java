package dev.cella.scheduling;

import dev.cella.transactions.cell.GroupRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.GroupHeader;

/**
 * The tasks of one group that a plan has to place, one after another. Tasks that are in flight, or that this plan has
 * claimed, are no longer among them. Belongs to one plan and its thread.
 */
public final class PendingGroup {
    private static final int NONE = -1;

    private final PlanningView cell;
    private final GroupRow row;
    private int next;

    PendingGroup(PlanningView cell, GroupRow row) {
        this.cell = cell;
        this.row = row;
        this.next = find(0);
    }

    public GroupHeader header() {
        return row.header();
    }

    /** What each of its tasks asks. */
    public Amounts shape() {
        return row.header().shape();
    }

    public boolean hasNext() {
        return next != NONE;
    }

    /** The index of the next task to place. */
    public int next() {
        if (next == NONE) {
            throw new IllegalStateException("group " + row.header().name() + " has no more tasks to place");
        }
        return next;
    }

    /** How many tasks are left to place. */
    public int left() {
        return cell.pending(row);
    }

    /** Claims the machine, on which it fits, for the next task. */
    public void claimNext(int machine) {
        cell.claim(row, next(), machine);
        next = find(next + 1);
    }

    /** Why the tasks that are left were not placed, as the machines have it. */
    public Unplaced explain() {
        return explain(Exclusion.NONE);
    }

    /** The same for a planner whose policy keeps tasks off machines on which they would fit. */
    public Unplaced explain(Exclusion exclusion) {
        return cell.explain(row, left(), exclusion);
    }

    private int find(int from) {
        return cell.nextPending(row, from);
    }
}
