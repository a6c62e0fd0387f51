package dev.cella.chaos.schedulers;

import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobKey;
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
import dev.cella.transactions.model.CellTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Spreads a job over two cells that each have a job of its name: what finds no room in one cell is moved to the other, by
 * scaling the one down and the other up. A job that only one cell has is placed there.
 *
 * <p>Two events can make a move possible later: the other cell gains room, for which the job wakes; or its twin comes, which
 * then takes over in its own turn what waits here.
 *
 * <p>The two halves of a move are transactions of two cells, and one view shows its half before the other. Until both do, the
 * memory keeps the move, and nothing is moved between these jobs.
 */
public final class TwoCellSpreader implements Scheduler<List<TwoCellSpreader.Half>> {
    /** A half that was refused shows by then at the latest. */
    private static final long SHOWN_MILLIS_MAX = 2_000;

    private final Placing placing = new Placing(Choice.FIRST_FIT);

    /** One half of a move: the job will have that count. */
    public record Half(JobKey job, int group, int count, CellTime until) {
        boolean isUnderWay(List<PlanningView> cells, CellTime now) {
            return now.compareTo(until) < 0
                    && cells.get(job.cell())
                            .view()
                            .job(job.id())
                            .filter(row -> row.group(group).header().count() != count)
                            .isPresent();
        }
    }

    @Override
    public List<Half> start() {
        return List.of();
    }

    @Override
    public Plan<List<Half>> plan(List<PlanningView> cells, Work work, PlanContext<List<Half>> context) {
        List<Unplaced> left = new ArrayList<>(placing.place(cells, work, context.seed()));
        List<Wake> wakes = new ArrayList<>();
        if (cells.size() != 2) {
            return Plan.of(left, List.<Wake>of(), context.memory());
        }
        Moving moving = new Moving(cells, context);
        left.removeIf(moving::moves);
        left.forEach(each -> wakes.add(new Wake.Room(each.key(), 1 - each.cell(), each.asked(), List.of())));
        left.forEach(each -> moving.endOf(each.key()).ifPresent(at -> wakes.add(new Wake.At(each.key(), at))));
        work.jobs().forEach(moving::takesOver);
        return Plan.of(left, List.<Wake>of(), List.copyOf(moving.halves)).wakingAlsoOn(wakes);
    }

    /** The moves of one plan, and those before it that are under way. */
    private static final class Moving {
        private final List<PlanningView> cells;
        private final CellTime now;
        private final List<Half> halves = new ArrayList<>();

        Moving(List<PlanningView> cells, PlanContext<List<Half>> context) {
            this.cells = cells;
            this.now = context.now();
            context.memory().stream()
                    .filter(half -> half.isUnderWay(cells, now))
                    .forEach(halves::add);
        }

        /** When the last move of the job is over, if one is under way. */
        Optional<CellTime> endOf(JobKey job) {
            return halves.stream()
                    .filter(half -> half.job().equals(job))
                    .map(Half::until)
                    .max(Comparator.naturalOrder());
        }

        private boolean isUnderWay(int here, JobRow mine, JobRow twin) {
            return endOf(new JobKey(here, mine.id())).isPresent()
                    || endOf(new JobKey(1 - here, twin.id())).isPresent();
        }

        /** Returns whether the other cell has room for all of them, where the twin is scaled up by as many. */
        boolean moves(Unplaced left) {
            int here = left.cell();
            int there = 1 - here;
            Optional<JobRow> mine = cells.get(here).view().job(left.job());
            Optional<JobRow> twin = mine.flatMap(job -> cells.get(there).view().job(job.name()));
            if (twin.isEmpty() || isUnderWay(here, mine.get(), twin.get())) {
                return false;
            }
            int moved = Math.min(roomBeside(twin.get(), left, cells.get(there)), left.tasks());
            if (moved <= 0) {
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
        void takesOver(JobWork work) {
            int there = 1 - work.key().cell();
            JobRow mine = work.in(cells).view().job(work.id()).orElseThrow();
            cells.get(there)
                    .view()
                    .job(mine.name())
                    .filter(twin -> !isUnderWay(work.key().cell(), mine, twin))
                    .ifPresent(twin -> takesOver(work.key().cell(), mine, twin));
        }

        private void takesOver(int here, JobRow mine, JobRow twin) {
            PlanningView there = cells.get(1 - here);
            for (GroupRow waiting : twin.groups()) {
                Amounts shape = waiting.header().shape();
                int moved = Math.min(
                        room(cells.get(here), shape) - cells.get(here).pending(mine.group(waiting.place())),
                        there.pending(waiting) - room(there, shape));
                if (moved > 0) {
                    scale(1 - here, twin, waiting.place(), -moved);
                    scale(here, mine, waiting.place(), moved);
                }
            }
        }

        private void scale(int cell, JobRow job, int group, int more) {
            int count = job.group(group).header().count() + more;
            cells.get(cell).scale(job.id(), group, count);
            halves.add(new Half(new JobKey(cell, job.id()), group, count, now.plusMillis(SHOWN_MILLIS_MAX)));
        }
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
