package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.schedulers.BatchMatcher;
import dev.cella.chaos.schedulers.FairHeads;
import dev.cella.chaos.schedulers.Partition;
import dev.cella.chaos.schedulers.Preemptor;
import dev.cella.chaos.schedulers.Roller;
import dev.cella.chaos.schedulers.TwoCellSpreader;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The six schedulers of the seam beside each other in one world, which is fuller than it can hold at once: whatever the
 * seed, no plan fails, none is refused twice for the same, every batch job ends, and a service rolls to its new generation.
 */
class SeamWorldTest {
    private static final Restart OFTEN = new Restart(Restart.UNLIMITED, 50, 800);
    private static final List<String> BATCH = List.of("fair", "preempts", "part", "matches", "spreads");
    private static final int SERVICE_TASKS = 4;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyJobEnds_andTheServiceIsRolled(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedWorld world = new SimulatedWorld(seed);
        for (int machine = 0; machine < 12; machine++) {
            world.putMachine("m" + machine, 4_000, 16_384);
        }
        addSchedulers(world, random);
        world.submit(job("web", "rolls", JobType.SERVICE, 30, 99, SERVICE_TASKS, 500));
        for (int number = 0; number < 30; number++) {
            String scheduler = BATCH.get(number % BATCH.size());
            int priority = 1 + random.nextInt(60);
            world.submit(
                    job("job-" + number, scheduler, JobType.BATCH, number % 3, priority, 1 + random.nextInt(8), 1_000));
        }
        world.runUntil(5_000);
        world.update(job("web", "rolls", JobType.SERVICE, 30, 99, SERVICE_TASKS, 600));
        world.runUntil(240_000);

        assertThat(world.view().jobs())
                .filteredOn(job -> job.header().type() == JobType.BATCH)
                .allMatch(JobRow::isEnded);
        assertThat(tasksOfGeneration(world, 2)).isEqualTo(SERVICE_TASKS);
        assertThat(world.schedulers()).allSatisfy(each -> {
            assertThat(each.status().lastPlannerFailure()).as(each.name()).isEmpty();
            assertThat(each.status().counters().plansRepeated()).as(each.name()).isZero();
        });
    }

    private static void addSchedulers(SimulatedWorld world, SplittableRandom random) {
        world.addScheduler("fair", new FairHeads(), 1 + random.nextInt(20), 16);
        world.addScheduler("preempts", new Preemptor(), 1 + random.nextInt(20), 4);
        world.addScheduler("part", new Partition(slot -> slot < 4), 1 + random.nextInt(20), 16);
        world.addScheduler("matches", new BatchMatcher(), 1 + random.nextInt(60), 1);
        world.addScheduler("spreads", new TwoCellSpreader(), 1 + random.nextInt(20), 16);
        world.addScheduler("rolls", new Roller(), 1 + random.nextInt(20), 16);
    }

    private static long tasksOfGeneration(SimulatedWorld world, int generation) {
        JobRow job = world.view().job("web").orElseThrow();
        long count = 0;
        for (int index = 0; index < SERVICE_TASKS; index++) {
            count += world.view().task(job.group(0), index).generation() == generation ? 1 : 0;
        }
        return count;
    }

    private static JobHeader job(
            String name, String scheduler, JobType type, int pool, int priority, int tasks, long cpuMilli) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, 64), OFTEN);
        return new JobHeader(
                name,
                type,
                scheduler,
                "pool-" + pool,
                priority,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }
}
