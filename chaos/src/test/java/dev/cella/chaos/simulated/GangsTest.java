package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskState;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two gangs of two schedulers each need more than half of the cell's machines as wholes, while small tasks wait for anything
 * that becomes free. Retrying starves both gangs, holds do not, and neither waits for the other forever.
 */
class GangsTest {
    private static final int MACHINES = 6;
    private static final int CORES = 4;
    private static final int GANG = 4;
    private static final long END_MILLIS = 20_000;
    private static final long FILLED_UNTIL_MILLIS = 25_000;
    private static final long HOLD_AFTER_MILLIS = 1_000;
    private static final long NEVER_MILLIS = 3_600_000;
    private static final Restart RESTART = new Restart(50, 50, 200);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void twoGangsThatEachNeedMoreThanHalf_bothFinish(long seed) {
        SimulatedWorld world = world(seed, HOLD_AFTER_MILLIS);
        while (world.now() < END_MILLIS) {
            world.runUntil(world.now() + 10);
            checkStartedTogether(world, "one");
            checkStartedTogether(world, "two");
        }

        assertThat(job(world, "one").state()).isEqualTo(JobState.FINISHED);
        assertThat(job(world, "two").state()).isEqualTo(JobState.FINISHED);
        assertThat(world.schedulers())
                .allSatisfy(each ->
                        assertThat(each.status().counters().plansFailed()).isZero());
        world.view().checkTruths();
    }

    @Test
    void withoutHolds_theyStarve() {
        SimulatedWorld world = world(1, NEVER_MILLIS);
        world.runUntil(END_MILLIS);

        assertThat(job(world, "one").pending()).isEqualTo(GANG);
        assertThat(job(world, "two").pending()).isEqualTo(GANG);
    }

    private static JobRow job(SimulatedWorld world, String name) {
        return world.view().job(name).orElseThrow();
    }

    /** The placed, running and finished tasks of a gang are the whole gang, or a part of one that is ending. */
    private static void checkStartedTogether(SimulatedWorld world, String name) {
        world.view().job(name).ifPresent(job -> {
            int pending = job.group(0).pending();
            int alive = job.group(0).onMachines();
            boolean ending = hasEndedToBeTriedAgain(world, job);
            assertThat(alive == 0 || pending == 0 || ending)
                    .as("%s at %s: %s on machines, %s pending", name, world.now(), alive, pending)
                    .isTrue();
        });
    }

    private static boolean hasEndedToBeTriedAgain(SimulatedWorld world, JobRow job) {
        for (int index = 0; index < GANG; index++) {
            TaskRow task = world.view().task(job.group(0), index);
            if (task.state() == TaskState.FAILED || task.state() == TaskState.KILLED) {
                return true;
            }
        }
        return false;
    }

    private static SimulatedWorld world(long seed, long holdAfterMillis) {
        SimulatedWorld world = new SimulatedWorld(seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int machine = 0; machine < MACHINES; machine++) {
            world.putMachine("m" + machine, 1_000 * CORES, 8_192);
        }
        world.addScheduler("small", new RandomisedFirstFit().scheduler(), 1, 16);
        world.addScheduler("first", new RandomisedFirstFit().scheduler(), 1 + random.nextInt(20), 16);
        world.addScheduler("second", new RandomisedFirstFit().scheduler(), 1 + random.nextInt(20), 16);
        for (long at = 0; at < FILLED_UNTIL_MILLIS; at += 50) {
            String name = "small-" + at;
            world.after(at, () -> world.submit(small(name)));
        }
        world.after(500 + random.nextLong(500), () -> world.submit(gang("one", "first", holdAfterMillis)));
        world.after(500 + random.nextLong(500), () -> world.submit(gang("two", "second", holdAfterMillis)));
        return world;
    }

    private static JobHeader small(String name) {
        return header(name, "small", new GroupHeader("main", 8, Amounts.of(1_000, 256), Restart.BATCH));
    }

    private static JobHeader gang(String name, String scheduler, long holdAfterMillis) {
        Gang gang = new Gang(GANG, holdAfterMillis, Gang.Restarts.ALL);
        Amounts machine = Amounts.of(1_000 * CORES, 1_024);
        return header(
                name,
                scheduler,
                new GroupHeader("main", GANG, machine, RESTART, 0, 0, OnLost.REPLACE, Optional.of(gang)));
    }

    private static JobHeader header(String name, String scheduler, GroupHeader group) {
        return new JobHeader(
                name,
                JobType.BATCH,
                scheduler,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }
}
