package dev.cella.scheduling.live;

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
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Revert;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.LoopSeat;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.scheduling.placement.Musts;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One instance of a scheduler at work on a running cell: the feed maintains its private replica, {@link SchedulerLoop} decides
 * the actions, and one stream carries the transactions.
 *
 * <h2>One session, one loop</h2>
 *
 * <p>A loop's transactions carry its session's number. If the session expires, because nobody could renew it in time, the
 * instance opens another one. Another loop begins once the view shows the version that opened it. No transaction of the old
 * session can be committed after that version, so the view shows all their results: nothing in flight is forgotten or planned
 * twice. If another instance has taken the session over, this one ends and says so.
 *
 * <h2>Lost answers</h2>
 *
 * <p>{@link TransactionStream} sends a transaction whose answer is lost again with its id, until the cell answers. Meanwhile
 * its tasks are in flight and are not planned again.
 *
 * <p>Everything happens on one thread, the owner: the view advances there, and outcomes arrive there. Plans run on another
 * thread, for which the owner waits for a limited time: {@link PlannerThread}.
 */
public final class LiveScheduler<M> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveScheduler.class);
    private static final long LEAVE_SECONDS_MAX = 2;
    private static final int STUCK_PLANNERS_MAX = 3;

    private final LiveSchedulerOptions options;
    private final Scheduler<M> scheduler;
    private final ScheduledThreadPoolExecutor owner;
    private final CellConnection connection;
    private final PrivateReplica replica;
    private final TransactionStream transactions;
    private final SessionKeeper keeper;
    private final SchedulerReporter reporter;
    private final OfferCalls offerCalls;
    private final PlannerThread planner;
    private final CellClock clock = new CellClock(System::nanoTime);
    private final Placements placements = new SpecifiedPlacements();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Map<Long, CompletableFuture<?>> unanswered = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private @Nullable SessionId session;
    private @Nullable SchedulerLoop<M> loop;
    private M memory;
    private @Nullable ScheduledFuture<?> timer;
    private long backlog;
    private boolean over;

    private LiveScheduler(LiveSchedulerOptions options, Scheduler<M> scheduler) {
        this.options = options;
        this.scheduler = scheduler;
        this.memory = scheduler.start();
        this.owner = oneThread("scheduler-" + options.name() + "-" + options.instance());
        this.planner = new PlannerThread(
                "planner-" + options.name() + "-" + options.instance(), options.planTimeMax(), STUCK_PLANNERS_MAX);
        this.connection = CellConnection.open(options.cell());
        SplittableRandom random = new SplittableRandom(options.seed());
        this.replica = new PrivateReplica(connection, owner, Backoff.standard(random.split()), new View());
        this.transactions =
                new TransactionStream(connection, owner, Backoff.standard(random.split()), this::backlogTold);
        this.offerCalls = new OfferCalls(connection);
        SessionOptions kept = new SessionOptions(
                options.name(), options.instance(), options.type(), options.lease(), options.offers());
        this.reporter = new SchedulerReporter(connection, owner, this::report);
        this.keeper = new SessionKeeper(connection, owner, Backoff.standard(random.split()), kept, new Session());
    }

    private static ScheduledThreadPoolExecutor oneThread(String name) {
        ScheduledThreadPoolExecutor owner = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        owner.setRemoveOnCancelPolicy(true);
        owner.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        owner.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return owner;
    }

    /** Begins to follow the cell, which need not be up yet. Plans as soon as it has a session and a view. */
    public static <M> LiveScheduler<M> start(LiveSchedulerOptions options, Scheduler<M> scheduler) {
        LiveScheduler<M> live = new LiveScheduler<>(options, scheduler);
        live.replica.start();
        live.keeper.start();
        live.reporter.start();
        return live;
    }

    /**
     * Completes with the reason once the scheduler has ended, by itself or closed. The caller must still close it.
     */
    public CompletableFuture<String> ended() {
        return ended.copy();
    }

    /**
     * The state of its loop; empty while it has no session or no view yet. Fails if the scheduler is closed first.
     */
    public CompletableFuture<Optional<LoopStatus>> status() {
        return ask(() -> Optional.ofNullable(loop).map(SchedulerLoop::status));
    }

    private Optional<SchedulerReport> report() {
        SchedulerLoop<M> current = loop;
        SessionId of = session;
        return current == null || of == null
                ? Optional.empty()
                : Optional.of(LoopReport.of(
                        options, of, current.status(), replica.view().dimensions(), clock.now()));
    }

    /**
     * Evaluates a short function on its private replica, on the thread that owns it. The result must not refer to the view.
     * Fails if the scheduler is closed first.
     */
    public <T> CompletableFuture<T> read(Function<? super CellView, ? extends T> question) {
        return ask(() -> question.apply(replica.view()));
    }

    /** The owner drops unstarted tasks when it ends, so a remaining question fails here. */
    private <T> CompletableFuture<T> ask(Supplier<T> question) {
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(question, owner);
        long number = asked.incrementAndGet();
        unanswered.put(number, answer);
        var unused = answer.whenComplete((answered, failure) -> unanswered.remove(number));
        if (owner.isShutdown()) {
            failUnanswered();
        }
        return answer;
    }

    private void failUnanswered() {
        awaitOwner();
        unanswered
                .values()
                .forEach(answer -> answer.completeExceptionally(new CancellationException("the scheduler is closed")));
    }

    // ---- the view

    private final class View implements ReplicaListener {
        @Override
        public void replaced(CellView view) {
            clock.see(view.time());
            on(new Event.ViewReplaced<>(view));
        }

        @Override
        public TouchedRows touchedRows() {
            return loop == null ? TouchedRows.UNHEARD : loop.touchedRows();
        }

        @Override
        public void advanced(CellView view) {
            clock.see(view.time());
            on(new Event.ViewAdvanced<>());
        }
    }

    // ---- the session

    private final class Session implements SessionListener {
        @Override
        public void opened(SessionId opened) {
            endLoop();
            session = opened;
            CompletableFuture<Void> unused = replica.awaitVersion(new CellVersion(opened.version()))
                    .thenAccept(view -> guard(() -> begin(opened, view)));
        }

        @Override
        public void fenced(String why) {
            end("scheduler " + options.name() + " instance " + options.instance()
                    + " stops: another one of that name has taken over (" + why + ")");
        }
    }

    private void begin(SessionId of, CellView view) {
        if (of.equals(session) && !over) {
            LoopOptions loopOptions = LoopOptions.of(options.name(), of, options.seed())
                    .withTransactionsInFlightMax(options.transactionsInFlightMax())
                    .within(options.within());
            loop = new SchedulerLoop<>(
                    loopOptions,
                    scheduler,
                    List.of(new LoopSeat(of, view, placements)),
                    Observations.NONE,
                    memory,
                    clock.now());
            LOG.info("scheduler={} session={} version={}: planning", options.name(), of, view.version());
            warnOfEmptyPartition(view);
            backlog = 0;
            on(new Event.ViewReplaced<>(view));
        }
    }

    /** Warns of an empty partition, because a mistyped one never places anything. Its jobs say so too. */
    private void warnOfEmptyPartition(CellView view) {
        Musts part = new Musts(options.within());
        boolean isEmpty = IntStream.range(0, view.machineSlots())
                .noneMatch(slot ->
                        view.machineExists(slot) && part.firstUnmet(view, slot).isEmpty());
        if (isEmpty && !options.within().isEmpty()) {
            LOG.warn(
                    "scheduler={} within={}: no machine of the cell is in this part, and nothing is placed until one is",
                    options.name(),
                    options.within());
        }
    }

    /** Passes the scheduler's memory to the loop of the next session. */
    private void endLoop() {
        SchedulerLoop<M> ended = loop;
        if (ended != null) {
            memory = ended.memory();
        }
        loop = null;
        cancelTimer();
    }

    // ---- the loop

    private void on(Event<M> event) {
        SchedulerLoop<M> current = loop;
        if (current != null) {
            guard(() -> current.on(event, clock.now()).forEach(action -> action.perform(new Driver(current))));
        }
    }

    /** A defect ends this scheduler with a message; it must not leave a scheduler that only looks alive. */
    private void guard(Runnable step) {
        try {
            step.run();
        } catch (PlannerThread.TooManyStuck stuck) {
            end("scheduler " + options.name() + " stops: " + stuck.getMessage());
        } catch (RuntimeException | Error defect) {
            LOG.error("scheduler={} session={}: the loop failed", options.name(), session, defect);
            end("scheduler " + options.name() + " stops: " + defect);
        }
    }

    /** Performs the actions of one loop. */
    private final class Driver implements Action.Driver<M> {
        private final SchedulerLoop<M> of;

        Driver(SchedulerLoop<M> of) {
            this.of = of;
        }

        @Override
        public void plan(Action.PlanNow<M> action) {
            LiveScheduler.this.plan(of, action);
        }

        @Override
        public void submit(Action.Submit<M> action) {
            CompletableFuture<Outcome> unused =
                    transactions.submit(action.proposal().transaction()).whenComplete(LiveScheduler.this::answered);
        }

        @Override
        public void setTimer(Action.SetTimer<M> action) {
            LiveScheduler.this.setTimer(action.at());
        }

        @Override
        public void decline(Action.Decline<M> action) {
            offerCalls.decline(action.offer().toString(), action.refuseMillis());
        }

        @Override
        public void wantOffers(Action.WantOffers<M> action) {
            offerCalls.wantOffers(options.name(), action.wanted());
        }

        @Override
        public void revert(Action.RevertJob<M> action) {
            LiveScheduler.this.revert(action.revert());
        }

        @Override
        public void stop(Action.Stop<M> action) {
            LOG.warn("scheduler={} session={}: {}; asking for the session", options.name(), session, action.why());
            endLoop();
        }
    }

    /**
     * Plans now, and delivers the plan to the loop when the decision time is over; meanwhile the view advances. Without a
     * decision time, the plan is queued after what has arrived, so that many plans in a row do not stop the view.
     */
    private void plan(SchedulerLoop<M> of, Action.PlanNow<M> plan) {
        Event<M> made = planner.plan(plan, scheduler);
        long nanos = options.decisionTime().nanos(plan.tasks());
        if (nanos == 0) {
            owner.execute(() -> planned(of, made));
        } else {
            ScheduledFuture<?> unused = owner.schedule(() -> planned(of, made), nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void planned(SchedulerLoop<M> of, Event<M> made) {
        if (loop == of) {
            on(made);
        }
    }

    /** A revert that does not arrive is asked for again by a later plan. */
    private void revert(Revert revert) {
        JobRow job = replica.view().job(revert.job().id()).orElseThrow();
        RevertJobRequest request = RevertJobRequest.newBuilder()
                .setName(job.name())
                .setGeneration(revert.to())
                .setCheckVersion(job.updatedVersion())
                .build();
        LOG.info(
                "scheduler={} job={} generation={}: reverting to generation {}",
                options.name(),
                job.name(),
                revert.from(),
                revert.to());
        CompletableFuture<JobSubmitted> unused = connection.revertJob(request).whenComplete((answer, failure) -> {
            if (failure != null) {
                LOG.warn("scheduler={} job={}: the revert was refused", options.name(), request.getName(), failure);
            }
        });
    }

    private void answered(@Nullable Outcome outcome, @Nullable Throwable failure) {
        if (outcome != null) {
            on(new Event.Answered<>(outcome));
        } else if (failure != null && !closed.get()) {
            end("scheduler " + options.name() + " stops: the cell takes no transactions (" + failure.getMessage()
                    + ")");
        }
    }

    private void backlogTold(long transactions) {
        if (transactions != backlog) {
            backlog = transactions;
            on(new Event.BacklogTold<>(transactions));
        }
    }

    private void setTimer(CellTime at) {
        cancelTimer();
        long delay = Math.max(0, at.millis() - clock.now().millis());
        timer = owner.schedule(() -> on(new Event.TimerFired<>()), delay, TimeUnit.MILLISECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    // ---- the end

    private void end(String why) {
        endLoop();
        if (!over) {
            over = true;
            LOG.atLevel(closed.get() ? Level.INFO : Level.WARN)
                    .log("scheduler={} instance={} session={}: {}", options.name(), options.instance(), session, why);
            ended.completeAsync(() -> why);
        }
    }

    /** Closes the session, so that others may plan its jobs at once. Do not call this on its own thread. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            planner.close();
            keeper.leave()
                    .completeOnTimeout(null, LEAVE_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
            owner.execute(() -> end("closed"));
            reporter.close();
            transactions.close();
            replica.close();
            owner.shutdown();
            failUnanswered();
            connection.close();
            ended.complete("closed");
        }
    }

    private void awaitOwner() {
        try {
            owner.awaitTermination(LEAVE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
