package dev.cella.scheduling.loop;

import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Unplaced;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import java.util.List;
import java.util.Optional;

/**
 * A job of this scheduler that has not ended, and where it stands with the loop. Jobs are served in the scheduler's order,
 * and where that does not tell first come, first served: a retry keeps its job's place, unless {@link RetryOrder} sends it
 * behind the others.
 *
 * <p>Owned by {@link SchedulerLoop}; whoever changes {@code priority}, {@code since} or {@code round} takes it out of the
 * sets that are sorted by it.
 */
final class OpenJob implements Comparable<OpenJob> {
    /** Where a job stands. */
    enum Phase {
        /** Nothing to plan: all its tasks are placed, ended, or in flight. */
        IDLE,
        /** In the queue for its next turn. */
        READY,
        /** A plan for it is under way. */
        PLANNING,
        /** Nothing came of its last attempt; it waits for its backoff to pass. */
        RESTING,
        /** Its last plan left tasks unplaced; it waits for what would change that. */
        ASLEEP
    }

    final JobId id;
    private final QueueOrder order;
    int priority;
    long round;
    int generation;
    Phase phase = Phase.IDLE;
    CellTime since;
    int attempts;
    int failuresInRow;
    boolean due;
    boolean waitsForOwnEnd;
    boolean ownEndSincePlan;
    int pendingSeen;
    Optional<CellTime> alarm = Optional.empty();
    Optional<Outcome> last = Optional.empty();
    List<Unplaced> unplaced = List.of();
    Optional<String> failure = Optional.empty();
    RefusedClaims refused = RefusedClaims.NONE;

    OpenJob(JobId id, QueueOrder order, int priority, int generation, CellTime since) {
        this.id = id;
        this.order = order;
        this.priority = priority;
        this.generation = generation;
        this.since = since;
    }

    /** What became of its last transaction, which the next plan should know. */
    void remember(Transaction transaction, Outcome outcome) {
        last = Optional.of(outcome);
        refused = RefusedClaims.of(transaction, outcome, id);
    }

    LoopStatus.PendingJob status() {
        return new LoopStatus.PendingJob(id, phase.name(), attempts, since, unplaced, failure, alarm, last);
    }

    @Override
    public int compareTo(OpenJob other) {
        int byOrder = order.compare(priority, since, other.priority, other.since);
        int byRound = byOrder != 0 ? byOrder : Long.compare(round, other.round);
        return byRound != 0 ? byRound : Long.compare(id.version(), other.id.version());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OpenJob that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
