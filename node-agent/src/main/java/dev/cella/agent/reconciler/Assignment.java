package dev.cella.agent.reconciler;

import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;

/** One attempt of a task, placed on this machine. The placement is its unique identity. */
public record Assignment(PlacementId placement, TaskId task, int attempt, int generation) {
    public Assignment {
        if (attempt < 1) {
            throw new IllegalArgumentException("attempts are counted from 1, not from " + attempt);
        }
    }

    @Override
    public String toString() {
        return task + "#" + attempt + "@" + placement;
    }
}
