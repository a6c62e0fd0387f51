package dev.cella.simulator.offers;

import dev.cella.scheduler.service.offers.NextFramework;
import dev.cella.scheduler.service.offers.NextFramework.Competitor;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.JobMeter;
import dev.cella.simulator.engine.OfferMeter;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerRow;
import dev.cella.simulator.engine.UtilisationMeter;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.model.Amounts;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/**
 * The allocator of two-level scheduling and its frameworks (4.2, figure 4.4). An offer takes it 1 ms. It offers all that is
 * available to the framework with the lowest dominant share. The framework decides on what was offered when its attempt began,
 * and returns the rest at the attempt's end. Offers that arrive during the attempt are not looked at. In the meantime nobody
 * else can use an offer: concurrency is pessimistic. A framework that retries its jobs tries with nothing if nothing is
 * available, as the schedulers of the other architectures try on a full cell.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class SimulatedAllocator {
    private static final long OFFER_NANOS = 1_000_000;

    private final EventHeap heap;
    private final Geometry geometry;
    private final UtilisationMeter utilisation;
    private final long seed;
    private final Amounts totals;
    private final List<SimulatedFramework> frameworks;
    private final Map<Workload, SimulatedFramework> byWorkload = new EnumMap<>(Workload.class);
    private final Deque<OfferedAmounts> spare = new ArrayDeque<>();
    private OfferedAmounts available;
    private final JobMeter jobs = new JobMeter();
    private final OfferMeter offers = new OfferMeter();
    private boolean offering;

    SimulatedAllocator(RunParameters parameters, EventHeap heap) {
        this.heap = heap;
        this.geometry = parameters.geometry();
        this.seed = parameters.seed();
        this.utilisation = new UtilisationMeter(geometry.cpuMilli());
        this.available = OfferedAmounts.whole(geometry);
        this.totals = available.sums();
        Random random = RandomStream.PLACEMENT.of(parameters.seed());
        this.frameworks = Arrays.stream(Workload.values())
                .map(workload -> new SimulatedFramework(workload, parameters, heap, this, random))
                .toList();
        frameworks.forEach(framework -> byWorkload.put(framework.workload(), framework));
    }

    /** Places the jobs that stand in the cell before the first job arrives. They belong to no framework. */
    void prefill(List<StandingJob> standing) {
        Random drawn = RandomStream.PREFILL.of(seed);
        for (StandingJob job : standing) {
            int[] places = place(available, job.tasks(), job.cpuMilli(), job.memoryMib(), drawn);
            utilisation.add(job.cpuMilli() * places.length, heap.nowNanos());
            if (!job.isEverlasting()) {
                heap.at(job.endNanos(), () -> freed(places, job.cpuMilli(), job.memoryMib()));
            }
        }
    }

    /** Places at most {@code tasks} tasks by randomised first fit, and returns their machines. */
    static int[] place(OfferedAmounts on, int tasks, long cpuMilli, long memoryMib, Random random) {
        int[] places = new int[tasks];
        on.refillPool();
        for (int task = 0; task < tasks; task++) {
            int machine = on.draw(cpuMilli, memoryMib, random);
            if (machine == OfferedAmounts.NONE) {
                return Arrays.copyOf(places, task);
            }
            on.take(machine, cpuMilli, memoryMib);
            places[task] = machine;
        }
        return places;
    }

    void submit(SimulatedJob job) {
        Objects.requireNonNull(byWorkload.get(job.workload())).submit(job);
    }

    JobMeter jobs() {
        return jobs;
    }

    OfferMeter offers() {
        return offers;
    }

    UtilisationMeter utilisation() {
        return utilisation;
    }

    // ---- offers

    /** A framework wants an offer, or something is available: the next answer begins unless one is being made. */
    void offerNext() {
        if (!offering && isAnswerDue()) {
            offering = true;
            heap.at(heap.nowNanos() + OFFER_NANOS, this::offer);
        }
    }

    private boolean isAnswerDue() {
        for (SimulatedFramework framework : frameworks) {
            if (available.isEmpty() ? framework.triesWithNothing() : framework.wants()) {
                return true;
            }
        }
        return false;
    }

    private void offer() {
        offering = false;
        if (available.isEmpty()) {
            offerNothing();
        } else {
            offerAll();
        }
        offerNext();
    }

    private void offerNothing() {
        for (SimulatedFramework framework : frameworks) {
            if (framework.triesWithNothing()) {
                framework.offered(nothing());
            }
        }
    }

    private void offerAll() {
        OptionalInt next = NextFramework.of(totals, available.sums(), competitors());
        if (next.isPresent()) {
            OfferedAmounts offered = available;
            available = nothing();
            offers.made(1);
            frameworks.get(next.getAsInt()).offered(offered);
        }
    }

    private List<Competitor> competitors() {
        List<Competitor> competitors = new ArrayList<>(frameworks.size());
        for (SimulatedFramework framework : frameworks) {
            competitors.add(framework.competitor());
        }
        return competitors;
    }

    /** No amounts, to collect some in. */
    OfferedAmounts nothing() {
        return spare.isEmpty() ? new OfferedAmounts(geometry.machines()) : spare.pop();
    }

    /** All amounts move, and what they were in is used again. */
    void moveAll(OfferedAmounts from, OfferedAmounts to) {
        to.takeAll(from);
        spare.push(from);
    }

    /**
     * A framework returns the rest of its offer. The smaller part moves to the larger one.
     *
     * @param mayHaveRoom whether a task may fit there: the framework placed all that it wanted, or did not look at a part
     */
    void returned(OfferedAmounts rest, boolean mayHaveRoom) {
        boolean isLarger = rest.machines() > available.machines();
        OfferedAmounts large = isLarger ? rest : available;
        OfferedAmounts small = isLarger ? available : rest;
        moveAll(small, large);
        available = large;
        if (mayHaveRoom) {
            frameworks.forEach(SimulatedFramework::thereMayBeRoom);
        }
        offerNext();
    }

    /** Tasks have ended. */
    void freed(int[] places, long cpuMilli, long memoryMib) {
        for (int machine : places) {
            available.add(machine, cpuMilli, memoryMib);
        }
        utilisation.add(-cpuMilli * places.length, heap.nowNanos());
        frameworks.forEach(SimulatedFramework::thereMayBeRoom);
        offerNext();
    }

    RunResult result() {
        long now = heap.nowNanos();
        List<SchedulerRow> rows =
                frameworks.stream().map(framework -> framework.row(now)).toList();
        long placements = rows.stream().mapToLong(SchedulerRow::claimsAccepted).sum();
        return new RunResult(
                rows,
                utilisation.mean(now),
                placements,
                Optional.empty(),
                jobs.stats(),
                offers.events(),
                Optional.empty());
    }
}
