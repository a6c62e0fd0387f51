package dev.cella.scheduler.batch.fair;

import dev.cella.scheduling.PendingGroup;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.RoomLeft;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.model.Amounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Answers that many groups of one plan need: whether any machine still has room for a shape, and why the machines do not
 * take it. Most groups of a plan find a full cell, so both are found once for each shape.
 *
 * <p>Belongs to one plan, until it takes claims back.
 */
final class FreeMachines {
    private record Question(Amounts shape, boolean skipped) {}

    private final PlanningView cell;
    private final Map<Amounts, RoomLeft> rooms = new HashMap<>();
    private final Map<Question, Unplaced> explained = new HashMap<>();

    FreeMachines(PlanningView cell) {
        this.cell = cell;
    }

    /**
     * Returns whether some machine may have room for a task of the group; what the job holds somewhere is room for it
     * alone.
     */
    boolean mayTake(PendingGroup group) {
        return group.hasHolds()
                || rooms.computeIfAbsent(group.shape(), cell::roomLeft).isLeft();
    }

    /** Why the tasks that are left of the group were not placed; {@code skipped} if one has room and the group waits. */
    Unplaced explain(PendingGroup group, boolean skipped) {
        boolean isLikeOthers =
                group.hasNext() && !group.hasHolds() && group.placement().isAnywhere();
        if (!isLikeOthers) {
            return explainAlone(group, skipped);
        }
        return explained
                .computeIfAbsent(new Question(group.shape(), skipped), question -> explainAlone(group, skipped))
                .of(group);
    }

    private static Unplaced explainAlone(PendingGroup group, boolean skipped) {
        Optional<String> waits = Optional.of("locality: no machine near its input has room, and it waits for one");
        return skipped ? group.explain(machine -> waits) : group.explain();
    }
}
