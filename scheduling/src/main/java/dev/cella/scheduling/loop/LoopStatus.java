package dev.cella.scheduling.loop;

import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The state of a loop at one moment: soft facts, for people who ask why a job is pending and what its scheduler does.
 * Immutable, so other threads may have it.
 *
 * @param viewVersion the version that its view showed
 * @param queueLength jobs ready for their turn
 * @param resting jobs that wait for the end of their backoff
 * @param asleep jobs that wait for room, or for a time they named
 * @param paused whether an operator has paused it
 * @param restartsWaiting tasks that wait for their next attempt
 * @param busyMillis the time in which it was planning or had transactions in flight, since it began
 * @param planningMillis the part of it in which it was planning
 * @param wastedMillis the part of that for transactions that lost a claim to another
 * @param elapsedMillis the time since it began
 * @param stopped why it stopped, if it did
 * @param jobs the first {@link #JOBS_MAX} jobs that came to have tasks to place
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
    /** The bound keeps a status cheap, because it is taken every second and a scheduler may have many jobs. */
    public static final int JOBS_MAX = 500;

    /**
     * A job with tasks to place, and its state.
     *
     * @param attempts scheduling attempts so far
     * @param unplaced why its last plan left tasks unplaced, by group
     * @param failure why there is no last plan, if its planner failed
     * @param wakes the wakes of its last plan, while it is asleep
     * @param wakesAt the latest time of its next turn, if it has one
     * @param last the outcome of its last transaction
     * @param note the state of its update in words, as its last plan said it
     * @param queuePlace its place in the queue, from 1, while it waits for its turn
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
            Optional<Outcome> last,
            Optional<String> note,
            OptionalInt queuePlace) {
        /** Returns whether some of its tasks fit on no machine of the cell, even if it were empty. */
        public boolean neverPlaceable() {
            return unplaced.stream().anyMatch(Unplaced::neverPlaceable);
        }
    }

    public LoopStatus {
        jobs = List.copyOf(jobs);
    }

    /** The fraction of the time in which it was planning or committing. */
    public double busyFraction() {
        return elapsedMillis == 0 ? 0 : (double) busyMillis / elapsedMillis;
    }
}
