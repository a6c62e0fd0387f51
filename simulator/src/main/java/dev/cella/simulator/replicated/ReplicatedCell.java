package dev.cella.simulator.replicated;

import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.host.Explanations;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.loop.RetryOrder;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Placements;
import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.InputMeter;
import dev.cella.simulator.engine.JobMeter;
import dev.cella.simulator.engine.Machines;
import dev.cella.simulator.engine.OfferMeter;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.engine.RunResult;
import dev.cella.simulator.engine.SchedulerChoice;
import dev.cella.simulator.engine.SchedulerStats;
import dev.cella.simulator.engine.UnplacedJob;
import dev.cella.simulator.engine.UtilisationMeter;
import dev.cella.simulator.workload.InputJobs;
import dev.cella.simulator.workload.JobKind;
import dev.cella.simulator.workload.RandomStream;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.Workload;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The common cell state and its parallel schedulers (6.2, figure 6.2).
 *
 * <p>Live, each scheduler follows the feed with a private replica. In virtual time, a private copy that is synced before every
 * attempt (6.2.1, step 2) equals the common one at that moment, and the plan is computed at that moment. It is committed when
 * the decision time is over, against what the others have done since. So all loops read the one view, and no copies are kept.
 *
 * <p>Owned by the thread that runs the simulation.
 */
final class ReplicatedCell {
    /** The attempt of every task; there is no second one, because no simulated task fails. */
    private static final int FIRST_ATTEMPT = 1;

    private static final int NEVER_PLACED = 0;

    private final RunParameters parameters;
    private final EventHeap heap;
    private final StaticParts parts;
    private final CommonState state;
    private final Blocks blocks;
    private final InputMeter inputs = new InputMeter();
    private final JobMeter jobs = new JobMeter();
    private final Map<JobId, Placement> placements = new HashMap<>();
    private final UtilisationMeter utilisation;
    private final Amounts taskShape;
    private final boolean sleepersAwaitRoom;
    private final Optional<SimulatedAllocating<?>> allocator;
    private final OfferMeter offers = new OfferMeter();
    private boolean tells;
    private final List<SimulatedLoop<?>> schedulers = new ArrayList<>();
    private final List<SimulatedLoop<?>> batchSchedulers = new ArrayList<>();
    private final List<SimulatedLoop<?>> serviceSchedulers = new ArrayList<>();

    ReplicatedCell(RunParameters parameters, EventHeap heap, StaticParts parts) {
        this(parameters, heap, parts, Optional.empty());
    }

    /** @param allocator makes offers to all schedulers, if there is one; then they plan on what they are offered */
    ReplicatedCell(RunParameters parameters, EventHeap heap, StaticParts parts, Optional<SchedulerProvider> allocator) {
        Geometry geometry = parameters.geometry();
        this.parameters = parameters;
        this.heap = heap;
        this.parts = parts;
        this.blocks = new Blocks(parameters);
        this.state = new CommonState(geometry, heap, this::attributes, allocator.map(any -> this::changed));
        this.utilisation = new UtilisationMeter(geometry.cpuMilli());
        this.taskShape = Amounts.of(geometry.taskCpuMilli(), geometry.taskMemoryMib());
        this.sleepersAwaitRoom = parameters.retryOrder() == RetryOrder.KEEPS_PLACE;
        if (parameters.input().jobs() == JobKind.PROBES) {
            state.definePool(InputJobs.PROBES, pool(PoolPolicy.WEIGHT_MAX, PoolPolicy.Order.FAIR));
            state.definePool(InputJobs.FILL, pool(1, PoolPolicy.Order.FIFO));
        }
        this.allocator = allocator.map(this::allocating);
    }

    private static PoolPolicy pool(int weight, PoolPolicy.Order order) {
        return new PoolPolicy(weight, Amounts.NONE, Limits.NONE, order, 0, 0);
    }

    private SortedMap<String, String> attributes(int machine) {
        SortedMap<String, String> attributes = new TreeMap<>(parts.attributes(machine));
        attributes.putAll(blocks.attributes(machine));
        return attributes;
    }

    /** What the jobs of this cell ask of machines: nothing but to be near what they read. */
    Placements placements() {
        return job -> placements.getOrDefault(job.id(), Placement.ANYWHERE);
    }

    CellView view() {
        return state.view();
    }

    CellTime time() {
        return state.time();
    }

    // ---- before the first job

    /** Places the jobs that stand in the cell. */
    void prefill(List<StandingJob> standing) {
        Machines machines = new Machines(parameters.geometry());
        Random random = RandomStream.PREFILL.of(parameters.seed());
        for (StandingJob job : standing) {
            int[] places = machines.place(job, random);
            List<JobId> placed = state.place(job, places);
            utilisation.add(job.cpuMilli() * places.length, heap.nowNanos());
            if (!job.isEverlasting()) {
                heap.at(job.endNanos(), () -> endStanding(job, placed, places));
            }
        }
    }

