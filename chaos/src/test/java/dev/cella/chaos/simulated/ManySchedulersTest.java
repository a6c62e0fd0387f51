package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.loop.LoopCounters;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several schedulers over one cell, in virtual time: what must hold whatever the seed. */
class ManySchedulersTest {
    private static final int MACHINES = 40;
    private static final int SCHEDULERS = 4;
    private static final int JOBS = 200;
    private static final long HAPPENINGS_MAX = 2_000_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whateverTheSeed(long seed) {
        SimulatedWorld world = run(seed);

        everyPlaceableTaskWasPlacedAndRan(world);
        noSchedulerPlannedMoreOftenThanItHadReasonTo(world);
        allReplicasEndAlike(world);
        assertThat(conflicts(world)).isPositive();
    }

    private static void everyPlaceableTaskWasPlacedAndRan(SimulatedWorld world) {
        assertThat(world.view().jobs())
                .allSatisfy(job -> assertThat(job.isEnded() || isTooLarge(job)).isTrue());
        assertThat(world.view().taskCounts().onMachines()).isZero();
    }

    /** A plan has a reason: a job, an attempt that was begun again, a transaction that left something or made room. */
    private static void noSchedulerPlannedMoreOftenThanItHadReasonTo(SimulatedWorld world) {
        for (WorldScheduler<?> scheduler : world.schedulers()) {
            LoopCounters did = scheduler.status().counters();
            long begun = jobsOf(world, scheduler.name()) + did.steps();
            assertThat(did.plans())
                    .as("%s %s", scheduler.name(), did)
                    .isLessThanOrEqualTo(begun + 2 * did.transactionsAttempted());
            assertThat(did.plansRepeated() + did.plansFailed() + did.plansEmpty())
                    .isZero();
        }
    }

    private static void allReplicasEndAlike(SimulatedWorld world) {
        assertThat(world.schedulers())
                .allSatisfy(scheduler -> assertThat(scheduler.view().digest())
                        .isEqualTo(world.view().digest()));
    }

    private static long conflicts(SimulatedWorld world) {
        return world.schedulers().stream()
                .mapToLong(each -> each.status().counters().claimsConflicted())
                .sum();
    }

    @Test
    void sameSeed_sameTransactions() {
        long once = run(11).transactionsDigest();
        assertThat(run(11).transactionsDigest()).isEqualTo(once);
        assertThat(run(12).transactionsDigest()).isNotEqualTo(once);
    }

    private static SimulatedWorld run(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int machine = 0; machine < MACHINES; machine++) {
            world.putMachine("m" + machine, 4_000, 8_192);
        }
        for (int place = 0; place < SCHEDULERS; place++) {
            Scheduler<?> scheduler = new RandomisedFirstFit().scheduler();
            world.addScheduler("s" + place, scheduler, 1 + random.nextInt(60), place == 0 ? 1 : 16);
        }
        for (int job = 0; job < JOBS; job++) {
            JobHeader header = drawJob("job-" + job, random);
            world.after(random.nextLong(5_000), () -> world.submit(header));
        }
        world.after(1_000, () -> world.loseMachine("m3"));
        world.after(2_000, () -> world.putMachine("m3", 4_000, 8_192));
        world.run(HAPPENINGS_MAX);
        return world;
    }

    private static JobHeader drawJob(String name, SplittableRandom random) {
        List<GroupHeader> groups = new ArrayList<>();
        int tooLarge = random.nextInt(50) == 0 ? 10 : 1;
        boolean allOrNothing = random.nextInt(5) == 0;
        for (int group = 0; group < 1 + random.nextInt(2); group++) {
            Amounts shape = Amounts.of(250L * (1 + random.nextInt(8)) * tooLarge, 512);
            groups.add(new GroupHeader(
                    "g" + group, 1 + random.nextInt(allOrNothing ? 10 : 30), shape, new Restart(5, 50, 400)));
        }
        return new JobHeader(
                name,
                JobType.BATCH,
                "s" + random.nextInt(SCHEDULERS),
                "default",
                random.nextInt(101),
                allOrNothing ? Atomicity.ALL_OR_NOTHING : Atomicity.INCREMENTAL,
                random.nextInt(3) == 0 ? ConflictRule.MACHINE : ConflictRule.RESOURCE,
                groups);
    }

    private static boolean isTooLarge(JobRow job) {
        return job.header().groups().stream().anyMatch(group -> group.shape().at(0) > 4_000);
    }

    private static long jobsOf(SimulatedWorld world, String scheduler) {
        return world.view().jobs().stream()
                .filter(job -> job.header().scheduler().equals(scheduler))
                .count();
    }
}
