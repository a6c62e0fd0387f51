package dev.cella.chaos.simulated;

import dev.cella.chaos.history.History;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.host.Explanations;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopCounters;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.LoopSeat;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.scheduling.placement.Placements;
import dev.cella.state.core.Lane;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a scheduler: the production loop on a private replica, with a session that it renews. It can be killed
 * at each step between plan and answer, and is started again by its supervisor with a new session.
 */
final class SimulatedScheduler<M> implements FollowedFeed.Owner {
    private static final long LEASE_MILLIS = 5_000;
    private static final long RESTART_NANOS = 1_000 * DueEvents.MILLI;
    private static final int LIVES_TO_ONE_THAT_EXPLAINS = 4;

    /** Where a planner's process can die. */
    enum DeathPoint {
        NEVER,
        BEFORE_SUBMIT,
        BEFORE_ANSWER
    }

    /** A replica's answer to the renewal of a session. */
    private record Renewal(boolean leads, OptionalLong leaseMillis) {}

    private final SimulatedCell cell;
    private final SimulatedProcess process;
    private final String name;
    private final String instance;
    private final String type;
    private final Scheduler<M> scheduler;
    private final long decisionNanos;
    private final long seed;
    private CellCalls calls;
    private FollowedFeed feed;
    private @Nullable SchedulerLoop<M> loop;
    private Optional<SessionId> session = Optional.empty();
    private long timerAt;
    private int lives;
    private DeathPoint deathPoint = DeathPoint.NEVER;
    private long deaths;
    private UnaryOperator<Transaction> spoil = UnaryOperator.identity();
    private long spoiled;
    private final BadObservations observations;
    private boolean zombie;
    private long renewedAtNanos;
    private long overdue;
    private boolean down = true;

    SimulatedScheduler(
            SimulatedCell cell,
            SimulatedProcess process,
            String name,
            String instance,
            String type,
            Scheduler<M> scheduler,
            long decisionNanos,
            long seed) {
        this.cell = cell;
        this.process = process;
        this.name = name;
        this.instance = instance;
        this.type = type;
        this.scheduler = scheduler;
        this.decisionNanos = decisionNanos;
        this.seed = seed;
        this.calls = new CellCalls(cell, process);
        this.feed = new FollowedFeed(cell, process, 0, this);
        this.observations = new BadObservations(process::nowMillis);
    }

    String name() {
        return name;
    }

    SimulatedProcess process() {
        return process;
    }

    FollowedFeed feed() {
        return feed;
    }

    // ---- life

    /** Does nothing if it runs. */
    void start() {
        if (!down) {
            return;
        }
        process.start();
        down = false;
        lives++;
        calls = new CellCalls(cell, process);
        feed = new FollowedFeed(cell, process, lives, this);
        feed.open();
        openSession();
    }

    void kill() {
        recordFigures();
        feed.close();
        process.kill();
        loop = null;
        session = Optional.empty();
        timerAt = 0;
        down = true;
    }

    void restartLater() {
        process.afterDeath(RESTART_NANOS, this::start);
    }

    private void die() {
        deaths++;
        deathPoint = DeathPoint.NEVER;
        kill();
        restartLater();
    }

    /** Adds the counts of its loop to the history. */
    void recordFigures() {
        if (loop != null) {
            LoopStatus status = loop.status();
            LoopCounters counted = status.counters();
            cell.history()
                    .schedulers
                    .add(new History.SchedulerFigures(
                            name,
                            process.name(),
                            counted.plans(),
                            counted.plansFailed(),
                            counted.plansRepeated(),
                            counted.transactionsAttempted(),
                            status.lastPlannerFailure()));
        }
    }

    // ---- faults

    void dieAt(DeathPoint point) {
        deathPoint = point;
    }

    /** Changes its transactions before they are sent: a planner with a bug. */
    void spoil(UnaryOperator<Transaction> bug) {
        spoil = bug;
    }

    /** It does not renew its session and does not notice that it lost it. */
    void becomeZombie(boolean isZombie) {
        zombie = isZombie;
        if (!zombie) {
            session.ifPresent(this::renewNow);
        }
    }

    long deaths() {
        return deaths;
    }

    /** How often its session's lease was over when it was to renew it, or noticed its end. */
    long overdue() {
        return overdue;
    }

    long spoiled() {
        return spoiled;
    }

    BadObservations observations() {
        return observations;
    }

    // ---- the session

    private void openSession() {
        calls.untilAnswered(
                Lane.REPORTS, new Command.OpenSession(name, instance, type, LEASE_MILLIS, Optional.empty()), result -> {
                    if (result instanceof CommandResult.Done done) {
                        session = Optional.of(new SessionId(done.identity()));
                        renewedAtNanos = process.nowNanos();
                        beginIfReady();
                        renewLater(done.identity());
                    } else {
                        process.after(RESTART_NANOS, this::openSession);
                    }
                });
    }

    private void renewLater(long of) {
        process.after(LEASE_MILLIS * DueEvents.MILLI / 3, () -> {
            if (session.map(SessionId::version).equals(Optional.of(of))) {
                if (zombie) {
                    noteOverdue();
                } else {
                    renewNow(new SessionId(of));
                }
                renewLater(of);
            }
        });
    }

    private void noteOverdue() {
        overdue += process.nowNanos() - renewedAtNanos > LEASE_MILLIS * DueEvents.MILLI ? 1 : 0;
    }

