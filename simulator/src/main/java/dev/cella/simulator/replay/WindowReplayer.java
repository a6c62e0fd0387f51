package dev.cella.simulator.replay;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.placement.Placements;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.replay.RecordedWindow;
import dev.cella.transactions.replay.ReplayedCounts;
import dev.cella.transactions.replay.ReplayedScheduler;
import dev.cella.transactions.replay.WindowReplay;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides a recorded window again: the live conflict rule, loop and planners, over the machines, jobs and run times of the
 * record. Plans see the cell as it is when they begin; a transaction is decided after the decision time and its transit.
 *
 * <p>Each replay has a cell of its own, so threads may share this.
 */
public final class WindowReplayer implements WindowReplay {
    /** These types put tasks into queues, or make offers: their results depend on agents and frameworks. */
    private static final Set<String> NEED_OTHERS = Set.of("offers", "sparrow", "apollo", "megha");

    private final List<SchedulerProvider> types;
    private final Supplier<Placements> placements;

    /**
     * @param types the scheduler types that a replay may have
     * @param placements reads what the jobs' specifications ask of machines, once for each replay
     */
    public WindowReplayer(List<SchedulerProvider> types, Supplier<Placements> placements) {
        this.types = List.copyOf(types);
        this.placements = placements;
    }

    @Override
    public List<ReplayedCounts> replay(RecordedWindow window, List<ReplayedScheduler> schedulers, long seed) {
        EventHeap heap = new EventHeap();
        ReplayedCell cell = new ReplayedCell(window, heap, placements.get());
        List<List<ReplayedLoop<?>>> loops = new ArrayList<>();
        for (ReplayedScheduler scheduler : schedulers) {
            loops.add(start(cell, heap, scheduler, Digests.mix(seed, Digests.of(scheduler.name()))));
        }
        loops.forEach(cell::addAll);
        arrive(window, schedulers, heap, cell);
        heap.runUntil(cell.endNanos());
        List<ReplayedCounts> counts = new ArrayList<>();
        for (int place = 0; place < schedulers.size(); place++) {
            counts.add(cell.counts(schedulers.get(place), loops.get(place)));
        }
        return counts;
    }

    private List<ReplayedLoop<?>> start(ReplayedCell cell, EventHeap heap, ReplayedScheduler scheduler, long seed) {
        SchedulerProvider provider = provider(scheduler.type());
        List<ReplayedLoop<?>> instances = new ArrayList<>();
        for (int number = 1; number <= scheduler.instances(); number++) {
            instances.add(new ReplayedLoop<>(
                    cell,
                    heap,
                    scheduler,
                    cell.open(scheduler, number),
                    Digests.mix(seed, number),
                    create(provider, scheduler)));
        }
        return instances;
    }

    private static Scheduler<?> create(SchedulerProvider provider, ReplayedScheduler scheduler) {
        try {
            return provider.create(SchedulerOptions.of(provider.options(), scheduler.options()));
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    scheduler.name() + ", of type " + provider.type() + ": " + refused.getMessage()
                            + "; name the scheduler that the option is for",
                    refused);
        }
    }

    @Override
    public List<String> types() {
        return types.stream()
                .map(SchedulerProvider::type)
                .filter(type -> !NEED_OTHERS.contains(type))
                .toList();
    }

    private SchedulerProvider provider(String type) {
        return types.stream()
                .filter(each -> each.type().equals(type) && types().contains(type))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "type " + type + " cannot be replayed, only " + String.join(", ", types())));
    }

    /** A job whose scheduler is not among them waits for nobody, so it is left out. */
    private static void arrive(
            RecordedWindow window, List<ReplayedScheduler> schedulers, EventHeap heap, ReplayedCell cell) {
        window.arrivals().stream()
                .sorted(Comparator.comparingLong(RecordedWindow.Arrival::atMillis))
                .forEach(job -> schedulers.stream()
                        .filter(each -> each.name().equals(job.header().scheduler()))
                        .findFirst()
                        .ifPresent(
                                scheduler -> heap.at(cell.nanos(job.atMillis()), () -> cell.submit(job, scheduler))));
    }
}
