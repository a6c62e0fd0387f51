package dev.cella.transactions.cell.tables;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a table's machines in the order of their names.
 *
 * <p>Without it, every list would sort the names of all machines, also for a page of one row. A table begins a new order when a
 * machine comes or goes, and shares it with the copies that follow. The first copy that is asked sorts for all of them.
 *
 * <p>Any thread may use it.
 */
final class SlotsByName {
    private volatile int @Nullable [] sorted;

    /**
     * @param copy a copy of the table, which stays as it is
     */
    int[] of(MachineTable copy) {
        int[] known = sorted;
        if (known == null) {
            known = IntStream.range(0, copy.slots())
                    .filter(copy::exists)
                    .boxed()
                    .sorted(Comparator.comparing(copy::name))
                    .mapToInt(Integer::intValue)
                    .toArray();
            sorted = known;
        }
        return known;
    }
}
