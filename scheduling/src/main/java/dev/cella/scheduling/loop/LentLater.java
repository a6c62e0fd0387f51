package dev.cella.scheduling.loop;

import dev.cella.scheduling.Observations;
import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.cell.CellView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a plan on copies of the cells gets from its loop. It shares nothing with the loop that changes, so another thread may
 * have it.
 *
 * @param views makes the view of each cell from a copy of the cell
 */
record LentLater(List<Function<CellView, PlanningView>> views, Observations observations) {
    LentLater {
        views = List.copyOf(views);
    }

    List<PlanningView> on(List<CellView> copies) {
        List<PlanningView> lent = new ArrayList<>(views.size());
        for (int cell = 0; cell < views.size(); cell++) {
            lent.add(views.get(cell).apply(copies.get(cell)));
        }
        return lent;
    }
}
