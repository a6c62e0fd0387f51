package dev.cella.transactions.cell;

import dev.cella.transactions.model.Amounts;
import java.util.Arrays;
import java.util.List;

/**
 * What becomes of holds while the tables change: they grow by what is freed, are used by their job's claims, end, and go
 * with their machine. Owned by the thread that applies changes.
 */
final class HoldChanges {
    private final Tables tables;
    private final MachineTable machines;
    private final HoldTable holds;
    private final PolicyTable policies;

    HoldChanges(Tables tables) {
        this.tables = tables;
        this.machines = tables.machines;
        this.holds = tables.holds;
        this.policies = tables.policies;
    }

    /** The claim takes first from what its job holds on the machine. Answers what it still needs. */
    Amounts use(JobRow job, int slot, Amounts shape) {
        if (holds.isEmpty()) {
            return shape;
        }
        Amounts need = shape;
        for (HoldRow hold : List.copyOf(holds.on(slot))) {
            if (hold.job().id().equals(job.id())) {
                Amounts used = holds.use(hold, need);
                policies.add(job.pool(), used, -1);
                need = need.minus(used);
                if (hold.isUsedUp()) {
                    holds.remove(hold);
                }
            }
        }
        return need;
    }

    /** What is free on the machine goes to the holds that want it there, oldest first. */
    void settle(int slot) {
        if (holds.isEmpty()) {
            return;
        }
        for (HoldRow hold : holds.on(slot)) {
            Amounts free = freeOn(slot);
            Amounts more = hold.lacks().choosing(free.members()).min(free);
            if (!more.isNone()) {
                holds.grow(hold, more);
                machines.hold(slot, more, tables.version());
                policies.add(hold.job().pool(), more, 1);
            }
        }
    }

    private Amounts freeOn(int slot) {
        long[] free = new long[tables.dimensions().size()];
        Arrays.setAll(free, dimension -> machines.free(slot, dimension));
        return tables.hasSets() ? machines.members(slot).open(free, tables.dimensions()) : Amounts.of(free);
    }

    void end(HoldRow hold) {
        holds.remove(hold);
        policies.add(hold.job().pool(), hold.got(), -1);
        machines.release(hold.slot(), hold.got(), tables.version());
        settle(hold.slot());
    }

    /** The machine goes, or comes back as another: nothing on it can be held any more. */
    void dropOn(int slot) {
        for (HoldRow hold : List.copyOf(holds.on(slot))) {
            holds.remove(hold);
            policies.add(hold.job().pool(), hold.got(), -1);
        }
    }
}
