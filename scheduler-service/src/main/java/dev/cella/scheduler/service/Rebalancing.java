package dev.cella.scheduler.service;

import dev.cella.scheduling.PlacedGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The policy that names the tasks of a settled service that should be on other machines. It names a task only if another
 * machine has room for it now, and for the spread only if the group is spread better afterwards. {@link JobUpdate} moves the
 * tasks, as few at once as the group's {@code update} allows.
 */
final class Rebalancing {
    /** How long until tasks that have to move are looked at again, although nothing of their job has changed. */
    private static final long LOOK_AGAIN_MILLIS = 5_000;

    private static final int SECONDS_MAX = 86_400;
    private static final long SECOND_MILLIS = 1_000;

    /**
     * The result of one look at a job.
     *
     * @param tasks those to move
     * @param emptied how many of them are on machines that drain until a deadline
     * @param stuck whether a task should leave such a machine, and no other has room
     */
    record Moves(Set<TaskId> tasks, int emptied, boolean stuck) {
        static final Moves NONE = new Moves(Set.of(), 0, false);

        boolean isEmpty() {
            return tasks.isEmpty();
        }

        String text() {
            int spread = tasks.size() - emptied;
            List<String> parts = new ArrayList<>();
            if (emptied > 0) {
                parts.add(emptied + " off machines that drain");
            }
            if (spread > 0) {
                parts.add(spread + " for a better spread");
            }
            return "tasks are moved: " + String.join(", ", parts);
        }
    }

    private final Rebalance reasons;
    private final long everyMillis;
    private final UnaryOperator<GroupPlacement> wishes;

    /** @param wishes what the planner adds to the jobs' placement */
    Rebalancing(Rebalance reasons, long everyMillis, UnaryOperator<GroupPlacement> wishes) {
        this.reasons = reasons;
        this.everyMillis = everyMillis;
        this.wishes = wishes;
    }

    static Rebalancing of(SchedulerOptions options, UnaryOperator<GroupPlacement> wishes) {
        long everyMillis = SECOND_MILLIS * options.number(Rebalance.EVERY.name(), 1, SECONDS_MAX);
        return new Rebalancing(Rebalance.of(options), everyMillis, wishes);
    }

    Moves moves(PlanningView cell, JobRow job) {
        if (reasons == Rebalance.NEVER) {
            return Moves.NONE;
        }
        List<TaskRow> placed = cell.tasksOf(job.id());
        Set<TaskId> tasks = new HashSet<>();
        int emptied = 0;
        boolean stuck = false;
        for (GroupRow group : job.groups()) {
            List<TaskRow> ofGroup = placed.stream()
                    .filter(task -> task.id().group() == group.place())
                    .toList();
            List<TaskRow> toLeave =
                    ofGroup.stream().filter(task -> isEmptied(cell, task)).toList();
            if (toLeave.isEmpty() && reasons == Rebalance.DRAINS) {
                continue;
            }
            PlacedGroup there = cell.placedGroup(group, wishes);
            List<TaskRow> leave = there.withRoomElsewhere(toLeave);
            stuck |= leave.size() < toLeave.size();
            emptied += leave.size();
            leave.forEach(task -> tasks.add(task.id()));
            if (reasons == Rebalance.SPREAD) {
                List<TaskRow> others =
                        ofGroup.stream().filter(task -> !toLeave.contains(task)).toList();
                there.betterSpreadElsewhere(others).forEach(task -> tasks.add(task.id()));
            }
        }
        return new Moves(tasks, emptied, stuck);
    }

    private static boolean isEmptied(PlanningView cell, TaskRow task) {
        return task.machine().isPresent()
                && cell.view().drain(task.machine().getAsInt()).isPresent();
    }

    /**
     * When to look at the job again although nothing of it has changed: another machine may get room, and one that drains may
     * become ready again.
     */
    Optional<CellTime> again(Moves moves, CellTime now) {
        if (moves.stuck() || !moves.isEmpty()) {
            return Optional.of(now.plusMillis(LOOK_AGAIN_MILLIS));
        }
        return reasons == Rebalance.SPREAD ? Optional.of(now.plusMillis(everyMillis)) : Optional.empty();
    }
}
