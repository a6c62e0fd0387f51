package dev.cella.scheduling.live;

import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerReportAnswer;
import dev.cella.scheduling.Measure;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Observed;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.DetachedPlan;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.LoopSeat;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.scheduling.placement.Musts;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.waits.WaitMatrix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One instance of a scheduler at work on a running cell, or on several: in each cell a {@link LiveSeat} has its private
 * replica and its session, one {@link SchedulerLoop} decides the actions, and one stream per cell carries the transactions.
 *
 * <h2>Sessions and loops</h2>
 *
 * <p>A loop's transactions carry the session's number in their cell. If a session expires, because nobody could renew it in
 * time, the instance opens another one, and another loop begins with the memory of the old one. It begins once the views show
 * all results of what was in flight: nothing is forgotten or planned twice. If another instance has taken a session over, this
 * one ends and says so.
 *
 * <p>A cell that cannot be reached does not stop the work on the others. A loop waits one lease for all cells. Then it begins
 * without the cells that are not ready, which are empty to it, and another loop begins when one of them is.
 *
 * <h2>Lost answers</h2>
 *
 * <p>The stream sends a transaction whose answer is lost again with its id, until the cell answers. Meanwhile its tasks are in
 * flight and are not planned again.
 *
 * <h2>Plans</h2>
 *
 * <p>Everything happens on one thread, the owner: the views advance there, and outcomes arrive there. Short plans run on
 * another thread, for which the owner waits for a limited time: {@link PlannerThread}. {@linkplain
 * dev.cella.scheduling.LongPlans Long plans} run on copies, and the owner does not wait: {@link LongPlanThreads}.
 */
