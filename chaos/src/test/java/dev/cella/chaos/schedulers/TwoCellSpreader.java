package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Spreads a job over two cells that each have a job of its name: what finds no room in one cell is moved to the other, by
 * scaling the one down and the other up. A job that only one cell has is placed there.
 *
 * <p>Two events can make a move possible later: the other cell gains room, for which the job wakes; or its twin comes, which
 * then takes over in its own turn what waits here.
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
        List<Wake> wakes = new ArrayList<>();
        if (cells.size() == 2) {
            left.removeIf(each -> moves(each, cells));
            left.forEach(each -> wakes.add(new Wake.Room(each.key(), 1 - each.cell(), each.asked(), List.of())));
            work.jobs().forEach(job -> takesOver(job, cells));
        }
        return Plan.of(left, List.<Wake>of(), context.memory()).wakingAlsoOn(wakes);
    }

    /** Returns whether the other cell has room for all of them, where the twin is scaled up by as many. */
    private static boolean moves(Unplaced left, List<PlanningView> cells) {
        PlanningView here = cells.get(left.cell());
        PlanningView there = cells.get(1 - left.cell());
        Optional<JobRow> mine = here.view().job(left.job());
        Optional<JobRow> twin = mine.flatMap(job -> there.view().job(job.name()));
        int moved = Math.min(twin.map(job -> roomBeside(job, left, there)).orElse(0), left.tasks());
        if (twin.isEmpty() || moved <= 0) {
            return false;
        }
        scale(here, mine.get(), left.group(), -moved);
        scale(there, twin.get(), left.group(), moved);
        return moved == left.tasks();
    }

    /** The tasks that wait there already get their room first. */
    private static int roomBeside(JobRow twin, Unplaced left, PlanningView there) {
        return room(there, left.asked()) - there.pending(twin.group(left.group()));
    }

    /** The job that has its turn takes what its twin has no room for. */
    private static void takesOver(JobWork work, List<PlanningView> cells) {
        PlanningView here = work.in(cells);
        PlanningView there = cells.get(1 - work.key().cell());
        JobRow mine = here.view().job(work.id()).orElseThrow();
        for (GroupRow waiting :
                there.view().job(mine.name()).map(JobRow::groups).orElse(List.of())) {
            Amounts shape = waiting.header().shape();
            int moved = Math.min(
                    room(here, shape) - here.pending(mine.group(waiting.place())),
                    there.pending(waiting) - room(there, shape));
            if (moved > 0) {
                scale(there, waiting.job(), waiting.place(), -moved);
                scale(here, mine, waiting.place(), moved);
            }
        }
    }

    private static void scale(PlanningView cell, JobRow job, int group, int more) {
        cell.scale(job.id(), group, job.group(group).header().count() + more);
    }

    private static int room(PlanningView cell, Amounts shape) {
        CellView view = cell.view();
        long cpuMilli = shape.at(0);
        long room = 0;
        for (int machine = 0; machine < view.machineSlots(); machine++) {
            room += cell.isReady(machine) ? cell.free(machine, "cpuMilli") / cpuMilli : 0;
        }
        return (int) Math.min(room, Integer.MAX_VALUE);
    }
}
