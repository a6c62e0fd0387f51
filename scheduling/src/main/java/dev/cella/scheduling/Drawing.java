package dev.cella.scheduling;

import dev.cella.transactions.model.Amounts;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The values that all pools of one group share.
 *
 * @param takes whether a machine takes the group's next task
 */
record Drawing(PlanningView cell, Amounts shape, Choice choice, IntPredicate takes, SplittableRandom random) {
    /** The machines in these slots, or with null all machines of the cell. */
    MachinePool pool(int @Nullable [] members) {
        return choice.comparesAll() ? new RankedMachines(this, members) : new DrawnMachines(this, members, null);
    }

    Drawing taking(IntPredicate other) {
        return new Drawing(cell, shape, choice, other, random);
    }

    long score(int machine) {
        return choice.score().of(cell, machine, shape);
    }
}
