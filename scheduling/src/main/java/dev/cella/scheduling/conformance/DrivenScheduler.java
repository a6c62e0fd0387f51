package dev.cella.scheduling.conformance;

import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.LoopSeat;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * A scheduler at work on {@link SampleCell}s, mostly one, driven by the same loop as live, one step after another. A plan is
 * committed before anything else happens, unless the {@link Witness} intervenes. The witness sees every plan and every
 * outcome.
 */
final class DrivenScheduler<M> implements Action.Driver<M> {
    /** An observer, which may change the cell before a transaction is decided. */
    interface Witness {
        default void planned(CellView view, Plan<?> plan) {}

        default void submitted(Transaction transaction) {}

        default void decided(Transaction transaction, Outcome outcome) {}
    }

    /** More steps than any check needs. */
    private static final int STEPS_MAX = 20_000;

    private static final int ROUNDS = 10;

    /** One of the cells, and the scheduler's private copy of it. */
    private static final class Seat {
        final SampleCell cell;
        final CellReplica replica = new CellReplica();
        final List<byte[]> fed = new ArrayList<>();

        Seat(SampleCell cell) {
            this.cell = cell;
        }
    }

    private final List<Seat> seats = new ArrayList<>();
    private final Scheduler<M> scheduler;
    private final SchedulerLoop<M> loop;
    private final Queue<Action<M>> actions = new ArrayDeque<>();
    private final long seed;
    private Witness witness = new Witness() {};
    private Optional<CellTime> timer = Optional.empty();
    private String lastView = "";
    private String lastPlan = "none yet";
    private int steps;

    DrivenScheduler(SampleCell cell, Scheduler<M> scheduler, String name, long seed) {
        this(List.of(cell), scheduler, name, seed, List.of());
    }

    /**
     * A scheduler at work on the machines that meet the constraints.
     */
    DrivenScheduler(List<SampleCell> cells, Scheduler<M> scheduler, String name, long seed, List<Constraint> within) {
        this.scheduler = scheduler;
        this.seed = seed;
        List<LoopSeat> loopSeats = new ArrayList<>();
        for (SampleCell cell : cells) {
            Seat seat = new Seat(cell);
            SessionId session = cell.openSession(name, "one");
            seat.replica.load(cell.follow(seat.fed::add));
            seats.add(seat);
            loopSeats.add(new LoopSeat(session, seat.replica.view(), cell.placements()));
        }
        LoopOptions options =
                LoopOptions.of(name, loopSeats.get(0).session(), seed).within(within);
        this.loop = new SchedulerLoop<>(options, scheduler, loopSeats, Observations.NONE, scheduler.start(), time());
        this.lastView = CellText.of(seats.get(0).replica.view());
        for (int place = 0; place < seats.size(); place++) {
            on(new Event.ViewReplaced<>(place, seats.get(place).replica.view()));
        }
    }

    void watchedBy(Witness looksOn) {
        witness = looksOn;
    }

    /** The cells share one clock. */
    private CellTime time() {
        return seats.stream()
                .map(seat -> seat.cell.time())
                .max(CellTime::compareTo)
                .orElseThrow();
    }

    /** Runs until only an outside event could cause more steps; a scheduler with rounds gets some of them. */
    void run() {
        runUntil(scheduler
                .rounds()
                .map(rounds -> time().plusMillis(ROUNDS * rounds.every().toMillis()))
                .orElse(new CellTime(Long.MAX_VALUE)));
    }

    /** The same, but no further than that time. */
    void runUntil(CellTime end) {
        catchUp();
        for (Optional<CellTime> next = next(); !actions.isEmpty() || isBy(next, end); next = next()) {
            if (steps++ == STEPS_MAX) {
                throw failed("it goes on and on, though nothing happens to the cell");
            }
            if (!actions.isEmpty()) {
                actions.remove().perform(this);
            } else {
                passUntil(next.orElseThrow());
            }
        }
    }

    private static boolean isBy(Optional<CellTime> time, CellTime end) {
        return time.isPresent() && time.get().compareTo(end) <= 0;
    }

    /** When something happens next without an outside event. */
    private Optional<CellTime> next() {
        return Stream.concat(timer.stream(), seats.stream().flatMap(seat -> seat.cell.nextStep().stream()))
                .min(CellTime::compareTo);
    }

    private void passUntil(CellTime next) {
        seats.forEach(seat -> seat.cell.passUntil(next));
        catchUp();
        if (isBy(timer, next)) {
            timer = Optional.empty();
            on(new Event.TimerFired<>());
        }
    }

    @Override
    public void submit(Action.Submit<M> action) {
        commit(action.proposal().cell(), action.proposal().transaction());
    }

    @Override
    public void setTimer(Action.SetTimer<M> action) {
        timer = Optional.of(action.at());
    }

    @Override
    public void decline(Action.Decline<M> action) {
        throw failed("it gives an offer back, and none was made to it");
    }

    @Override
    public void wantOffers(Action.WantOffers<M> action) {
        throw failed("it speaks of offers, and takes no part in them");
    }

    @Override
    public void revert(Action.RevertJob<M> action) {
        JobKey job = action.revert().job();
        seats.get(job.cell())
                .cell
                .revert(job.id(), action.revert().from(), action.revert().to());
        catchUp();
    }

    @Override
    public void stop(Action.Stop<M> action) {
        throw failed("it was told to stop: " + action.why());
    }

    @Override
    public void plan(Action.PlanNow<M> asked) {
        lastView = CellText.of(view());
        Event<M> made = asked.run(scheduler);
        if (made instanceof Event.PlannerFailed<M> threw) {
            throw failed("it throws " + threw.failure());
        }
        if (made instanceof Event.Planned<M> planned) {
            lastPlan = PlanText.of(planned.plan(), view());
            witness.planned(view(), planned.plan());
        }
        on(made);
    }

    private CellView view() {
        return seats.get(0).replica.view();
    }

    private void commit(int place, Transaction transaction) {
        witness.submitted(transaction);
        Outcome outcome = seats.get(place).cell.commit(transaction);
        witness.decided(transaction, outcome);
        catchUp();
        on(new Event.Answered<>(place, outcome));
    }

    private void catchUp() {
        for (int place = 0; place < seats.size(); place++) {
            Seat seat = seats.get(place);
            if (!seat.fed.isEmpty()) {
                TouchedRows touched = loop.touchedRows(place);
                seat.fed.forEach(changes -> seat.replica.applyChanges(changes, touched));
                seat.fed.clear();
                on(new Event.ViewAdvanced<>(place));
            }
        }
    }

    private void on(Event<M> event) {
        actions.addAll(loop.on(event, time()));
    }

    long repartitions(int cell) {
        return scheduler.repartitions(cell, loop.memory());
    }

    LoopStatus status() {
        return loop.status();
    }

    /** Runs until the first plan, which is not committed. */
    SamplePlan firstPlan() {
        while (!actions.isEmpty()) {
            if (actions.remove() instanceof Action.PlanNow<M> asked) {
                Plan<M> plan = Planning.plan(scheduler, asked.cells(), asked.work(), asked.context());
                return new SamplePlan(view(), plan);
            }
        }
        throw failed("there was nothing to plan");
    }

    /** The error for a failed check here, with everything needed to reproduce it. */
    AssertionError failed(String what) {
        return new AssertionError(what + "\n  seed  " + seed + "\n  view  "
                + lastView.indent(8).strip() + "\n  plan  " + lastPlan.indent(8).strip());
    }
}