    private void renewNow(SessionId of) {
        noteOverdue();
        renewedAtNanos = process.nowNanos();
        SimulatedReplica to = calls.preferred();
        calls.ask(
                to,
                replica -> CompletableFuture.completedFuture(new Renewal(
                        replica.leads(),
                        replica.leases().renewSession(of).map(Duration::toMillis).stream()
                                .mapToLong(Long::longValue)
                                .findFirst())),
                (renewal, failure) -> {
                    if (renewal == null || !renewal.leads()) {
                        calls.avoid(to);
                    } else if (renewal.leaseMillis().isEmpty() && session.equals(Optional.of(of))) {
                        beginAgain();
                    }
                });
    }

    /** Another session and another loop: the feed has what the old one had in flight. */
    private void beginAgain() {
        recordFigures();
        loop = null;
        session = Optional.empty();
        openSession();
    }

    private void beginIfReady() {
        if (session.isEmpty() || !feed.view().isFounded() || loop != null) {
            return;
        }
        LoopOptions options = LoopOptions.of(name, session.get(), seed + lives).with(explanations());
        LoopSeat seat = new LoopSeat(session.get(), feed.view(), Placements.ANYWHERE);
        loop = new SchedulerLoop<>(options, scheduler, List.of(seat), observations, scheduler.start(), now());
        on(new Event.ViewReplaced<>(feed.view()));
    }

    /** Nobody here reads why a task waits, so only one life in four takes the time to find out. */
    private Explanations explanations() {
        return Math.floorMod(seed + lives, LIVES_TO_ONE_THAT_EXPLAINS) == 0
                ? Explanations.WITH_MACHINES
                : Explanations.WITHOUT_MACHINES;
    }

    // ---- the view

    @Override
    public TouchedRows touchedRows() {
        SchedulerLoop<M> driven = loop;
        return driven == null ? IgnoredRows.INSTANCE : driven.touchedRows();
    }

    /** A replica on an empty disk may give an empty snapshot first; then the changes after it found the cell. */
    @Override
    public void advanced(CellView view) {
        if (loop == null) {
            beginIfReady();
        } else {
            on(new Event.ViewAdvanced<>());
        }
    }

    @Override
    public void replaced(CellView view) {
        if (loop == null) {
            beginIfReady();
        } else {
            on(new Event.ViewReplaced<>(view));
        }
    }

    private CellTime now() {
        return new CellTime(process.nowMillis());
    }

    // ---- the loop

    private void on(Event<M> event) {
        SchedulerLoop<M> driven = loop;
        if (driven != null) {
            driven.on(event, now()).forEach(action -> perform(driven, action));
        }
    }

    private void perform(SchedulerLoop<M> by, Action<M> action) {
        if (by == loop) {
            action.perform(new Driver(by));
        }
    }

    /** Performs the actions of one loop. */
    private final class Driver implements Action.Driver<M> {
        private final SchedulerLoop<M> by;

        Driver(SchedulerLoop<M> by) {
            this.by = by;
        }

        @Override
        public void plan(Action.PlanNow<M> action) {
            Event<M> planned = action.run(scheduler);
            process.after(decisionNanos, () -> onIfSame(by, planned));
        }

        @Override
        public void submit(Action.Submit<M> action) {
            SimulatedScheduler.this.submit(by, action.proposal().transaction());
        }

        @Override
        public void setTimer(Action.SetTimer<M> action) {
            SimulatedScheduler.this.setTimer(by, action.at().millis());
        }

        @Override
        public void stop(Action.Stop<M> action) {
            stopped();
        }

        @Override
        public void decline(Action.Decline<M> action) {
            send(new Command.EndOffer(action.offer(), action.refuseMillis()));
        }

        @Override
        public void wantOffers(Action.WantOffers<M> action) {
            send(new Command.WantOffers(name, action.wanted()));
        }

        /** Nobody updates jobs here, so there is no earlier generation. */
        @Override
        public void revert(Action.RevertJob<M> action) {
            throw new IllegalStateException(name + " reverts a job that nobody has updated: " + action.revert());
        }

        /** As live: what does not arrive is lost. */
        private void send(Command command) {
            calls.once(Lane.REPORTS, command, (result, failure) -> {});
        }
    }

    private void onIfSame(SchedulerLoop<M> by, Event<M> event) {
        if (by == loop) {
            on(event);
        }
    }

    /** Another instance has taken the session over, or the cell has closed it. */
    private void stopped() {
        noteOverdue();
        recordFigures();
        loop = null;
        session = Optional.empty();
        process.after(RESTART_NANOS, this::openSession);
    }

    private void setTimer(SchedulerLoop<M> by, long at) {
        timerAt = at;
        process.after(at * DueEvents.MILLI - process.nowNanos(), () -> {
            if (timerAt == at) {
                onIfSame(by, new Event.TimerFired<>());
            }
        });
    }

    private void submit(SchedulerLoop<M> by, Transaction planned) {
        if (deathPoint == DeathPoint.BEFORE_SUBMIT) {
            process.soon(this::die);
            return;
        }
        Transaction sent = spoil.apply(planned);
        spoiled += sent.equals(planned) ? 0 : 1;
        commit(by, sent);
        if (deathPoint == DeathPoint.BEFORE_ANSWER) {
            process.after(DueEvents.MILLI, this::die);
        }
    }

    private void commit(SchedulerLoop<M> by, Transaction transaction) {
        calls.untilAnswered(Lane.TRANSACTIONS, new Command.CommitTransaction(transaction), result -> {
            if (result instanceof CommandResult.Decided decided) {
                answered(by, decided.outcome());
            }
        });
    }

    private void answered(SchedulerLoop<M> by, Outcome outcome) {
        cell.decided(name, outcome);
        onIfSame(by, new Event.Answered<>(outcome));
    }
}
