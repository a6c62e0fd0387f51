package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.apollo.ApolloSchedulerProvider;
import dev.cella.scheduler.batch.megha.MeghaSchedulerProvider;
import dev.cella.scheduler.batch.sparrow.SparrowSchedulerProvider;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Restart;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Schedulers of the types that queue tasks at machines, and of type megha, in a world that is fuller than it can hold at once, with machines that are lost,
 * drained and ready again, and an instance that is killed: whatever the seed, no queue row outlives its task, and every job
 * ends.
 */
class QueueingWorldTest {
    private static final int MACHINES = 10;
    private static final long STEP_MILLIS = 100;
    private static final long LEASE_MILLIS = 3_000;
    private static final Restart OFTEN = new Restart(Restart.UNLIMITED, 50, 800);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sparrows_endEveryJob_andNoQueueRowOutlivesItsTask(long seed) {
        assertThat(endsEveryJob(seed, sparrow(2), sparrow(2), sparrow(3)).queued())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void apolloBesideSparrow_endsEveryJob_andNoQueueRowOutlivesItsTask(long seed) {
        assertThat(endsEveryJob(seed, apollo(), apollo(), sparrow(2)).queued()).isTrue();
    }

    /** Tokens for two tasks, and two more for each as spare work, which ends when the other scheduler's work needs the room. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void apolloWithTokensBesideSparrow_endsEveryJob_andUpgradesSpareTasks(long seed) {
        Map<String, String> tokens = Map.of("tokens", "2", "sparePerToken", "2");
        Seen seen = endsEveryJob(seed, apollo(tokens), apollo(tokens), sparrow(2));
        assertThat(seen.queued()).isTrue();
        assertThat(seen.upgraded()).isPositive();
    }

    /** Two global masters share one scheduler's jobs and machines; one of them is killed. A third has jobs of its own. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void meghas_endEveryJob_andQueueNothing(long seed) {
        assertThat(endsEveryJob(seed, megha("paper"), megha("public"), megha("public"))
                        .queued())
                .isFalse();
    }

    /**
     * What happened on the way.
     *
     * @param queued whether a task was queued at a machine at some time
     * @param upgraded how many spare tasks became tasks like any other, where they were
     */
    private record Seen(boolean queued, int upgraded) {}

    /**
     * Runs jobs of three schedulers to their ends, and returns what happened on the way.
     *
     * @param killed another instance of the first scheduler, which is killed on the way
     */
    private static Seen endsEveryJob(long seed, Scheduler<?> one, Scheduler<?> killed, Scheduler<?> other) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedWorld world = new SimulatedWorld(seed);
        world.withLeader();
        for (int machine = 0; machine < MACHINES; machine++) {
            world.putMachine("m" + machine, 4_000, 16_384);
        }
        world.addScheduler("one", one, 1 + random.nextInt(20), 16);
        WorldScheduler<?> second = world.addInstance("one", "two", killed);
        world.addScheduler("other", other, 1 + random.nextInt(20), 16);
        for (int number = 0; number < 40; number++) {
            world.submit(job("job-" + number, number % 2 == 0 ? "one" : "other", 1 + random.nextInt(8)));
        }
        world.after(1 + random.nextInt(2_000), () -> world.kill(second, LEASE_MILLIS));
        boolean hasQueued = false;
        Set<PlacementId> spare = new HashSet<>();
        Set<PlacementId> upgraded = new HashSet<>();
        for (long at = world.now(); at < 40_000; at += STEP_MILLIS) {
            world.runUntil(at);
            trouble(world, random);
            check(world.view());
            hasQueued |= world.view().queued() > 0;
            look(world.view(), spare, upgraded);
        }
        for (int machine = 0; machine < MACHINES; machine++) {
            change(world, machine, Command.MachineChange.READY);
        }
        world.runUntil(80_000);

        assertThat(world.view().queued()).isZero();
        assertThat(world.view().spareTasks()).isZero();
        assertThat(world.view().jobs()).allMatch(JobRow::isEnded);
        assertThat(world.schedulers()).allSatisfy(each -> {
            assertThat(each.status().lastPlannerFailure()).as(each.name()).isEmpty();
            assertThat(each.status().counters().plansRepeated()).as(each.name()).isZero();
        });
        return new Seen(hasQueued, upgraded.size());
    }

    private static void look(CellView view, Set<PlacementId> spare, Set<PlacementId> upgraded) {
        for (int machine = 0; machine < view.machineSlots(); machine++) {
            view.forEachTaskOn(machine, task -> {
                PlacementId placement = task.placement().orElseThrow();
                if (task.spare()) {
                    spare.add(placement);
                } else if (spare.contains(placement)) {
                    upgraded.add(placement);
                }
            });
        }
    }

    private static Scheduler<?> megha(String variant) {
        MeghaSchedulerProvider provider = new MeghaSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of("variant", variant)));
    }

    private static Scheduler<?> sparrow(int probes) {
        SparrowSchedulerProvider provider = new SparrowSchedulerProvider();
        return provider.create(SchedulerOptions.of(provider.options(), Map.of("probes", String.valueOf(probes))));
    }

    private static Scheduler<?> apollo() {
        return apollo(Map.of());
    }

    private static Scheduler<?> apollo(Map<String, String> more) {
        ApolloSchedulerProvider provider = new ApolloSchedulerProvider();
        Map<String, String> options = new TreeMap<>(more);
        options.put("runSeconds", "1");
        return provider.create(SchedulerOptions.of(provider.options(), options));
    }

    /** Machines without an agent are ready again as soon as an operator says so. */
    private static void trouble(SimulatedWorld world, SplittableRandom random) {
        int machine = random.nextInt(MACHINES);
        switch (random.nextInt(12)) {
            case 0 -> world.loseMachine("m" + machine);
            case 1 -> change(world, machine, Command.MachineChange.DRAIN);
            case 2, 3, 4 -> change(world, machine, Command.MachineChange.READY);
            default -> {}
        }
    }

    private static void change(SimulatedWorld world, int machine, Command.MachineChange change) {
        world.apply(new Command.ChangeMachine(
                world.view().machine("m" + machine).orElseThrow().id(), change, false));
    }

    private static void check(CellView view) {
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            for (QueueRow row : view.queueOn(slot)) {
                assertThat(row.group().isPending(row.index()))
                        .as("%s", row.task())
                        .isTrue();
                assertThat(view.isReady(slot)).as("%s", view.machineName(slot)).isTrue();
            }
        }
    }

    private static JobHeader job(String name, String scheduler, int tasks) {
        return new JobHeader(
                name,
                JobType.BATCH,
                scheduler,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", tasks, Amounts.of(1_000, 64), OFTEN)));
    }
}