    private void endStanding(StandingJob job, List<JobId> placed, int[] places) {
        placed.forEach(state::end);
        utilisation.add(-job.cpuMilli() * places.length, heap.nowNanos());
        roomAppeared(places);
    }

    /** The schedulers of the workload, which share its jobs in turns. */
    void addSchedulers(Workload workload, SchedulerChoice choice, SchedulerProvider provider) {
        for (int number = 1; number <= choice.count(); number++) {
            String name = name(workload, number, choice.count());
            SchedulerOptions options = SchedulerOptions.of(provider.options(), choice.options());
            SimulatedLoop<?> scheduler = simulated(name, workload, provider.create(options), choice.type());
            schedulers.add(scheduler);
            schedulersOf(workload).add(scheduler);
        }
    }

    /** The name of one of the schedulers of a workload. */
    static String name(Workload workload, int number, int count) {
        return count == 1 ? workload.word() : workload.word() + "-" + number;
    }

    private <M> SimulatedLoop<M> simulated(String name, Workload workload, Scheduler<M> scheduler, String type) {
        Optional<Participation> offers = allocator.map(any -> new Participation(name, 1, Amounts.NONE));
        LoopOptions options = LoopOptions.of(name, state.openSession(name, type, offers), seedOf(name))
                .withTransactionsInFlightMax(1)
                .withRetryOrder(parameters.retryOrder())
                .with(Explanations.WITHOUT_MACHINES)
                .within(parts.within(name));
        parts.rights(name).ifPresent(rights -> state.setRights(name, rights));
        SimulatedLoop<M> loop = new SimulatedLoop<>(
                this,
                heap,
                options,
                scheduler,
                parameters.setUp(workload).decisionTime(),
                new SchedulerStats(name, type, workload));
        if (allocator.isPresent()) {
            state.follow(loop.touchedRows());
        }
        return loop;
    }

    // ---- offers

    private SimulatedAllocating<?> allocating(SchedulerProvider type) {
        SchedulerOptions options = SchedulerOptions.of(type.options(), SimulatedAllocating.OPTIONS);
        return allocating(type.type(), type.create(options));
    }

    private <M> SimulatedAllocating<M> allocating(String name, Scheduler<M> scheduler) {
        LoopOptions options = LoopOptions.of(name, state.openSession(name, name), seedOf(name));
        SimulatedAllocating<M> made = new SimulatedAllocating<>(this, heap, options, scheduler);
        state.follow(made.touchedRows());
        return made;
    }

    /** Commits what the allocator plans: holds, each of which is an offer. */
    Outcome offer(Transaction transaction) {
        Outcome outcome = commit(transaction);
        offers.made(outcome.results().stream().filter(ItemResult::accepted).count());
        return outcome;
    }

    void decline(OfferId offer, long refuseMillis) {
        offers.declined();
        state.endOffer(offer, refuseMillis);
    }

    void wantOffers(String scheduler, boolean wanted) {
        state.wantOffers(scheduler, wanted);
    }

    /** All learn of a change before time goes on: an offer is of interest to others than the one that made it. */
    private void changed() {
        if (!tells) {
            tells = true;
            heap.at(heap.nowNanos(), this::tell);
        }
    }

    private void tell() {
        tells = false;
        allocator.ifPresent(SimulatedAllocating::advance);
        schedulers.forEach(SimulatedLoop::advance);
    }

    private long seedOf(String scheduler) {
        return Digests.mix(parameters.seed(), Digests.of(scheduler));
    }

    private List<SimulatedLoop<?>> schedulersOf(Workload workload) {
        return switch (workload) {
            case BATCH -> batchSchedulers;
            case SERVICE -> serviceSchedulers;
        };
    }

    // ---- the life of a job

    void submit(SimulatedJob job) {
        List<SimulatedLoop<?>> sharing = schedulersOf(job.workload());
        SimulatedLoop<?> scheduler = sharing.get(job.number() % sharing.size());
        JobId id = state.submit(header(job, scheduler.stats().name()));
        List<int[]> read = blocks.areRead(job) ? blocks.of(job) : List.of();
        if (!read.isEmpty()) {
            placements.put(id, new Placement(List.of(), List.of(blocks.inputs(read))));
            inputs.submitted();
        }
        scheduler.opened(new PlacedJob(id, new UnplacedJob(job), read));
    }

    private JobHeader header(SimulatedJob job, String scheduler) {
        return new JobHeader(
                job.workload().word() + "-" + job.number(),
                switch (job.workload()) {
                    case BATCH -> JobType.BATCH;
                    case SERVICE -> JobType.SERVICE;
                },
                scheduler,
                job.pool(),
                CommonState.PRIORITY,
                parameters.modes().atomicity(),
                parameters.modes().conflictRule(),
                CommonState.group(job.tasks(), taskShape));
    }

