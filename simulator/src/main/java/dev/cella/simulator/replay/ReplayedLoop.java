package dev.cella.simulator.replay;

import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.replicated.TimedLoop;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.replay.ReplayedScheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One instance of a scheduler in a replay: drives the live loop in virtual time. A plan is made at once, on the cell as it is,
 * and handed over after the decision time; its transactions are decided after their transit.
 *
 * <p>Owned by the thread that replays.
 */
final class ReplayedLoop<M> implements Action.Driver<M> {
    /** Shorter decisions would let no time pass at all. */
    private static final long DECISION_NANOS_MIN = 1_000;

    private final ReplayedCell cell;
    private final EventHeap heap;
    private final Scheduler<M> scheduler;
    private final TimedLoop<M> loop;
    private final long decisionNanos;
    private final long transitNanos;
    private final Map<TransactionId, Long> planNanos = new HashMap<>();
    private long successful;
    private long conflicted;
    private long claimsAccepted;
    private long claimsConflicted;
    private long busyNanos;
    private long wastedNanos;

    ReplayedLoop(
            ReplayedCell cell,
            EventHeap heap,
            ReplayedScheduler settings,
            SessionId session,
            long seed,
            Scheduler<M> scheduler) {
        this.cell = cell;
        this.heap = heap;
        this.scheduler = scheduler;
        this.decisionNanos = Math.max(DECISION_NANOS_MIN, settings.decisionNanos());
        this.transitNanos = settings.transitNanos();
        LoopOptions options = LoopOptions.of(settings.name(), session, seed);
        SchedulerLoop<M> live = new SchedulerLoop<>(options, scheduler, cell.placements(), cell.view(), cell.time());
        this.loop = new TimedLoop<>(heap, live, cell.view(), cell::time, this);
        loop.begin();
    }

    TouchedRows touchedRows() {
        return loop.touchedRows();
    }

    long successful() {
        return successful;
    }

    long conflicted() {
        return conflicted;
    }

    long claimsAccepted() {
        return claimsAccepted;
    }

    long claimsConflicted() {
        return claimsConflicted;
    }

    long busyNanos() {
        return busyNanos;
    }

    long wastedNanos() {
        return wastedNanos;
    }

    /** The cell has changed. */
    void advance() {
        loop.advance();
    }

    @Override
    public void plan(Action.PlanNow<M> plan) {
        Event<M> made = plan.run(scheduler);
        busyNanos += decisionNanos;
        if (made instanceof Event.Planned<M> planned) {
            share(planned.plan().proposals());
        }
        heap.at(heap.nowNanos() + decisionNanos, () -> loop.deliver(made));
    }

    /** The time of a plan belongs to its transactions in equal parts; a plan without any has wasted it. */
    private void share(List<Proposal> proposals) {
        if (proposals.isEmpty()) {
            wastedNanos += decisionNanos;
        }
        proposals.forEach(each -> planNanos.put(each.transaction().id(), decisionNanos / proposals.size()));
    }

    @Override
    public void submit(Action.Submit<M> action) {
        heap.at(heap.nowNanos() + transitNanos, () -> decide(action.proposal()));
    }

    private void decide(Proposal proposal) {
        Outcome outcome = cell.commit(proposal.transaction());
        int accepted = 0;
        int lost = 0;
        for (int item = 0; item < outcome.items(); item++) {
            if (outcome.isAccepted(item)) {
                accepted += item < proposal.transaction().claims() ? 1 : 0;
            } else {
                lost += outcome.result(item).conflict() ? 1 : 0;
            }
        }
        claimsAccepted += accepted;
        claimsConflicted += lost;
        Long nanos = planNanos.remove(outcome.id());
        if (lost > 0) {
            conflicted++;
            wastedNanos += nanos == null ? 0 : nanos;
        } else if (accepted > 0) {
            successful++;
        }
        loop.deliver(new Event.Answered<>(outcome));
    }

    @Override
    public void setTimer(Action.SetTimer<M> action) {
        loop.setTimer(action.at());
    }

    /** Nobody makes offers in a replay. */
    @Override
    public void decline(Action.Decline<M> action) {}

    @Override
    public void wantOffers(Action.WantOffers<M> action) {}

    /** The record has every update of a job already: a replayed job has its newest form. */
    @Override
    public void revert(Action.RevertJob<M> action) {}

    @Override
    public void stop(Action.Stop<M> action) {
        throw new IllegalStateException("a replayed scheduler stopped: " + action.why());
    }
}
