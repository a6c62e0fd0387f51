package dev.cella.scheduler.batch.apollo;

import dev.cella.scheduler.batch.apollo.SpareAllowance.Dispatch;
import dev.cella.scheduling.Exclusion;
import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Wake;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * What one job may send in a turn, by its tokens (3.5): as many regular tasks as it has tokens, then opportunistic ones up to
 * its allowance, which run as spare work. A free token that no new task needs upgrades one of those. A task in flight counts as
 * a regular one. Belongs to one plan and its thread.
 */
final class JobTokens {
    private static final int NO_BOUND = Integer.MAX_VALUE;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final PlanningView cell;
    private final ApolloOptions options;
    private final List<TaskRow> spare;
    private final List<Wake> rooms = new ArrayList<>();
    private int upgrades;
    private int regularLeft;
    private int spareLeft;

    private JobTokens(PlanningView cell, ApolloOptions options, List<TaskRow> spare, Dispatch dispatch) {
        this.cell = cell;
        this.options = options;
        this.spare = spare;
        this.upgrades = dispatch.upgrades();
        this.regularLeft = dispatch.regular();
        this.spareLeft = dispatch.opportunistic();
    }

    static JobTokens of(PlanningView cell, JobRow job, List<PendingGroup> pending, ApolloOptions options) {
        if (options.tokens() == ApolloOptions.UNBOUNDED) {
            return new JobTokens(cell, options, List.of(), new Dispatch(NO_BOUND, 0, 0, 1));
        }
        List<TaskRow> spare = cell.view().spareTasks() == 0
                ? List.of()
                : cell.tasksOf(job.id()).stream().filter(TaskRow::spare).toList();
        int regular = -spare.size();
        for (GroupRow group : job.groups()) {
            regular += group.pending() + group.onMachines() - cell.pending(group);
        }
        int ready = pending.stream()
                .filter(PendingGroup::hasNext)
                .mapToInt(PendingGroup::left)
                .sum();
        Dispatch dispatch =
                new SpareAllowance(options.sparePerToken()).dispatch(options.tokens(), regular, spare.size(), ready);
        return new JobTokens(cell, options, spare, dispatch);
    }

    /** Upgrades spare tasks that have room of their own, first where the fewest regular tasks are. */
    void upgrade(JobKey job) {
        List<TaskRow> best = new ArrayList<>(spare);
        best.sort(Comparator.comparingInt(this::regularBeside));
        for (TaskRow task : best) {
            if (upgrades > 0 && cell.mayUpgrade(task)) {
                cell.upgrade(task);
                upgrades--;
            }
        }
        if (upgrades > 0) {
            rooms.add(new Wake.Room(job, best.get(0).resources()));
        }
    }

    private int regularBeside(TaskRow task) {
        CellView view = cell.view();
        int machine = task.machine().orElseThrow();
        return view.tasksOn(machine) - view.spareTasksOn(machine);
    }

    /** How many more tasks may be sent as regular ones. */
    int regularLeft() {
        return regularLeft;
    }

    void sentRegular(int tasks) {
        regularLeft -= Math.min(regularLeft, tasks);
    }

    /**
     * Places tasks of the group as spare work, on machines in random order. Only those beyond the tokens are left by then.
     * Returns how many.
     */
    int placeSpare(PendingGroup group, IntPredicate isQueueEmpty, SplittableRandom random) {
        if (regularLeft > 0 || spareLeft == 0 || !group.hasNext() || !group.maySpare()) {
            return 0;
        }
        int[] machines = cell.slots().filter(isQueueEmpty).toArray();
        int placed = 0;
        for (int left = machines.length; left > 0 && spareLeft > 0 && group.hasNext(); ) {
            int drawn = random.nextInt(left);
            int machine = machines[drawn];
            if (group.fitsSpare(machine)) {
                group.spareNext(machine);
                spareLeft--;
                placed++;
            } else {
                machines[drawn] = machines[--left];
            }
        }
        return placed;
    }

    /** Why tasks stay pending although machines have room. */
    Exclusion exclusion() {
        return regularLeft > 0 ? Exclusion.NONE : machine -> Optional.of("tokens=" + options.tokens());
    }

    /**
     * A token comes free when a task ends. One that found no room for its upgrade waits for room. Spare work waits for an empty
     * queue: a start of the job's own empties one, and others' starts are found after a while.
     */
    List<Wake> wakes(JobKey job, CellTime now) {
        List<Wake> wakes = new ArrayList<>(rooms);
        if (options.tokens() != ApolloOptions.UNBOUNDED) {
            wakes.add(new Wake.On(job, Happening.ENDED));
        }
        if (spareLeft > 0) {
            wakes.add(new Wake.On(job, Happening.STARTED));
            wakes.add(new Wake.At(job, now.plusMillis(LOOK_AGAIN.toMillis())));
        }
        return wakes;
    }
}
