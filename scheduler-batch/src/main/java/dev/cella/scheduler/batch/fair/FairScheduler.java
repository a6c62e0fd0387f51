package dev.cella.scheduler.batch.fair;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduler.batch.fair.FairMemory.Due;
import dev.cella.scheduler.batch.fair.FairMemory.GroupKey;
import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Fair sharing with delay scheduling (Zaharia et al., "Delay Scheduling", EuroSys 2010). Each pool gets its due, its minimum
 * first and then by its weight, and a job waits a little for a machine that has its input.
 *
 * <p>A plan covers the first jobs of all pools together. It distributes what is free task by task: to the pool that is
 * furthest below its due ({@link PoolTree}), in it to the job with the least (or the first, in a FIFO pool), and there to a
 * task as near to its input as the job may still insist on ({@link GroupFilling}). When nothing more can be placed, pools that
 * have waited too long get tasks of others ended ({@link KillingTimeouts}).
 *
 * <p>Its memory is how long groups were skipped, and since when pools lack their due.
 */
final class FairScheduler implements Scheduler<FairMemory> {
    /** Among equal machines it takes the first that fits, in random order. */
    static final Choice CHOICE = Choice.FIRST_FIT;

    /** The parts that the jobs of one plan share. */
    record Turn(CellTime now, FairMemory memory) {}

    private final int jobsPerPoolMax;

    FairScheduler(int jobsPerPoolMax) {
        this.jobsPerPoolMax = jobsPerPoolMax;
    }

    @Override
    public FairMemory start() {
        return FairMemory.NOTHING;
    }

    @Override
    public Agenda<FairMemory> agenda() {
        return new FairAgenda(jobsPerPoolMax);
    }

    @Override
    public Plan<FairMemory> plan(List<PlanningView> cells, Work work, PlanContext<FairMemory> context) {
        Turn turn = new Turn(context.now(), context.memory());
        SplittableRandom random = new SplittableRandom(context.seed());
        Results results = new Results(context.memory());
        Map<Integer, List<JobWork>> byCell = new LinkedHashMap<>();
        work.jobs()
                .forEach(job -> byCell.computeIfAbsent(job.key().cell(), place -> new ArrayList<>())
                        .add(job));
        byCell.forEach((place, jobs) -> planCell(cells.get(place), jobs, turn, random, results));
        return results.plan();
    }

    private static void planCell(
            PlanningView cell, List<JobWork> jobs, Turn turn, SplittableRandom random, Results results) {
        String scheduler = jobs.get(0).job().scheduler();
        Filling together = new Filling(cell, scheduler, random, turn, jobs);
        Deque<JobWork> undone = new ArrayDeque<>();
        for (Optional<JobWork> part = together.lastPart(); part.isPresent(); part = together.lastPart()) {
            cell.undoParts(part.get().id());
            undone.addFirst(part.get());
            together = together.without(part.get());
        }
        together.end(results);
        undone.forEach(job -> new Filling(cell, scheduler, random, turn, List.of(job)).end(results));
        PoolTree tree = undone.isEmpty() ? together.tree : PoolTree.of(cell, scheduler);
        KillingTimeouts timeouts = new KillingTimeouts(cell, tree, scheduler, turn.now(), results.lacking);
        Map<String, CellTime> waits = waitsByPool(cell, scheduler, jobs);
        firstJobs(jobs)
                .forEach((pool, job) ->
                        timeouts.look(tree.pool(pool), job.id(), waits.getOrDefault(pool, CellTime.ZERO)));
        results.forgetEnded(cell);
        timeouts.next().ifPresent(at -> jobs.forEach(job -> results.wakes.add(new Wake.At(job.key(), at))));
    }

    /** Since when each pool has a job that waits. A job that is not in this plan may wait since any time. */
    private static Map<String, CellTime> waitsByPool(PlanningView cell, String scheduler, List<JobWork> jobs) {
        Map<JobId, CellTime> planned = new HashMap<>();
        jobs.forEach(job -> planned.put(job.id(), job.since()));
        Map<String, CellTime> waits = new HashMap<>();
        for (JobRow job : cell.view().pendingJobs(scheduler)) {
            CellTime since = planned.getOrDefault(job.id(), CellTime.ZERO);
            waits.merge(job.header().pool(), since, (one, other) -> one.compareTo(other) <= 0 ? one : other);
        }
        return waits;
    }

    private static Map<String, JobWork> firstJobs(List<JobWork> jobs) {
        Map<String, JobWork> first = new LinkedHashMap<>();
        jobs.forEach(job -> first.putIfAbsent(job.job().pool(), job));
        return first;
    }

