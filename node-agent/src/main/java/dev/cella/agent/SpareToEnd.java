package dev.cella.agent;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The spare tasks that a machine has no room for any more. The cell ends spare tasks for claims. When a machine shrinks, no
 * claim comes, but the room is gone: then the machine's agent ends them, the youngest first, before regular work lacks the room.
 */
final class SpareToEnd {
    private static final Comparator<TaskRow> YOUNGEST_FIRST = Comparator.comparing(
                    TaskRow::placement,
                    Comparator.comparing(placement -> placement.orElseThrow().version()))
            .thenComparing(
                    TaskRow::placement,
                    Comparator.comparing(placement -> placement.orElseThrow().ordinal()))
            .reversed();

    private SpareToEnd() {}

    static List<PlacementId> on(CellView view, int slot) {
        if (view.spareTasksOn(slot) == 0) {
            return List.of();
        }
        List<TaskRow> staying = new ArrayList<>();
        view.forEachTaskOn(slot, task -> {
            if (task.state() != TaskState.STOPPING) {
                staying.add(task);
            }
        });
        long[] over = over(view, slot, staying);
        List<PlacementId> ending = new ArrayList<>();
        for (TaskRow task :
                staying.stream().filter(TaskRow::spare).sorted(YOUNGEST_FIRST).toList()) {
            if (helps(task, over)) {
                for (int dimension = 0; dimension < over.length; dimension++) {
                    over[dimension] -= task.resources().at(dimension);
                }
                ending.add(task.placement().orElseThrow());
            }
        }
        return ending;
    }

    /** The amounts that they use beyond the capacity. */
    private static long[] over(CellView view, int slot, List<TaskRow> tasks) {
        long[] over = new long[view.dimensions().size()];
        for (int dimension = 0; dimension < over.length; dimension++) {
            over[dimension] = -view.capacity(slot, dimension);
            for (TaskRow task : tasks) {
                over[dimension] += task.resources().at(dimension);
            }
        }
        return over;
    }

    private static boolean helps(TaskRow task, long[] over) {
        for (int dimension = 0; dimension < over.length; dimension++) {
            if (over[dimension] > 0 && task.resources().at(dimension) > 0) {
                return true;
            }
        }
        return false;
    }
}
