package dev.cella.agent.federation;

import dev.cella.agent.runner.TaskRunner;
import dev.cella.client.proto.Job;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.PlacementId;
import java.util.Optional;

/** One attempt of a home task, and its job in the member cell. Owned by {@link TwinRunner}. */
final class TwinAttempt {
    static final long NEVER = Long.MAX_VALUE;

    final PlacementId placement;
    final Job job;
    final TaskRunner.Listener listener;

    /** The member cell has it, and shows it from {@link #version} on. */
    boolean isSubmitted;

    long version;

    /** The history of the member cell in which it was submitted. */
    Optional<Incarnation> history = Optional.empty();

    boolean isStarted;
    boolean isToldToEnd;

    /** It found no room in time, and is given back to the home. */
    boolean isReturned;

    /** The member cell was told to stop it for that, and has not refused. */
    boolean isBeingReturned;

    /** Since when it waits for a machine of the member cell. */
    long waitsSinceMillis = NEVER;

    int failures;

    TwinAttempt(PlacementId placement, Job job, TaskRunner.Listener listener) {
        this.placement = placement;
        this.job = job;
        this.listener = listener;
    }

    String name() {
        return job.getName();
    }
}