    /** Jobs that are placed together, task by task, until no task finds a machine. */
    private static final class Filling {
        private final PlanningView cell;
        private final String scheduler;
        private final SplittableRandom random;
        private final Turn turn;
        private final PoolTree tree;
        private final Map<JobFilling, PoolNode> pools = new LinkedHashMap<>();

        Filling(PlanningView cell, String scheduler, SplittableRandom random, Turn turn, List<JobWork> jobs) {
            this.cell = cell;
            this.scheduler = scheduler;
            this.random = random;
            this.turn = turn;
            this.tree = PoolTree.of(cell, scheduler);
            Racks racks = new Racks(cell);
            FreeMachines free = new FreeMachines(cell);
            for (JobWork job : jobs) {
                JobFilling filling = new JobFilling(job, cell, racks, free, random, turn);
                PoolNode pool = tree.pool(job.job().pool());
                pool.jobs.add(filling);
                pools.put(filling, pool);
            }
            fill();
        }

        private void fill() {
            for (Optional<JobFilling> next = tree.next(); next.isPresent(); next = tree.next()) {
                PoolNode pool = Objects.requireNonNull(pools.get(next.get()));
                Optional<Amounts> placed = next.get().placeOne();
                if (placed.isPresent()) {
                    tree.placed(pool, placed.get());
                } else {
                    pool.jobs.remove(next.get());
                }
            }
        }

        /**
         * The last job that found room for a part of what it needs at once, if others could use the room. Its part would be taken
         * back after the plan, when nobody would look at the room any more. So it is taken back before, the others are placed
         * further, and then the job tries alone.
         */
        Optional<JobWork> lastPart() {
            return pools.size() < 2
                    ? Optional.empty()
                    : pools.keySet().stream()
                            .map(JobFilling::work)
                            .filter(job -> cell.hasOnlyParts(job.id()))
                            .reduce((one, next) -> next);
        }

        /** The others, placed further. Their groups may have been placed near to their input by now. */
        Filling without(JobWork undone) {
            List<JobWork> others = new ArrayList<>();
            Map<GroupKey, Delay> delays = new HashMap<>(turn.memory().delays());
            for (JobFilling filling : pools.keySet()) {
                JobWork job = filling.work();
                if (!job.key().equals(undone.key())) {
                    others.add(job);
                    filling.groups()
                            .forEach(group -> delays.put(new GroupKey(job.key(), group.name()), group.reached()));
                }
            }
            FairMemory memory = new FairMemory(delays, turn.memory().lacking());
            return new Filling(cell, scheduler, random, new Turn(turn.now(), memory), others);
        }

        void end(Results results) {
            for (JobFilling filling : pools.keySet()) {
                results.add(filling);
                cell.undoParts(filling.work().id()).forEach(results::replace);
            }
        }
    }

    /** The result of a plan, collected over its cells. */
    private static final class Results {
        private final List<Unplaced> unplaced = new ArrayList<>();
        private final List<Wake> wakes = new ArrayList<>();
        private final Map<GroupKey, Delay> delays;
        private final Map<Due, CellTime> lacking;

        Results(FairMemory before) {
            this.delays = new HashMap<>(before.delays());
            this.lacking = new HashMap<>(before.lacking());
        }

        void add(JobFilling filling) {
            JobWork work = filling.work();
            delays.keySet().removeIf(key -> key.job().equals(work.key()));
            for (GroupFilling group : filling.groups()) {
                Optional<Unplaced> left = group.explain();
                left.ifPresent(unplaced::add);
                left.ifPresent(each -> wakes.addAll(group.wakes(each)));
                left.ifPresent(each -> delays.put(new GroupKey(work.key(), group.name()), group.delay()));
            }
        }

        /** A gang of which a part was taken back is left as a whole. */
        void replace(Unplaced gang) {
            unplaced.removeIf(part -> part.key().equals(gang.key()) && part.group() == gang.group());
            unplaced.add(gang);
        }

        /** A job that ended while its groups waited for their input. */
        void forgetEnded(PlanningView cell) {
            delays.keySet()
                    .removeIf(group -> group.job().cell() == cell.place()
                            && cell.view()
                                    .job(group.job().id())
                                    .filter(job -> !job.isEnded() && !job.isStopped())
                                    .isEmpty());
        }

        Plan<FairMemory> plan() {
            delays.values().removeIf(Delay.NONE::equals);
            return Plan.of(unplaced, wakes, new FairMemory(delays, lacking));
        }
    }
}
