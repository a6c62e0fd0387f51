package dev.cella.simulator.offers;

import dev.cella.scheduler.service.offers.NextFramework.Competitor;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.engine.SchedulerStats;
import dev.cella.simulator.engine.UnplacedJob;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;

/**
 * A framework: its jobs wait in one queue. An offer begins an attempt for the head of the queue, which takes the job's decision
 * time. A job that was not placed completely goes behind those that wait, and is abandoned after too many attempts.
 */
final class SimulatedFramework {
    private final Workload workload;
    private final RunParameters parameters;
    private final Geometry geometry;
    private final EventHeap heap;
    private final SimulatedAllocator allocator;
    private final Random random;
    private final SchedulerStats stats;
    private final Deque<UnplacedJob> queue = new ArrayDeque<>();
    private OfferedAmounts ignored;
    private Amounts offered = Amounts.NONE;
    private long tasksHeld;
    private boolean thinking;
    private boolean awaitsRoom;

    SimulatedFramework(
            Workload workload, RunParameters parameters, EventHeap heap, SimulatedAllocator allocator, Random random) {
        this.workload = workload;
        this.parameters = parameters;
        this.geometry = parameters.geometry();
        this.heap = heap;
        this.allocator = allocator;
        this.random = random;
        this.ignored = allocator.nothing();
        this.stats = new SchedulerStats(workload.word(), "offers", workload);
    }

    Workload workload() {
        return workload;
    }

    void submit(SimulatedJob job) {
        stats.submitted();
        queue.add(new UnplacedJob(job));
        allocator.offerNext();
    }

    /** It takes offers while it thinks too, though it does not look at them before its next attempt. */
    boolean wants() {
        return thinking || (!queue.isEmpty() && !awaitsRoom);
    }

    /** Returns whether an attempt begins now even on an empty offer. It counts, and a job is given up after too many. */
    boolean triesWithNothing() {
        return !thinking && !queue.isEmpty() && parameters.retryOrder() == RetryOrder.BEHIND_OTHERS;
    }

    /** Its part in the competition for the next offer. Its tasks and its offer count. */
    Competitor competitor() {
        Amounts tasks = Amounts.of(tasksHeld * geometry.taskCpuMilli(), tasksHeld * geometry.taskMemoryMib());
        return new Competitor(workload.word(), 1, tasks.plus(offered), wants());
    }

    void thereMayBeRoom() {
        awaitsRoom = false;
    }

    // ---- attempts

    void offered(OfferedAmounts offer) {
        offered = offered.plus(offer.sums());
        if (thinking) {
            allocator.offers().declined();
            allocator.moveAll(offer, ignored);
        } else {
            begin(offer);
        }
    }

    private void begin(OfferedAmounts offer) {
        UnplacedJob next = queue.element();
        thinking = true;
        stats.attemptBegins(next.job(), next.attempt(), heap.nowNanos());
        long thinkingNanos = parameters.setUp(workload).decisionTime().nanos(next.tasksLeft());
        heap.at(heap.nowNanos() + thinkingNanos, () -> decide(offer));
    }

    private void decide(OfferedAmounts offer) {
        thinking = false;
        UnplacedJob open = queue.remove();
        boolean isOffer = !offer.isEmpty();
        int[] places = SimulatedAllocator.place(
                offer, open.tasksLeft(), geometry.taskCpuMilli(), geometry.taskMemoryMib(), random);
        if (isOffer && places.length == 0) {
            allocator.offers().declined();
        }
        launch(open, places);
        open.placed(places.length);
        stats.transactionDecided(places.length, 0);
        stats.attemptEnds(places.length == 0, heap.nowNanos());
        if (open.isWhole()) {
            stats.fullyScheduled(open.job(), heap.nowNanos());
            allocator.jobs().placed(open.job(), heap.nowNanos());
        } else {
            retry(open);
        }
        boolean mayHaveRoom = open.isWhole() || !ignored.isEmpty();
        offered = Amounts.NONE;
        allocator.moveAll(ignored, offer);
        ignored = allocator.nothing();
        allocator.returned(offer, mayHaveRoom);
    }

    private void retry(UnplacedJob open) {
        if (parameters.retryOrder() == RetryOrder.KEEPS_PLACE) {
            queue.addFirst(open);
            awaitsRoom = true;
        } else if (open.isHopeless(parameters.retry().limits())) {
            stats.abandoned();
        } else {
            queue.addLast(open);
        }
    }

    /** Tasks with equal run times end together, in one event. The end of no task would be an event that frees nothing. */
    private void launch(UnplacedJob open, int[] places) {
        if (places.length == 0) {
            return;
        }
        tasksHeld += places.length;
        allocator.utilisation().add(geometry.taskCpuMilli() * places.length, heap.nowNanos());
        if (open.job().times() instanceof SimulatedJob.Equal equal) {
            heap.at(heap.nowNanos() + equal.nanos(), () -> end(open, places));
            return;
        }
        for (int i = 0; i < places.length; i++) {
            int[] place = Arrays.copyOfRange(places, i, i + 1);
            heap.at(heap.nowNanos() + open.job().times().nanos(open.placed() + i), () -> end(open, place));
        }
    }

    private void end(UnplacedJob open, int[] places) {
        if (open.end(places.length)) {
            allocator.jobs().ended(open.job(), heap.nowNanos());
        }
        tasksHeld -= places.length;
        allocator.freed(places, geometry.taskCpuMilli(), geometry.taskMemoryMib());
    }

    SchedulerRow row(long endNanos) {
        return stats.row(endNanos);
    }
}
