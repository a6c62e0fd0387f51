package dev.cella.scheduling;

import dev.cella.transactions.cell.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Limits;

/**
 * A pool of which jobs of this scheduler wait: what it uses, what it may use, and what is waited for.
 *
 * @param cell the place of its cell
 * @param row the pool in the private replica: limits and use, those of everybody; live, so not to be kept
 * @param demand what the tasks ask that wait in it, those of this scheduler
 * @param jobs how many jobs of this scheduler wait in it
 */
public record PoolStanding(int cell, PoolRow row, Dimensions dimensions, Amounts demand, int jobs) {
    public String path() {
        return row.path();
    }

    /** How much of the cell it should have, compared with the other pools. */
    public int weight() {
        return row.policy().weight();
    }

    /** What it should have before the others share the rest. */
    public Amounts minimum() {
        return row.policy().minimum();
    }

    /** What its tasks and holds have of the dimension of that name. */
    public long use(String dimension) {
        int place = dimensions.find(dimension);
        return place < 0 ? 0 : row.use(place);
    }

    /** What it may have of the dimension of that name; {@link Limits#UNLIMITED} if all. */
    public long limit(String dimension) {
        int place = dimensions.find(dimension);
        return place < 0
                ? dev.cella.transactions.model.Limits.UNLIMITED
                : row.limits().at(place);
    }
}
