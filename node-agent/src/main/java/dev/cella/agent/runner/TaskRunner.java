package dev.cella.agent.runner;

import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.transactions.model.PlacementId;

/**
 * Runs attempts of any number of machines. Every call returns at once; the listener receives the events. A started attempt
 * ends exactly once, after {@link Listener#started} if it ran at all.
 */
public interface TaskRunner extends AutoCloseable {
    /** Receives the events of one attempt, on a thread of the runner's choice. */
    interface Listener {
        void started(PlacementId placement);

        /** As {@link #started}, for an attempt with a check that the runner carries out and that has not passed yet. */
        default void startedUnchecked(PlacementId placement) {
            started(placement);
        }

        /** It has passed its check, for the first time since this runner has it. */
        default void checked(PlacementId placement) {}

        /** It failed its check too often in a row. */
        default void unhealthy(PlacementId placement) {}

        /** None of its processes is left. */
        void ended(PlacementId placement, TaskEnd end);
    }

    void start(String machine, Launch launch, Listener listener);

    /** Where the tasks of its group run now; also before it is started. */
    default void hosts(PlacementId placement, String lines) {}

    /** It is spare work no more, and gets as much of the processor as other attempts. */
    default void upgrade(PlacementId placement) {}

    /** Asks it to end. Does nothing if it has ended already. */
    void terminate(PlacementId placement);

    /** Kills it. Does nothing if it has ended already. */
    void kill(PlacementId placement);

    /** The cell has renewed the machine's lease, which lasts that long from now. */
    default void renewed(long leaseMillisLeft) {}

    /** Returns whether it can start and stop attempts now. A machine that cannot is not registered, and its lease not renewed. */
    default boolean isReachable() {
        return true;
    }

    /** Nobody needs this attempt any longer. */
    default void forget(PlacementId placement) {}

    /** Ends everything, gently first, within three seconds. */
    @Override
    void close();
}
