package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.scheduler.service.ServicePlanner;
import dev.cella.scheduling.loop.LoopOptions;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.MachineIndex;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Spread;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Services of two schedulers beside a batch scheduler, on machines that are lost and come back, while tasks fail and
 * end. With every seed, a service stays at its count and stays spread.
 */
class ServicesTest {
    private static final int RACKS = 8;
    private static final int MACHINES_A_RACK = 5;
    private static final int SERVICES = 10;
    private static final int COUNT = 8;
    private static final long STARTED_MILLIS = 10_000;
    private static final long END_MILLIS = 60_000;
    private static final long SAMPLE_MILLIS = 50;

    /** The longest restart delay, the network delays, and the decision times of two planners. */
    private static final long MISSING_MILLIS_MAX = 2_000;

    /** The longest wait of a lost task. It doubles with each loss of the same task. */
    private static final long LOST_MILLIS_MAX = LoopOptions.LOST.delayMillisMax();

    private static final Restart RESTART = new Restart(Restart.UNLIMITED, 50, 800);

    /** A task that is on no machine: since when, and whether it still waits for its start after a loss. */
    private record Missing(long since, boolean isLost) {}

    /** The state of the services from sample to sample. */
    private static final class Watch {
        private final SimulatedWorld world;
        private final Map<TaskId, Missing> missing = new HashMap<>();
        long samples;
        long racksUsed;

        Watch(SimulatedWorld world) {
            this.world = world;
        }

        void sample() {
            assertThat(machinesReady(world.view()))
                    .as("machines that are ready at %s: each is back before the next is lost", world.now())
                    .isGreaterThanOrEqualTo(RACKS * MACHINES_A_RACK - 1);
            for (JobRow job : world.view().jobs()) {
                if (job.header().type() == JobType.SERVICE) {
                    job.groups().forEach(this::sample);
                }
            }
        }

        private void sample(GroupRow group) {
            Map<String, Integer> byRack = new TreeMap<>();
            Map<Integer, Integer> byMachine = new HashMap<>();
            for (int index = 0; index < group.header().count(); index++) {
                int machine = world.view().machineOf(group, index);
                look(new TaskId(group.job().id(), group.place(), index), machine >= 0);
                if (machine >= 0) {
                    byRack.merge(world.view().attributes(machine).get("rack"), 1, Integer::sum);
                    byMachine.merge(machine, 1, Integer::sum);
                }
            }
            assertThat(byMachine.values()).allMatch(tasks -> tasks <= 2);
            samples++;
            racksUsed += byRack.size();
        }

        private void look(TaskId task, boolean isThere) {
            if (isThere || world.now() < STARTED_MILLIS) {
                missing.remove(task);
                return;
            }
            boolean isLost = world.view().task(task).orElseThrow().state() == TaskState.LOST;
            Missing before = missing.get(task);
            if (before == null || before.isLost() != isLost) {
                before = new Missing(world.now(), isLost);
                missing.put(task, before);
            }
            assertThat(world.now() - before.since())
                    .as("%s is missing at %s", task, world.now())
                    .isLessThanOrEqualTo(isLost ? LOST_MILLIS_MAX : MISSING_MILLIS_MAX);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void serviceStaysAtItsCount_andSpread(long seed) {
        SimulatedWorld world = world(seed);
        Watch watch = new Watch(world);
        watchUntil(END_MILLIS, world, watch);

        double racksOfAService = (double) watch.racksUsed / watch.samples;
        assertThat(racksOfAService)
                .as("racks of %s that a service is on, in the mean", RACKS)
                .isGreaterThan(6.5);
        assertThat(world.schedulers())
                .allSatisfy(each ->
                        assertThat(each.status().counters().plansFailed()).isZero());
    }

    private static void watchUntil(long millis, SimulatedWorld world, Watch watch) {
        while (world.now() < millis) {
            world.runUntil(world.now() + SAMPLE_MILLIS);
            watch.sample();
        }
    }

    @Test
    void serviceIsScaledUpAndDown() {
        SimulatedWorld world = world(21);
        world.runUntil(STARTED_MILLIS);

        world.update(service("service-0", "a", 14));
        world.runUntil(world.now() + MISSING_MILLIS_MAX);
        assertThat(onMachines(world.view(), "service-0")).isBetween(13, 14);

        world.update(service("service-0", "a", 3));
        world.runUntil(world.now() + 2 * MISSING_MILLIS_MAX);
        assertThat(onMachines(world.view(), "service-0")).isBetween(2, 3);
    }

    private static long machinesReady(CellView view) {
        return IntStream.range(0, view.machineSlots()).filter(view::isReady).count();
    }

    private static int onMachines(CellView view, String job) {
        return view.job(job).orElseThrow().counts().onMachines();
    }

    private static SimulatedWorld world(long seed) {
        SimulatedWorld world = new SimulatedWorld(seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int machine = 0; machine < RACKS * MACHINES_A_RACK; machine++) {
            bootMachine(world, machine);
        }
        world.addScheduler("a", new ServicePlanner(4, List.of("rack")).scheduler(), 1 + random.nextInt(60), 16);
        world.addScheduler("b", new ServicePlanner(4, List.of("rack")).scheduler(), 1 + random.nextInt(60), 1);
        world.addScheduler("batch", new RandomisedFirstFit().scheduler(), 1 + random.nextInt(20), 16);
        for (int service = 0; service < SERVICES; service++) {
            JobHeader header = service("service-" + service, service % 2 == 0 ? "a" : "b", COUNT);
            world.after(random.nextLong(2_000), () -> world.submit(header, placement()));
        }
        for (long at = 3_000; at < END_MILLIS; at += 2_000) {
            int machine = random.nextInt(RACKS * MACHINES_A_RACK);
            world.after(at, () -> world.loseMachine("m" + machine));
            world.after(at + 1_500, () -> bootMachine(world, machine));
        }
        for (long at = 1_000; at < END_MILLIS; at += 1 + random.nextLong(400)) {
            String name = "batch-" + at;
            world.after(at, () -> world.submit(batch(name)));
        }
        return world;
    }

    private static void bootMachine(SimulatedWorld world, int machine) {
        world.bootMachine("m" + machine, 4_000, 8_192, Map.of("rack", "r" + machine / MACHINES_A_RACK));
    }

    private static Placement placement() {
        return new Placement(List.of(GroupPlacement.ANYWHERE
                .with(new Distinct(MachineIndex.MACHINE, 2))
                .with(Spread.evenly("rack"))));
    }

    private static JobHeader service(String name, String scheduler, int count) {
        return header(name, JobType.SERVICE, scheduler, new GroupHeader("main", count, Amounts.of(500, 512), RESTART));
    }

    private static JobHeader batch(String name) {
        return header(name, JobType.BATCH, "batch", new GroupHeader("main", 8, Amounts.of(500, 256), Restart.BATCH));
    }

    private static JobHeader header(String name, JobType type, String scheduler, GroupHeader group) {
        return new JobHeader(
                name,
                type,
                scheduler,
                "default",
                type == JobType.SERVICE ? 70 : 50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }
}
