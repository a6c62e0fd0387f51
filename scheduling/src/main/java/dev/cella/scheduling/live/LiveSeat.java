package dev.cella.scheduling.live;

import dev.cella.client.CellAddresses;
import dev.cella.client.live.Backoff;
import dev.cella.client.live.CellConnection;
import dev.cella.client.live.OfferCalls;
import dev.cella.client.live.PrivateReplica;
import dev.cella.client.live.ReplicaListener;
import dev.cella.client.live.SchedulerReporter;
import dev.cella.client.live.SessionKeeper;
import dev.cella.client.live.SessionListener;
import dev.cella.client.live.SessionOptions;
import dev.cella.client.live.TransactionStream;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.RevertJobRequest;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerReportAnswer;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.loop.LoopSeat;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler's place in one running cell: its private replica, its session, and the stream of its transactions.
 *
 * <p>A loop may begin when the seat is settled: {@link Settling}.
 *
 * <p>Owned by the scheduler's thread.
 */
final class LiveSeat {
    private static final Logger LOG = LoggerFactory.getLogger(LiveSeat.class);

    /** Version 1 founds a cell, so no session has this number. */
    private static final SessionId NO_SESSION = new SessionId(1);

    /** The scheduler that has the seat. Everything is called on its thread. */
    interface Listener {
        void replaced(LiveSeat seat);

        TouchedRows touchedRows(LiveSeat seat);

        void advanced(LiveSeat seat);

        /** The cell has sent a frame. */
        void heard(LiveSeat seat);

        /** The session is another one: what the loop knows of this cell is over. */
        void sessionOpened(LiveSeat seat);

        /** The view shows what it must for a loop to begin. */
        void settled(LiveSeat seat);

        void fenced(LiveSeat seat, String why);

        void answered(LiveSeat seat, Outcome outcome);

        /** The cell takes no more transactions. */
        void refused(LiveSeat seat, Throwable failure);

        void backlogTold(LiveSeat seat, long transactions);

        Optional<SchedulerReport> report(LiveSeat seat);

        void reported(LiveSeat seat, SchedulerReportAnswer answer);
    }

    final int place;
    final CellAddresses cell;
    final KnownWaits waits = new KnownWaits();
    final ClaimCounts claims = new ClaimCounts();
    private final String scheduler;
    private final CellConnection connection;
    private final PrivateReplica replica;
    private final TransactionStream transactions;
    private final SessionKeeper keeper;
    private final SchedulerReporter reporter;
    private final OfferCalls offerCalls;
    private final Placements placements = new SpecifiedPlacements();
    private final Listener listener;
    private final CellView none = new CellReplica().view();
    private final Executor owner;
    private final Settling settling = new Settling();
    private Optional<SessionId> session = Optional.empty();
    private boolean taken;
    private long backlog;

    LiveSeat(
            int place,
            LiveSchedulerOptions options,
            ScheduledExecutorService owner,
            SplittableRandom random,
            Listener listener) {
        this.place = place;
        this.cell = options.cells().get(place);
        this.scheduler = options.name();
        this.owner = owner;
        this.listener = listener;
        this.connection = CellConnection.open(cell);
        this.replica = new PrivateReplica(connection, owner, Backoff.standard(random.split()), new View());
        this.transactions =
                new TransactionStream(connection, owner, Backoff.standard(random.split()), this::backlogTold);
        this.offerCalls = new OfferCalls(connection);
        SessionOptions kept = new SessionOptions(
                options.name(), options.instance(), options.type(), options.lease(), options.offers());
        this.reporter = new SchedulerReporter(
                connection, owner, () -> listener.report(this), answer -> listener.reported(this, answer));
        this.keeper = new SessionKeeper(connection, owner, Backoff.standard(random.split()), kept, new Session());
    }

    void start() {
        replica.start();
        keeper.start();
        reporter.start();
    }

    // ---- the state

    CellView view() {
        return replica.view();
    }

    /** Returns whether the cell answers. */
    boolean isReached() {
        return replica.isReached();
    }

    /** The state of the private replica at this moment, for another thread; nothing if no loop works here. */
    Optional<CellCopy> copy() {
        return taken ? Optional.of(replica.copy()) : Optional.empty();
    }

    Optional<SessionId> session() {
        return session;
    }

