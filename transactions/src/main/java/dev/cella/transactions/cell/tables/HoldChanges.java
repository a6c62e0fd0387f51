package dev.cella.transactions.cell.tables;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes holds with the tables: holds grow by what is freed, are used by their job's claims, end, and go with their machine.
 * Owned by the thread that applies changes.
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

    /** The amounts of each hold on the machine that a claim on the job takes from, oldest first. */
    List<Amounts> gotBy(JobRow job, Origin by, int slot) {
        if (holds.isEmpty()) {
            return List.of();
        }
        List<Amounts> got = new ArrayList<>();
        for (HoldRow hold : holds.on(slot)) {
            if (hold.isFor(job, by.scheduler(), by.session())) {
                got.add(hold.got());
            }
        }
        return got;
    }

    /** Takes the settlement's share from the job's holds on the machine. */
    void use(JobRow job, Origin by, int slot, Settlement settlement) {
        if (settlement.needs().isEmpty()) {
            return;
        }
        int at = 0;
        for (HoldRow hold : List.copyOf(holds.on(slot))) {
            if (hold.isFor(job, by.scheduler(), by.session())) {
                count(hold, holds.use(hold, settlement.needs().get(at++)), -1);
                if (hold.isUsedUp()) {
                    holds.remove(hold);
                }
            }
        }
    }

    /**
     * Adds a hold, the youngest on its machine, and gives it what is free. The older ones need nothing: whenever something
     * became free, they got what they lacked, so they lack nothing that is free now.
     */
    void put(HoldRow hold) {
        holds.put(hold);
        grow(hold, Settlement.grown(hold, freeOn(tables, hold.slot())));
    }

    /** Gives what is free on the machine to the holds that want it, oldest first. */
    void settle(int slot) {
        if (holds.isEmpty() || holds.on(slot).isEmpty()) {
            return;
        }
        List<HoldRow> on = holds.on(slot);
        List<Amounts> grown = Settlement.grown(on, freeOn(tables, slot));
        for (int at = 0; at < grown.size(); at++) {
            grow(on.get(at), grown.get(at));
        }
    }

    private void grow(HoldRow hold, Amounts more) {
        if (!more.isNone()) {
            holds.grow(hold, more);
            machines.hold(hold.slot(), more, tables.version());
            count(hold, more, 1);
        }
    }

    /** Counts a job's hold in its pool by the amounts that it has got. An offer counts in no pool. */
    private void count(HoldRow hold, Amounts amounts, int times) {
        JobRow job = hold.jobOrNull();
        if (job != null) {
            policies.add(job.pool(), amounts, times);
        }
    }

    /** The free amounts on the machine, with the free members of its sets. */
    static Amounts freeOn(Tables tables, int slot) {
        long[] free = new long[tables.dimensions().size()];
        Arrays.setAll(free, dimension -> tables.machines.free(slot, dimension));
        return tables.hasSets() ? tables.machines.members(slot).open(free, tables.dimensions()) : Amounts.of(free);
    }

    void end(HoldRow hold) {
        holds.remove(hold);
        count(hold, hold.got(), -1);
        machines.release(hold.slot(), hold.got(), tables.version());
        settle(hold.slot());
    }

    /** Drops all holds on a machine that goes or comes back as another. */
    void dropOn(int slot) {
        for (HoldRow hold : List.copyOf(holds.on(slot))) {
            holds.remove(hold);
            count(hold, hold.got(), -1);
        }
    }
}
