package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Spreads a job over two cells that each have a job of its name: what finds no room in one cell is moved to the other, by
 * scaling the one down and the other up. A job that only one cell has is placed there.
 */
public final class TwoCellSpreader implements Scheduler<String> {
    private final Placing placing = new Placing(Choice.FIRST_FIT);

    @Override
    public String start() {
        return "";
    }

    @Override
    public Plan<String> plan(List<PlanningView> cells, Work work, PlanContext<String> context) {
        List<Unplaced> left = new ArrayList<>(placing.place(cells, work, context.seed()));
        if (cells.size() == 2) {
            left.removeIf(each -> moves(each, cells));
        }
        return Plan.of(left, List.of(), context.memory());
    }

    /** Returns whether the other cell has room for all of them, where the twin is scaled up by as many. */
    private static boolean moves(Unplaced left, List<PlanningView> cells) {
        PlanningView here = cells.get(left.cell());
        PlanningView there = cells.get(1 - left.cell());
        Optional<JobRow> mine = here.view().job(left.job());
        Optional<JobRow> twin = mine.flatMap(job -> there.view().job(job.name()));
        int moved = Math.min(room(there, left), left.tasks());
        if (twin.isEmpty() || moved == 0) {
            return false;
        }
        scale(here, mine.get(), left.group(), -moved);
        scale(there, twin.get(), left.group(), moved);
        return moved == left.tasks();
    }

    private static void scale(PlanningView cell, JobRow job, int group, int more) {
        cell.scale(job.id(), group, job.group(group).header().count() + more);
    }

    private static int room(PlanningView cell, Unplaced left) {
        CellView view = cell.view();
        long cpuMilli = left.asked().at(0);
        long room = 0;
        for (int machine = 0; machine < view.machineSlots(); machine++) {
            room += cell.isReady(machine) ? cell.free(machine, "cpuMilli") / cpuMilli : 0;
        }
        return (int) Math.min(room, Integer.MAX_VALUE);
    }
}
