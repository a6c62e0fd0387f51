package dev.cella.scheduling.loop;

import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * A loop as it was at one moment: soft facts, for the people who ask why a job is pending and what its scheduler does.
 * Immutable, so it may be handed to other threads.
 *
 * @param viewVersion the version its view showed
 * @param queueLength jobs ready for their turn
 * @param resting jobs that wait for their backoff to pass
 * @param asleep jobs that wait for room, or for a time they named
 * @param paused whether an operator has told it to plan nothing for now
 * @param restartsWaiting tasks that wait for their next attempt
 * @param busyMillis the time in which it was planning or had transactions in flight, since it began
 * @param planningMillis the part of it in which it was planning
 * @param wastedMillis the part of that which it spent on transactions that lost a claim to another
 * @param elapsedMillis the time since it began
 * @param stopped why it stopped, if it did
 * @param jobs of those with tasks to place, the first {@link #JOBS_MAX} that came to have some
 */
public record LoopStatus(
        CellVersion viewVersion,
        int queueLength,
        int resting,
        int asleep,
        boolean planning,
        boolean paused,
        int transactionsInFlight,
        int restartsWaiting,
        long busyMillis,
        long planningMillis,
        long wastedMillis,
        long elapsedMillis,
        LoopCounters counters,
        Optional<String> lastPlannerFailure,
        Optional<String> stopped,
        List<PendingJob> jobs) {
    /** A status is taken every second, and must not cost what all the jobs of a busy scheduler weigh. */
    public static final int JOBS_MAX = 500;

    /**
     * A job with tasks to place, and how it stands.
     *
     * @param attempts scheduling attempts so far
     * @param unplaced why its last plan left tasks unplaced, by group
     * @param failure why there is no last plan, if its planner failed
     * @param wakes what it waits for while it is asleep, as its last plan named it
     * @param wakesAt when it gets its next turn at the latest, if that is a matter of time
     * @param last what became of its last transaction
     */
    public record PendingJob(
            JobId id,
            String phase,
            int attempts,
            CellTime since,
            List<Unplaced> unplaced,
            Optional<String> failure,
            List<Wake> wakes,
            Optional<CellTime> wakesAt,
            Optional<Outcome> last) {
        /** Whether some of its tasks fit no machine of the cell, however empty. */
        public boolean neverPlaceable() {
            return unplaced.stream().anyMatch(Unplaced::neverPlaceable);
        }
    }

    public LoopStatus {
        jobs = List.copyOf(jobs);
    }

    /** The part of the time in which it was planning or committing. */
    public double busyFraction() {
        return elapsedMillis == 0 ? 0 : (double) busyMillis / elapsedMillis;
    }
}
