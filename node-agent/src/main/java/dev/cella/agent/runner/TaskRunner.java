package dev.cella.agent.runner;

import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.transactions.model.PlacementId;

/**
 * Runs attempts, of any number of machines. Every call returns at once; what happens is told to the listener. An attempt
 * that was started ends exactly once, after {@link Listener#started} if it ran at all.
 */
public interface TaskRunner extends AutoCloseable {
    /** Hears what becomes of one attempt, on a thread of the runner's choice. */
    interface Listener {
        void started(PlacementId placement);

        /** It failed its check too often in a row. */
        default void unhealthy(PlacementId placement) {}

        /** None of its processes is left. */
        void ended(PlacementId placement, TaskEnd end);
    }

    void start(String machine, Launch launch, Listener listener);

    /** Asks it to end. Nothing happens if it has ended already. */
    void terminate(PlacementId placement);

    /** Ends it. Nothing happens if it has ended already. */
    void kill(PlacementId placement);

    /** Nobody will ask about this attempt any more. */
    default void forget(PlacementId placement) {}

    /** Ends everything, asking first, within three seconds. */
    @Override
    void close();
}
