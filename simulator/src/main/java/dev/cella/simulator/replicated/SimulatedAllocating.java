package dev.cella.simulator.replicated;

import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.Action;
import dev.cella.scheduling.loop.Event;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.SchedulerLoop;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.transactions.cell.TouchedRows;
import java.util.Map;

/**
 * Drives the live loop of an allocator in virtual time. A round takes it 1 ms for each offer (4.3).
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class SimulatedAllocating<M> implements Action.Driver<M> {
    /** An offer stays for as long as any decision of the dissertation's takes. */
    static final Map<String, String> OPTIONS = Map.of("timeoutSeconds", "604800", "failoverSeconds", "0");

    private static final long OFFER_NANOS = 1_000_000;

    private final ReplicatedCell cell;
    private final EventHeap heap;
    private final Scheduler<M> scheduler;
    private final TimedLoop<M> loop;

    SimulatedAllocating(ReplicatedCell cell, EventHeap heap, LoopOptions options, Scheduler<M> scheduler) {
        this.cell = cell;
        this.heap = heap;
        this.scheduler = scheduler;
        SchedulerLoop<M> live = new SchedulerLoop<>(options, scheduler, cell.view(), cell.time());
        this.loop = new TimedLoop<>(heap, live, cell.view(), cell::time, this);
        loop.begin();
    }

    TouchedRows touchedRows() {
        return loop.touchedRows();
    }

    /** The common cell state has advanced. */
    void advance() {
        loop.advance();
    }

    @Override
    public void plan(Action.PlanNow<M> action) {
        Event<M> made = action.run(scheduler);
        heap.at(heap.nowNanos() + OFFER_NANOS * offers(made), () -> loop.deliver(made));
    }

    private int offers(Event<M> made) {
        if (made instanceof Event.Planned<M> planned) {
            return planned.plan().proposals().stream()
                    .map(Proposal::transaction)
                    .mapToInt(transaction -> transaction.holds().size())
                    .sum();
        }
        throw new IllegalStateException("the allocator made no plan: " + made);
    }

    @Override
    public void submit(Action.Submit<M> action) {
        loop.deliver(new Event.Answered<>(cell.offer(action.proposal().transaction())));
    }

    @Override
    public void setTimer(Action.SetTimer<M> action) {
        loop.setTimer(action.at());
    }

    @Override
    public void decline(Action.Decline<M> action) {
        throw new IllegalStateException("nobody makes offers to an allocator");
    }

    @Override
    public void wantOffers(Action.WantOffers<M> action) {
        throw new IllegalStateException("nobody makes offers to an allocator");
    }

    @Override
    public void stop(Action.Stop<M> action) {
        throw new IllegalStateException("a simulated allocator stopped: " + action.why());
    }

    @Override
    public void revert(Action.RevertJob<M> action) {
        throw new IllegalStateException("an allocator reverts " + action.revert());
    }
}