public final class LiveScheduler<M> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveScheduler.class);
    private static final long LEAVE_SECONDS_MAX = 2;
    private static final int STUCK_PLANNERS_MAX = 3;

    private final LiveSchedulerOptions options;
    private final Scheduler<M> scheduler;
    private final ScheduledThreadPoolExecutor owner;
    private final List<LiveSeat> seats = new ArrayList<>();
    private final PlannerThread planner;
    private final Optional<LongPlanThreads> longPlans;
    private final LongSupplier nanoTime = System::nanoTime;
    private final CellClock clock = new CellClock(nanoTime);
    private final Map<LiveSeat, Long> heardNanos = new HashMap<>();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Map<Long, CompletableFuture<?>> unanswered = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private @Nullable SchedulerLoop<M> loop;
    private M memory;
    private long turnsBegun;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable ScheduledFuture<?> patience;
    private boolean over;

    private LiveScheduler(LiveSchedulerOptions options, Scheduler<M> scheduler) {
        this.options = options;
        this.scheduler = scheduler;
        this.memory = scheduler.start();
        this.owner = oneThread("scheduler-" + options.name() + "-" + options.instance());
        this.planner = new PlannerThread(
                "planner-" + options.name() + "-" + options.instance(), options.planTimeMax(), STUCK_PLANNERS_MAX);
        this.longPlans = scheduler
                .longPlans()
                .map(limits -> new LongPlanThreads(
                        "planner-" + options.name() + "-" + options.instance(), limits, STUCK_PLANNERS_MAX, owner));
        SplittableRandom random = new SplittableRandom(options.seed());
        for (int place = 0; place < options.cells().size(); place++) {
            seats.add(new LiveSeat(place, options, owner, random.split(), new Cells()));
        }
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

    /** Begins to follow the cells, which need not be up yet. Plans as soon as it has a session and a view. */
    public static <M> LiveScheduler<M> start(LiveSchedulerOptions options, Scheduler<M> scheduler) {
        LiveScheduler<M> live = new LiveScheduler<>(options, scheduler);
        live.seats.forEach(LiveSeat::start);
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

    private Optional<SchedulerReport> report(LiveSeat seat) {
        SchedulerLoop<M> current = loop;
        return current == null || !seat.isTaken()
                ? Optional.empty()
                : seat.session()
                        .map(session -> LoopReport.of(
                                options,
                                session,
                                current.status(seat.place),
                                seat.view().dimensions(),
                                clock.now()))
                        .map(report -> asking(seat, report))
                        .map(report -> withCells(current, report));
    }

    private SchedulerReport asking(LiveSeat seat, SchedulerReport report) {
        return scheduler.observesWaits()
                ? report.toBuilder().setWaitsWithin(seat.waits.ask(clock.now())).build()
                : report;
    }

    private SchedulerReport withCells(SchedulerLoop<M> current, SchedulerReport report) {
        if (seats.size() == 1) {
            return report;
        }
        SchedulerReport.Builder several = report.toBuilder();
        for (LiveSeat seat : seats) {
            several.addCells(SeatReport.of(seat, heardAgo(seat), scheduler.repartitions(seat.place, current.memory())));
        }
        return several.build();
    }

    private Optional<Duration> heardAgo(LiveSeat seat) {
        return Optional.ofNullable(heardNanos.get(seat)).map(at -> Duration.ofNanos(nanoTime.getAsLong() - at));
    }

    /**
     * Evaluates a short function on its private replica of the first cell, on the thread that owns it. The result must not
     * refer to the view. Fails if the scheduler is closed first.
     */
    public <T> CompletableFuture<T> read(Function<? super CellView, ? extends T> question) {
        return ask(() -> question.apply(seats.get(0).view()));
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

    /** What the cells relay to their schedulers. */
    private final class RelayedFacts implements Observations {
        @Override
        public Optional<Observed> find(int cell, Measure measure, String subject) {
            return Optional.empty();
        }

        @Override
        public Optional<WaitMatrix> waits(int cell, String machine) {
            return seats.get(cell).waits.find(machine);
        }
    }

    // ---- the cells

    /** Passes the events of each cell to the loop, if the loop works on that cell. */
    private final class Cells implements LiveSeat.Listener {
        @Override
        public void replaced(LiveSeat seat) {
            see(seat);
            oneCell(seat)
                    .ifPresent(fault -> end(
                            "scheduler " + options.name() + " instance " + options.instance() + " stops: " + fault));
            if (seat.isTaken()) {
                on(new Event.ViewReplaced<>(seat.place, seat.view()));
            }
        }

        @Override
        public TouchedRows touchedRows(LiveSeat seat) {
            return loop == null ? TouchedRows.UNHEARD : loop.touchedRows(seat.place);
        }

        @Override
        public void advanced(LiveSeat seat) {
            see(seat);
            if (seat.isTaken()) {
                on(new Event.ViewAdvanced<>(seat.place));
            }
        }

        @Override
        public void heard(LiveSeat seat) {
            heardNanos.put(seat, nanoTime.getAsLong());
        }

        @Override
        public void sessionOpened(LiveSeat seat) {
            endLoop();
        }

        @Override
        public void settled(LiveSeat seat) {
            guard(LiveScheduler.this::settled);
        }

        @Override
        public void fenced(LiveSeat seat, String why) {
            end("scheduler " + options.name() + " instance " + options.instance() + " stops: "
                    + oneCell(seat).orElse("another one of that name has taken over (" + why + ")"));
        }

        /** The fault that another seat is in the same cell. Their sessions would take each other over. */
        private Optional<String> oneCell(LiveSeat seat) {
            return seats.stream()
                    .filter(other -> other != seat
                            && seat.view().isFounded()
                            && seat.view().incarnation().equals(other.view().incarnation()))
                    .findFirst()
                    .map(other -> "the cells at " + seat.cell + " and at " + other.cell
                            + " are one cell; list each cell once");
        }

        @Override
        public void answered(LiveSeat seat, Outcome outcome) {
            if (seat.isTaken()) {
                on(new Event.Answered<>(seat.place, outcome));
            }
        }

        @Override
        public void refused(LiveSeat seat, Throwable failure) {
            if (!closed.get()) {
                end("scheduler " + options.name() + " stops: the cell at " + seat.cell + " takes no transactions ("
                        + failure.getMessage() + ")");
            }
        }

        @Override
        public void backlogTold(LiveSeat seat, long transactions) {
            if (seat.isTaken()) {
                on(new Event.BacklogTold<>(seat.place, transactions));
            }
        }

        @Override
        public Optional<SchedulerReport> report(LiveSeat seat) {
            return LiveScheduler.this.report(seat);
        }

        @Override
        public void reported(LiveSeat seat, SchedulerReportAnswer answer) {
            seat.waits.heard(answer.getWaitsList(), clock.now());
        }

        /** The loop has one clock: the first cell's. */
        private void see(LiveSeat seat) {
            if (seat.place == 0) {
                clock.see(seat.view().time());
            }
        }
    }

    /** One more cell is ready for a loop. */
    private void settled() {
        if (over) {
            return;
        }
        if (seats.stream().allMatch(seat -> seat.isTaken() || seat.isSettled())) {
            beginWithThoseThatAreReady();
        } else if (patience == null) {
            patience = owner.schedule(
                    () -> guard(this::beginWithThoseThatAreReady),
                    options.lease().toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Begins a loop. If one is at work, it ends first, and its cells may need a moment to settle: then the last of them begins
     * the next loop.
     */
    private void beginWithThoseThatAreReady() {
        if (loop != null) {
            endLoop();
            settled();
        } else if (!over && seats.stream().anyMatch(LiveSeat::isSettled)) {
            begin();
        }
    }

    private void begin() {
        cancelPatience();
        List<LoopSeat> taken = seats.stream().map(LiveSeat::take).toList();
        LoopOptions loopOptions = LoopOptions.of(options.name(), taken.get(0).session(), options.seed())
                .withTransactionsInFlightMax(options.transactionsInFlightMax())
                .within(options.within());
        SchedulerLoop<M> next =
                new SchedulerLoop<>(loopOptions, scheduler, taken, new RelayedFacts(), memory, clock.now());
        next.continueAfter(turnsBegun);
        loop = next;
        for (LiveSeat seat : seats) {
            LOG.info(
                    "scheduler={} cell={} session={} version={}: {}",
                    options.name(),
                    seat.cell,
                    seat.session().map(SessionId::toString).orElse("none"),
                    seat.view().version(),
                    seat.isTaken() ? "planning" : "not ready, planning without it");
            warnOfEmptyPartition(seat);
        }
        seats.forEach(seat -> on(new Event.ViewReplaced<>(seat.place, seat.takenView())));
    }

    /** Warns of an empty partition, because a mistyped one never places anything. Its jobs say so too. */
    private void warnOfEmptyPartition(LiveSeat seat) {
        Musts part = new Musts(options.within());
        CellView view = seat.view();
        boolean isEmpty = IntStream.range(0, view.machineSlots())
                .noneMatch(slot ->
                        view.machineExists(slot) && part.firstUnmet(view, slot).isEmpty());
        if (seat.isTaken() && isEmpty && !options.within().isEmpty()) {
            LOG.warn(
                    "scheduler={} within={}: no machine of the cell is in this part, and nothing is placed until one is",
                    options.name(),
                    options.within());
        }
    }

    /** Keeps the scheduler's memory and the number of its turns for the next loop. */
    private void endLoop() {
        SchedulerLoop<M> ended = loop;
        if (ended != null) {
            memory = ended.memory();
            turnsBegun = ended.turnsBegun();
        }
        loop = null;
        seats.forEach(LiveSeat::leave);
        longPlans.ifPresent(LongPlanThreads::close);
        cancelTimer();
        cancelPatience();
    }

    private void cancelPatience() {
        if (patience != null) {
            patience.cancel(false);
            patience = null;
        }
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
            LOG.error("scheduler={} sessions={}: the loop failed", options.name(), sessions(), defect);
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
            seats.get(action.proposal().cell()).submit(action.proposal().transaction());
        }

        @Override
        public void setTimer(Action.SetTimer<M> action) {
            LiveScheduler.this.setTimer(action.at());
        }

        @Override
        public void decline(Action.Decline<M> action) {
            seats.get(action.cell()).decline(action.offer(), action.refuseMillis());
        }

        @Override
        public void wantOffers(Action.WantOffers<M> action) {
            seats.get(action.cell()).wantOffers(action.wanted());
        }

        @Override
        public void revert(Action.RevertJob<M> action) {
            seats.get(action.revert().job().cell()).revert(action.revert());
        }

        @Override
        public void stop(Action.Stop<M> action) {
            LOG.warn("scheduler={} sessions={}: {}; asking for the session", options.name(), sessions(), action.why());
            endLoop();
            seats.get(action.cell()).sessionEnded();
        }
    }

    private String sessions() {
        return seats.stream()
                .map(seat -> seat.session().map(SessionId::toString).orElse("none"))
                .collect(Collectors.joining(","));
    }

    private void plan(SchedulerLoop<M> of, Action.PlanNow<M> plan) {
        if (longPlans.isPresent()) {
            planOnCopies(of, plan.detach(), longPlans.get());
        } else {
            deliver(of, planner.plan(plan, scheduler), plan.tasks());
        }
    }

    /** The copies share their pages with the replicas. The plan's thread makes cells of them. */
    private void planOnCopies(SchedulerLoop<M> of, DetachedPlan<M> plan, LongPlanThreads threads) {
        threads.checkStuck();
        List<Optional<CellCopy>> copies = seats.stream().map(LiveSeat::copy).toList();
        threads.begin(plan, scheduler, () -> loaded(copies), made -> deliver(of, made, plan.tasks()));
    }

    private static List<CellView> loaded(List<Optional<CellCopy>> copies) {
        List<CellView> views = new ArrayList<>(copies.size());
        for (Optional<CellCopy> copy : copies) {
            CellReplica loaded = new CellReplica();
            copy.ifPresent(pages -> loaded.load(pages.snapshotForReplicas()));
            views.add(loaded.view());
        }
        return views;
    }

    /**
     * Delivers the plan to the loop when the decision time is over; meanwhile the views advance. Without a decision time, the
     * plan is queued after what has arrived, so that many plans in a row do not stop the views.
     */
    private void deliver(SchedulerLoop<M> of, Event<M> made, int tasks) {
        long nanos = options.decisionTime().nanos(tasks);
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
                    .log(
                            "scheduler={} instance={} sessions={}: {}",
                            options.name(),
                            options.instance(),
                            sessions(),
                            why);
            ended.completeAsync(() -> why);
        }
    }

    /** Closes the sessions, so that others may plan its jobs at once. Do not call this on its own thread. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            planner.close();
            CompletableFuture.allOf(seats.stream().map(LiveSeat::leaveCell).toArray(CompletableFuture<?>[]::new))
                    .completeOnTimeout(null, LEAVE_SECONDS_MAX, TimeUnit.SECONDS)
                    .join();
            owner.execute(() -> end("closed"));
            seats.forEach(LiveSeat::close);
            owner.shutdown();
            failUnanswered();
            seats.forEach(LiveSeat::disconnect);
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
