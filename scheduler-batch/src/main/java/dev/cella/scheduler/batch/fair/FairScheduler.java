package dev.cella.scheduler.batch.fair;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduler.batch.fair.FairMemory.Due;
import dev.cella.scheduler.batch.fair.FairMemory.GroupKey;
import dev.cella.scheduling.Agenda;
import dev.cella.scheduling.Choice;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
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
    record Turn(CellTime now, FairMemory memory) {
        /** The same for jobs that are placed further: their groups may have been placed near to their input by now. */
        Turn after(Map<JobKey, JobFilling> filled, List<JobWork> jobs) {
            Map<GroupKey, Delay> delays = new HashMap<>(memory.delays());
            for (JobWork job : jobs) {
                Objects.requireNonNull(filled.get(job.key()))
                        .groups()
                        .forEach(group -> delays.put(new GroupKey(job.key(), group.name()), group.delay()));
            }
            return new Turn(now, new FairMemory(delays, memory.lacking()));
        }
    }

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
        Filling all = new Filling(cell, scheduler, random, turn, jobs);
        Map<JobKey, JobFilling> filled = new LinkedHashMap<>(all.jobs());
        List<JobWork> others = new ArrayList<>(jobs);
        Deque<JobWork> undone = new ArrayDeque<>();
        for (Optional<JobWork> part = lastPart(cell, others); part.isPresent(); part = lastPart(cell, others)) {
            cell.undoParts(part.get().id());
            others.remove(part.get());
            undone.addFirst(part.get());
            turn = turn.after(filled, others);
            all = new Filling(cell, scheduler, random, turn, others);
            filled.putAll(all.jobs());
        }
        others.forEach(job -> results.add(Objects.requireNonNull(filled.get(job.key())), cell));
        for (JobWork job : undone) {
            all = new Filling(cell, scheduler, random, turn, List.of(job));
            all.jobs().values().forEach(alone -> results.add(alone, cell));
            cell.undoParts(job.id()).forEach(results::replace);
        }
        PoolTree tree = undone.isEmpty() ? all.tree() : PoolTree.of(cell, scheduler);
        KillingTimeouts timeouts = new KillingTimeouts(cell, tree, scheduler, turn.now(), results.lacking);
        firstJobs(jobs).forEach((pool, job) -> timeouts.look(tree.pool(pool), job.id()));
        timeouts.next().ifPresent(at -> jobs.forEach(job -> results.wakes.add(new Wake.At(job.key(), at))));
    }

    /**
     * The last job that found room for a part of what it needs at once. Its part would be taken back after the plan, when
     * nobody would look at the room any more. So it is taken back now, the others are placed further, and then it tries alone.
     */
    private static Optional<JobWork> lastPart(PlanningView cell, List<JobWork> jobs) {
        return jobs.stream().filter(job -> cell.hasOnlyParts(job.id())).reduce((one, next) -> next);
    }

    private static Map<String, JobWork> firstJobs(List<JobWork> jobs) {
        Map<String, JobWork> first = new LinkedHashMap<>();
        jobs.forEach(job -> first.putIfAbsent(job.job().pool(), job));
        return first;
    }

    /** Jobs that are placed together, task by task, until no task finds a machine. */
    private static final class Filling {
        private final PoolTree tree;
        private final Map<JobFilling, PoolNode> pools = new LinkedHashMap<>();

        Filling(PlanningView cell, String scheduler, SplittableRandom random, Turn turn, List<JobWork> jobs) {
            tree = PoolTree.of(cell, scheduler);
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

        PoolTree tree() {
            return tree;
        }

        Map<JobKey, JobFilling> jobs() {
            Map<JobKey, JobFilling> jobs = new LinkedHashMap<>();
            pools.keySet().forEach(filling -> jobs.put(filling.work().key(), filling));
            return jobs;
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

        void add(JobFilling filling, PlanningView cell) {
            JobWork work = filling.work();
            delays.keySet().removeIf(key -> key.job().equals(work.key()));
            for (GroupFilling group : filling.groups()) {
                Optional<Unplaced> left = group.explain();
                left.ifPresent(unplaced::add);
                left.ifPresent(each -> wakes.addAll(cell.wakes(each)));
                left.ifPresent(each -> delays.put(new GroupKey(work.key(), group.name()), group.delay()));
                group.goesFurtherAt().ifPresent(at -> wakes.add(new Wake.At(work.key(), at)));
            }
        }

        /** A gang of which a part was taken back is left as a whole. */
        void replace(Unplaced gang) {
            unplaced.removeIf(part -> part.key().equals(gang.key()) && part.group() == gang.group());
            unplaced.add(gang);
        }

        Plan<FairMemory> plan() {
            delays.values().removeIf(Delay.NONE::equals);
            return Plan.of(unplaced, wakes, new FairMemory(delays, lacking));
        }
    }
}