    /** The last task of the job was placed. */
    void whole(PlacedJob job) {
        jobs.placed(job.open.job(), heap.nowNanos());
    }

    Outcome commit(Transaction transaction) {
        return state.commit(transaction);
    }

    /** These tasks begin to run on these machines. */
    void begin(SimulatedLoop<?> scheduler, PlacedJob job, int[] tasks, int[] machines) {
        job.begin(tasks.length);
        scheduler.touched(job.id);
        utilisation.add(parameters.geometry().taskCpuMilli() * tasks.length, heap.nowNanos());
        SimulatedJob.TaskTimes times = job.open.job().times();
        if (!job.blocks.isEmpty()) {
            beginNearBlocks(scheduler, job, tasks, machines, times);
        } else if (times instanceof SimulatedJob.Equal equal) {
            scheduleEnd(scheduler, job, tasks, machines, equal.nanos());
        } else {
            for (int i = 0; i < tasks.length; i++) {
                scheduleEnd(scheduler, job, new int[] {tasks[i]}, new int[] {machines[i]}, times.nanos(tasks[i]));
            }
        }
        if (sleepersAwaitRoom) {
            schedulers.forEach(each -> each.touchedMachines(machines));
        }
    }

    private void beginNearBlocks(
            SimulatedLoop<?> scheduler, PlacedJob job, int[] tasks, int[] machines, SimulatedJob.TaskTimes times) {
        for (int i = 0; i < tasks.length; i++) {
            InputMeter.Distance distance = blocks.distance(job.blocks.get(tasks[i]), machines[i]);
            inputs.placed(distance);
            long nanos = blocks.nanos(times.nanos(tasks[i]), distance);
            scheduleEnd(scheduler, job, new int[] {tasks[i]}, new int[] {machines[i]}, nanos);
        }
    }

    private void scheduleEnd(SimulatedLoop<?> scheduler, PlacedJob job, int[] tasks, int[] machines, long afterNanos) {
        if (tasks.length > 0) {
            heap.at(heap.nowNanos() + afterNanos, () -> end(scheduler, job, tasks, machines));
        }
    }

    private void end(SimulatedLoop<?> scheduler, PlacedJob job, int[] tasks, int[] machines) {
        job.end(tasks.length);
        utilisation.add(-parameters.geometry().taskCpuMilli() * tasks.length, heap.nowNanos());
        if (job.isOver()) {
            close(scheduler, job);
        } else {
            state.stopTasks(job.id, scheduler.stats().name(), tasks, FIRST_ATTEMPT);
            scheduler.touched(job.id);
        }
        roomAppeared(machines);
    }

    private void close(SimulatedLoop<?> scheduler, PlacedJob job) {
        state.end(job.id);
        scheduler.closed(job);
        if (job.open.isWhole()) {
            jobs.ended(job.open.job(), heap.nowNanos());
        }
        if (placements.remove(job.id) != null) {
            inputs.ended(heap.nowNanos() - job.open.job().submittedNanos(), heap.nowNanos());
        }
    }

    /** Only sleeping jobs need to know about new room before their next attempt. */
    private void roomAppeared(int[] machines) {
        if (sleepersAwaitRoom) {
            schedulers.forEach(each -> each.touchedMachines(machines));
            schedulers.forEach(SimulatedLoop::advance);
        }
    }

    /** The placed tasks run on; the others will never be placed. */
    void abandonIfHopeless(SimulatedLoop<?> scheduler, PlacedJob job) {
        if (sleepersAwaitRoom || !job.open.isHopeless(parameters.retry().limits())) {
            return;
        }
        job.abandon();
        scheduler.stats().abandoned();
        if (job.isOver()) {
            close(scheduler, job);
        } else {
            state.stopTasks(job.id, scheduler.stats().name(), pendingTasks(job.id), NEVER_PLACED);
            scheduler.touched(job.id);
        }
    }

    private int[] pendingTasks(JobId id) {
        GroupRow group = view().job(id).orElseThrow().group(0);
        return IntStream.range(0, group.header().count())
                .filter(group::isPending)
                .toArray();
    }

    RunResult result() {
        long now = heap.nowNanos();
        return new RunResult(
                schedulers.stream().map(each -> each.stats().row(now)).toList(),
                utilisation.mean(now),
                schedulers.stream()
                        .mapToLong(each -> each.stats().claimsAccepted())
                        .sum(),
                inputs.stats(),
                jobs.stats(),
                allocator.isPresent() ? offers.events() : new TreeMap<>(),
                Optional.empty());
    }
}
