package dev.cella.scheduling;

import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Limits;

/**
 * A pool in which jobs of this scheduler wait: its use, its limits, and the demand.
 *
 * @param cell the place of its cell
 * @param row the pool in the private replica, with limits and everybody's use; live, so do not keep it
 * @param demand the amounts of this scheduler's waiting tasks in it
 * @param jobs the number of this scheduler's waiting jobs in it
 */
public record PoolStanding(int cell, PoolRow row, Dimensions dimensions, Amounts demand, int jobs) {
    public String path() {
        return row.path();
    }

    /** Its share of the cell, relative to other pools. */
    public int weight() {
        return row.policy().weight();
    }

    /** The amounts it should have before the others share the rest. */
    public Amounts minimum() {
        return row.policy().minimum();
    }

    /** What its tasks and holds use of the named dimension. */
    public long use(String dimension) {
        int place = dimensions.find(dimension);
        return place < 0 ? 0 : row.use(place);
    }

    /** Its limit for the named dimension; {@link Limits#UNLIMITED} if it has none. */
    public long limit(String dimension) {
        int place = dimensions.find(dimension);
        return place < 0
                ? dev.cella.transactions.model.Limits.UNLIMITED
                : row.limits().at(place);
    }
}
