package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A loop with a replica of its own, behind a network: what it submits, what it is fed and what it is answered takes its
 * time, though each in order. Now and then an answer is lost, and the transaction is sent again.
 */
final class WorldScheduler<M> implements Action.Driver<M> {
    private static final long NETWORK_MILLIS = 3;
    private static final int ANSWERS_TO_ONE_LOST = 10;

    private final SimulatedWorld world;
    private final String name;
    private final SessionId session;
    private final Scheduler<M> scheduler;
    private final CellReplica replica = new CellReplica();
    private final LoopOptions options;
    private final long decisionMillis;
    private final Set<TaskId> unanswered = new HashSet<>();
    private SchedulerLoop<M> loop;
    private long submitAt;
    private long feedAt;
    private long answerAt;
    private long timerAt;
    private boolean dead;

    WorldScheduler(
            SimulatedWorld world,
            String name,
            Scheduler<M> scheduler,
            SessionId session,
            long seed,
            long decisionMillis,
            int transactionsInFlightMax,
            List<Constraint> within) {
        this.world = world;
        this.name = name;
        this.session = session;
        this.scheduler = scheduler;
        this.decisionMillis = decisionMillis;
        this.options = LoopOptions.of(name, session, seed)
                .withTransactionsInFlightMax(transactionsInFlightMax)
                .within(within);
        this.loop =
                new SchedulerLoop<>(options, scheduler, world.placements(), replica.view(), new CellTime(world.now()));
    }

    String name() {
        return name;
    }

    CellView view() {
        return replica.view();
    }

    LoopStatus status() {
        return loop.status();
    }

    void start(List<byte[]> snapshot) {
        replica.load(snapshot);
        on(new Event.ViewReplaced<>(replica.view()));
    }

    void feed(byte[] changes) {
        feedAt = inOrder(feedAt);
        world.after(feedAt - world.now(), () -> {
            replica.applyChanges(changes, loop.touchedRows());
            on(new Event.ViewAdvanced<>());
        });
    }

    private long inOrder(long lastAt) {
        return Math.max(lastAt, world.now() + world.draw(NETWORK_MILLIS));
    }

    /** It does nothing more. */
    void kill() {
        dead = true;
    }

    SessionId session() {
        return session;
    }

    private void on(Event<M> event) {
        if (dead) {
            return;
        }
        loop.on(event, new CellTime(world.now())).forEach(action -> action.perform(this));
    }

    @Override
    public void plan(Action.PlanNow<M> action) {
        Event<M> planned = action.run(scheduler);
        world.after(decisionMillis, () -> on(planned));
    }

    @Override
    public void submit(Action.Submit<M> action) {
        submit(action.proposal().transaction());
    }

    @Override
    public void setTimer(Action.SetTimer<M> action) {
        setTimer(action.at().millis());
    }

    @Override
    public void decline(Action.Decline<M> action) {
        world.after(
                world.draw(NETWORK_MILLIS),
                () -> world.apply(new Command.EndOffer(action.offer(), action.refuseMillis())));
    }

    @Override
    public void wantOffers(Action.WantOffers<M> action) {
        world.after(world.draw(NETWORK_MILLIS), () -> world.apply(new Command.WantOffers(name, action.wanted())));
    }

    @Override
    public void revert(Action.RevertJob<M> action) {
        world.after(world.draw(NETWORK_MILLIS), () -> world.revert(action.revert()));
    }

    @Override
    public void stop(Action.Stop<M> action) {
        throw new AssertionError(name + " was told to stop: " + action.why());
    }

    private void setTimer(long at) {
        timerAt = at;
        world.after(Math.max(0, at - world.now()), () -> {
            if (timerAt == at) {
                on(new Event.TimerFired<>());
            }
        });
    }

    private void submit(Transaction transaction) {
        for (TaskId task : tasks(transaction)) {
            assertThat(unanswered.add(task))
                    .as("%s plans %s a second time", name, task)
                    .isTrue();
        }
        submitAt = inOrder(submitAt);
        world.after(submitAt - world.now(), () -> decide(transaction));
    }

    /** Each task once: one transaction may queue it on several machines. */
    private static Set<TaskId> tasks(Transaction transaction) {
        Set<TaskId> tasks = new LinkedHashSet<>();
        for (int claim = 0; claim < transaction.claims(); claim++) {
            tasks.add(transaction.task(claim));
        }
        return tasks;
    }

    private void decide(Transaction transaction) {
        Outcome outcome = world.commit(transaction);
        boolean answerIsLost = world.drawOneIn(ANSWERS_TO_ONE_LOST);
        Outcome answer = answerIsLost ? world.commit(transaction) : outcome;
        assertThat(answer).as("the same id has the same outcome").isEqualTo(outcome);
        answerAt = inOrder(answerAt);
        world.after(answerAt - world.now(), () -> answer(transaction, answer));
    }

    private void answer(Transaction transaction, Outcome outcome) {
        for (int claim = 0; claim < transaction.claims(); claim++) {
            unanswered.remove(transaction.task(claim));
        }
        on(new Event.Answered<>(outcome));
    }
}