    /** Returns whether a loop may begin here. */
    boolean isSettled() {
        return settling.isSettled();
    }

    /** Returns whether the present loop works on this cell. */
    boolean isTaken() {
        return taken;
    }

    /** The seat for a loop that begins: an empty cell if this one is not settled. */
    LoopSeat take() {
        taken = isSettled();
        backlog = 0;
        return taken
                ? new LoopSeat(session.orElseThrow(), view(), placements)
                : new LoopSeat(NO_SESSION, none, Placements.ANYWHERE);
    }

    /** The view of {@link #take}. */
    CellView takenView() {
        return taken ? view() : none;
    }

    /** The loop is over. */
    void leave() {
        taken = false;
    }

    // ---- the view

    private final class View implements ReplicaListener {
        @Override
        public void replaced(CellView view) {
            settling.shows(view);
            listener.replaced(LiveSeat.this);
            tellIfSettled();
        }

        @Override
        public TouchedRows touchedRows() {
            return taken ? listener.touchedRows(LiveSeat.this) : TouchedRows.UNHEARD;
        }

        @Override
        public void advanced(CellView view) {
            settling.shows(view);
            listener.advanced(LiveSeat.this);
            tellIfSettled();
        }

        @Override
        public void heard() {
            listener.heard(LiveSeat.this);
        }
    }

    private void tellIfSettled() {
        if (!taken && isSettled()) {
            listener.settled(this);
        }
    }

    // ---- the session

    private final class Session implements SessionListener {
        @Override
        public void opened(SessionId opened) {
            session = Optional.of(opened);
            settling.opened(opened);
            listener.sessionOpened(LiveSeat.this);
            owner.execute(LiveSeat.this::tellIfSettled);
        }

        @Override
        public void fenced(String why) {
            listener.fenced(LiveSeat.this, why);
        }
    }

    /** The cell has refused the session. The keeper learns that with its next renewal. */
    void sessionEnded() {
        settling.sessionEnded();
    }

    // ---- what the loop asks for

    void submit(Transaction transaction) {
        settling.submitted(transaction.id());
        CompletableFuture<Outcome> unused = transactions.submit(transaction).whenComplete(this::answered);
    }

    private void answered(@Nullable Outcome outcome, @Nullable Throwable failure) {
        if (outcome != null) {
            settling.answered(outcome);
            claims.count(outcome);
            listener.answered(this, outcome);
            tellIfSettled();
        } else if (failure != null) {
            listener.refused(this, failure);
        }
    }

    private void backlogTold(long waiting) {
        if (waiting != backlog) {
            backlog = waiting;
            listener.backlogTold(this, waiting);
        }
    }

    void decline(OfferId offer, long refuseMillis) {
        offerCalls.decline(offer.toString(), refuseMillis);
    }

    void wantOffers(boolean wanted) {
        offerCalls.wantOffers(scheduler, wanted);
    }

    /** A revert that does not arrive is asked for again by a later plan. */
    void revert(Revert revert) {
        revertRequest(revert, view()).ifPresent(request -> send(revert, request));
    }

    /** Nothing if somebody has updated the job since the plan: that update counts, and is not what has failed. */
    static Optional<RevertJobRequest> revertRequest(Revert revert, CellView view) {
        return view.job(revert.job().id())
                .filter(job -> job.generation() == revert.from())
                .map(job -> RevertJobRequest.newBuilder()
                        .setName(job.name())
                        .setGeneration(revert.to())
                        .setCheckVersion(job.updatedVersion())
                        .build());
    }

    private void send(Revert revert, RevertJobRequest request) {
        LOG.info(
                "scheduler={} job={} generation={}: reverting to generation {}",
                scheduler,
                request.getName(),
                revert.from(),
                revert.to());
        CompletableFuture<JobSubmitted> unused = connection.revertJob(request).whenComplete((answer, failure) -> {
            if (failure != null) {
                LOG.warn("scheduler={} job={}: the revert was refused", scheduler, request.getName(), failure);
            }
        });
    }

    // ---- the end

    /** Closes the session, so that others may plan its jobs at once. Completes when the cell has answered. */
    CompletableFuture<Void> leaveCell() {
        return keeper.leave();
    }

    void close() {
        reporter.close();
        transactions.close();
        replica.close();
    }

    /** After the owner's thread has ended. */
    void disconnect() {
        connection.close();
    }
}
