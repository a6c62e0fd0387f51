package dev.cella.scheduling.loop;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Result;
import dev.cella.scheduling.Signal;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Waiting;
import dev.cella.scheduling.Wake;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A job of this scheduler that has not ended, and its place in the loop. Jobs are served in the scheduler's order, and among
 * equals first come, first served. A retry keeps its job's place, unless {@link RetryOrder} sends it behind the others.
 *
 * <p>Owned by {@link SchedulerLoop}. Take it out of the sets that are sorted by {@code header}, {@code since} or {@code round}
 * before you change one of them.
 */
final class OpenJob implements Waiting, Comparable<OpenJob> {
    /** The phases of a job. */
    enum Phase {
        /** Nothing to plan: all its tasks are placed, ended, or in flight. */
        IDLE,
        /** In the queue for its next turn. */
        READY,
        /** A plan for it is under way. */
        PLANNING,
        /** Its last attempt had no result; it waits for the end of its backoff. */
        RESTING,
        /** Its last plan left tasks unplaced, or waits for something; it sleeps until that changes. */
        ASLEEP
    }

    /** Asks the job's cell about its waiting tasks. */
    interface Open {
        /** How many of its tasks are pending and not in flight. */
        int pending(OpenJob job);

        /** The amounts that those tasks ask for together. */
        Amounts asks(OpenJob job);
    }

    /** More results than there may be transactions in flight, for a job that gets no turn. */
    private static final int RESULTS_MAX = 100;

    final JobId id;
    private final JobKey key;
    private final QueueOrder order;
    private final Open open;
    final Set<Happening> happened = EnumSet.noneOf(Happening.class);
    final Set<Happening> waitsFor = EnumSet.noneOf(Happening.class);
    static final int ANY_NUMBER = Integer.MAX_VALUE;

    /** How many jobs at most overtake it before it gets a turn for that. */
    private static final int PATIENCE_MAX = 16;

    private final List<Result> results = new ArrayList<>();
    private int patience = 1;
    private int overtaken;
    private boolean resultsSeen;
    JobHeader header;
    long round;
    int generation;
    Phase phase = Phase.IDLE;
    CellTime since;
    int attempts;
    int failuresInRow;
    int undecided;
    boolean due;

    /** True if its scheduler wants turns for it while none of its tasks is pending. */
    boolean tended;

    /** True if a turn is due although none of its tasks may be pending. */
    boolean called;

    /** Tasks of it came to be pending while a plan was made, which has not seen them. */
    boolean missed;

    /** How many jobs are planned together with it: half of those of a plan that failed, until a plan for it succeeds. */
    int togetherMax = ANY_NUMBER;

    /** Returns whether a plan for it and others failed. It may be the cause. */
    boolean isSuspect() {
        return togetherMax != ANY_NUMBER;
    }

    /** True if it sleeps although none of its tasks is pending. */
    boolean sleepsByChoice;

    OptionalInt freed = OptionalInt.empty();
    /** The amounts of it that count as demand of its pool, and whether they do. */
    Amounts demand = Amounts.NONE;

    boolean counted;
    int pendingSeen;
    Optional<CellTime> alarm = Optional.empty();
    List<Wake> wakes = List.of();
    Optional<Outcome> last = Optional.empty();
    List<Unplaced> unplaced = List.of();
    Optional<String> failure = Optional.empty();
    Optional<String> note = Optional.empty();
    RefusedClaims refused = RefusedClaims.NONE;

    OpenJob(JobKey key, QueueOrder order, JobHeader header, int generation, CellTime since, Open open) {
        this.key = key;
        this.id = key.id();
        this.order = order;
        this.header = header;
        this.generation = generation;
        this.since = since;
        this.open = open;
    }

    // ---- for an agenda

    @Override
    public JobKey key() {
        return key;
    }

    @Override
    public JobHeader job() {
        return header;
    }

    @Override
    public CellTime since() {
        return since;
    }

    @Override
    public int pending() {
        return open.pending(this);
    }

    /** The amounts that its pending tasks ask for together. */
    Amounts asks() {
        return open.asks(this);
    }

    @Override
    public int attempts() {
        return attempts;
    }

    @Override
    public List<Signal> signals() {
        List<Signal> signals = new ArrayList<>();
        freed.ifPresent(machine -> signals.add(new Signal.Freed(key, machine)));
        if (due) {
            signals.add(new Signal.Due(key));
        }
        happened.forEach(happening -> signals.add(new Signal.Happened(key, happening)));
        return signals;
    }

    // ---- jobs that overtake it

    /** It got tasks placed. */
    void calm() {
        patience = 1;
        overtaken = 0;
    }

    /** One more job has overtaken it. Returns whether it gets a turn for that; the next time it takes twice as many. */
    boolean losesPatience() {
        overtaken++;
        if (overtaken < patience) {
            return false;
        }
        overtaken = 0;
        patience = Math.min(2 * patience, PATIENCE_MAX);
        return true;
    }

    // ---- results

    /** Keeps the result of a transaction of its turns, for the next plan. */
    void remember(Transaction transaction, Outcome outcome) {
        last = Optional.of(outcome);
        refused = RefusedClaims.of(transaction, outcome, id);
        if (resultsSeen) {
            results.clear();
            resultsSeen = false;
        }
        if (results.size() < RESULTS_MAX) {
            results.add(new Result(transaction, outcome));
        }
    }

    /** The results since its last turn; if there are none, the results that the last turn had. */
    List<Result> results() {
        resultsSeen = true;
        return List.copyOf(results);
    }

    /** Returns whether nothing of it waits: it only sleeps until its scheduler wants to look at it again. */
    boolean isAtEase() {
        return phase == Phase.ASLEEP && sleepsByChoice && note.isEmpty();
    }

    LoopStatus.PendingJob status(OptionalInt queuePlace) {
        return new LoopStatus.PendingJob(
                id, phase.name(), attempts, since, unplaced, failure, wakes, alarm, last, note, queuePlace);
    }

    @Override
    public int compareTo(OpenJob other) {
        int byOrder = order.compare(header.priority(), since, other.header.priority(), other.since);
        int byRound = byOrder != 0 ? byOrder : Long.compare(round, other.round);
        int byAge = byRound != 0 ? byRound : Long.compare(id.version(), other.id.version());
        return byAge != 0 ? byAge : Integer.compare(key.cell(), other.key.cell());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OpenJob that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }
}
