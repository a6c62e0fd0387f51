package dev.cella.scheduling.conformance;

import dev.cella.scheduling.Plan;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * A scheduler at work on a {@link SampleCell}, by the loop that drives it live, one step after another: a plan is committed
 * before anything else happens, unless the {@link Witness} sees to it. Every plan and every outcome is told to that.
 */
final class DrivenScheduler<M> {
    /** Who looks on, and may do something of its own to the cell before a transaction is decided. */
    interface Witness {
        default void planned(CellView view, Plan<?> plan) {}

        default void submitted(Transaction transaction) {}

        default void decided(Transaction transaction, Outcome outcome) {}
    }

    /** More than any check gives it reason for. */
    private static final int STEPS_MAX = 20_000;

    private final SampleCell cell;
    private final Scheduler<M> scheduler;
    private final CellReplica replica = new CellReplica();
    private final SchedulerLoop<M> loop;
    private final Queue<Action<M>> actions = new ArrayDeque<>();
    private final List<byte[]> fed = new ArrayList<>();
    private final long seed;
    private Witness witness = new Witness() {};
    private Optional<CellTime> timer = Optional.empty();
    private String lastView = "";
    private String lastPlan = "none yet";
    private int steps;

    DrivenScheduler(SampleCell cell, Scheduler<M> scheduler, String name, long seed) {
        this.cell = cell;
        this.scheduler = scheduler;
        this.seed = seed;
        LoopOptions options = LoopOptions.of(name, cell.openSession(name, "one"), seed);
        replica.load(cell.follow(fed::add));
        this.loop = new SchedulerLoop<>(options, scheduler, replica.view(), cell.time());
        this.lastView = CellText.of(replica.view());
        on(new Event.ViewReplaced<>(replica.view()));
    }

    void watchedBy(Witness looksOn) {
        witness = looksOn;
    }

    /** Runs until nothing is left to do before something happens to the cell. */
    void run() {
        catchUp();
        while (!actions.isEmpty() || timer.isPresent()) {
            if (steps++ == STEPS_MAX) {
                throw failed("it goes on and on, though nothing happens to the cell");
            }
            if (actions.isEmpty()) {
                ring();
            } else {
                perform(actions.remove());
            }
        }
    }

    private void ring() {
        cell.passUntil(timer.orElseThrow());
        timer = Optional.empty();
        on(new Event.TimerFired<>());
    }

    private void perform(Action<M> action) {
        if (action instanceof Action.PlanNow<M> plan) {
            plan(plan);
        } else if (action instanceof Action.Submit<M> submit) {
            commit(submit.proposal().transaction());
        } else if (action instanceof Action.SetTimer<M> set) {
            timer = Optional.of(set.at());
        } else if (action instanceof Action.Stop<M> stop) {
            throw failed("it was told to stop: " + stop.why());
        }
    }

    private void plan(Action.PlanNow<M> asked) {
        lastView = CellText.of(replica.view());
        Event<M> made = asked.run(scheduler);
        if (made instanceof Event.PlannerFailed<M> threw) {
            throw failed("it throws " + threw.failure());
        }
        if (made instanceof Event.Planned<M> planned) {
            lastPlan = PlanText.of(planned.plan(), replica.view());
            witness.planned(replica.view(), planned.plan());
        }
        on(made);
    }

    private void commit(Transaction transaction) {
        witness.submitted(transaction);
        Outcome outcome = cell.commit(transaction);
        witness.decided(transaction, outcome);
        catchUp();
        on(new Event.Answered<>(outcome));
    }

    private void catchUp() {
        if (!fed.isEmpty()) {
            fed.forEach(changes -> replica.applyChanges(changes, loop.touchedRows()));
            fed.clear();
            on(new Event.ViewAdvanced<>());
        }
    }

    private void on(Event<M> event) {
        actions.addAll(loop.on(event, cell.time()));
    }

    /** Only the first plan, which is not committed. */
    SamplePlan firstPlan() {
        while (!actions.isEmpty()) {
            if (actions.remove() instanceof Action.PlanNow<M> asked) {
                Plan<M> plan = scheduler.plan(asked.cells(), asked.work(), asked.context());
                return new SamplePlan(replica.view(), plan);
            }
        }
        throw failed("there was nothing to plan");
    }

    /** What to throw when a check fails here: with everything that it takes to see it again. */
    AssertionError failed(String what) {
        return new AssertionError(what + "\n  seed  " + seed + "\n  view  "
                + lastView.indent(8).strip() + "\n  plan  " + lastPlan.indent(8).strip());
    }
}
