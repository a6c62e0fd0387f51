package dev.cella.transactions.cell;

import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskRow;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Values that a reader makes from the rows of the tasks on one machine, each made again only when its row has changed.
 *
 * <h2>Why</h2> An agent looks at its machine after every frame that touches it. To make all rows again costs a look as much as
 * the machine has tasks, and twenty tasks on a machine cost most of the agent's time. Here a look makes only the rows that
 * changed since the last one; for the others it compares a version and a number.
 *
 * <h2>How</h2> Unchanged tasks keep their order in the machine's list. So one walk through the list and through the values
 * kept from the last look, side by side, finds each of them. A value that depends on other rows too is made again each time.
 *
 * <p>Owned by one thread, the one that owns the view.
 */
public final class KeptPerTask<T> {
    private static final int NOT_KEPT = -1;

    private record Kept<T>(int row, T value) {}

    private final Function<TaskRow, T> making;
    private final Predicate<TaskRow> standsAlone;
    private List<Kept<T>> kept = List.of();
    private @Nullable CellView seen;
    private int seenSlot;
    private long seenVersion;

    /**
     * @param making makes a value; it reads the row, and the view only if the row does not stand alone
     * @param standsAlone whether the value of that row depends on nothing else
     */
    public KeptPerTask(Function<TaskRow, T> making, Predicate<TaskRow> standsAlone) {
        this.making = making;
        this.standsAlone = standsAlone;
    }

    /** The values of the tasks that hold amounts on the machine in that slot, in the order of the machine's list. */
    public List<T> on(CellView view, int slot) {
        if (view != seen || slot != seenSlot || view.version().number() < seenVersion) {
            kept = List.of();
        }
        Iterator<Kept<T>> earlier = kept.iterator();
        List<Kept<T>> now = new ArrayList<>();
        List<T> values = new ArrayList<>();
        view.forEachTaskRowOn(slot, (tables, row) -> {
            Kept<T> each = isUnchanged(tables, row) ? find(row, earlier) : null;
            Kept<T> current = each == null ? make(view, tables, row) : each;
            now.add(current);
            values.add(current.value());
        });
        kept = now;
        seen = view;
        seenSlot = slot;
        seenVersion = view.version().number();
        return values;
    }

    private boolean isUnchanged(Tables tables, int row) {
        return tables.tasks.changedVersion(row) <= seenVersion;
    }

    /** The value kept for the row; those passed over on the way have left the machine or changed. */
    private static <T> @Nullable Kept<T> find(int row, Iterator<Kept<T>> earlier) {
        while (earlier.hasNext()) {
            Kept<T> next = earlier.next();
            if (next.row() == row) {
                return next;
            }
        }
        return null;
    }

    private Kept<T> make(CellView view, Tables tables, int row) {
        TaskRow task = view.task(tables.tasks.group(row), tables.tasks.index(row));
        return new Kept<>(standsAlone.test(task) ? row : NOT_KEPT, making.apply(task));
    }
}
