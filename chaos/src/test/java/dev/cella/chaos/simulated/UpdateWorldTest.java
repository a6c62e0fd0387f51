package dev.cella.chaos.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.service.ServiceSchedulerProvider;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Rolling updates, restarts, preemption, drains and lost machines together in a world that is fuller than it can hold at once:
 * whatever the seed, nobody starves. Every service ends with its newest generation whole, every batch job ends, and no plan
 * fails.
 *
 * <p>{@code -Dcella.update.seeds=20000} runs more seeds.
 */
class UpdateWorldTest {
    private static final int MACHINES = 10;
    private static final int SERVICES = 4;
    private static final int TASKS = 5;
    private static final long UPDATES_MILLIS = 30_000;
    private static final long END_MILLIS = 240_000;
    private static final Restart OFTEN = new Restart(Restart.UNLIMITED, 50, 800);

    /** The seeds are independent of each other, so all processors share them. */
    @Test
    void nobodyStarves_whateverTheSeed() {
        Map<Long, String> failed = new ConcurrentSkipListMap<>();
        LongStream.rangeClosed(1, Long.getLong("cella.update.seeds", 2000))
                .parallel()
                .forEach(seed -> {
                    try {
                        nobodyStarves(seed);
                    } catch (AssertionError | RuntimeException failure) {
                        failed.put(seed, failure.toString());
                    }
                });
        assertThat(failed).as("failures by seed").isEmpty();
    }

    private static void nobodyStarves(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedWorld world = new SimulatedWorld(seed);
        world.withServicesThatStay();
        world.withLeader();
        for (int machine = 0; machine < MACHINES; machine++) {
            world.putMachine("m" + machine, 4_000, 16_384);
        }
        world.addScheduler("service", scheduler(new ServiceSchedulerProvider()), 1 + random.nextInt(20), 16);
        world.addScheduler("batch", scheduler(new BatchSchedulerProvider()), 1 + random.nextInt(20), 16);
        submitServices(world, random);
        submitBatches(world, random);
        loseMachines(world, random);
        restartTasks(world, random);
        drainMachines(world, random);
        world.runUntil(END_MILLIS);

        assertThat(world.view().jobs().stream()
                        .filter(job -> job.header().type() == JobType.BATCH && !job.isEnded())
                        .map(job -> describe(world, job)))
                .isEmpty();
        for (int service = 0; service < SERVICES; service++) {
            checkWhole(world, world.view().job("web-" + service).orElseThrow());
        }
        assertThat(world.schedulers()).allSatisfy(each -> {
            assertThat(each.status().lastPlannerFailure()).as(each.name()).isEmpty();
            assertThat(each.status().counters().plansRepeated()).as(each.name()).isZero();
        });
    }

    private static void checkWhole(SimulatedWorld world, JobRow job) {
        GroupRow group = job.group(0);
        assertThat(group.header().count()).as(job.name()).isEqualTo(TASKS);
        for (int index = 0; index < TASKS; index++) {
            assertThat(world.view().task(group, index).state())
                    .as(describe(world, job))
                    .isEqualTo(TaskState.RUNNING);
            assertThat(world.view().task(group, index).generation())
                    .as(job.name())
                    .isEqualTo(job.generation());
        }
    }

    /** How the job stands with its scheduler. */
    private static String describe(SimulatedWorld world, JobRow job) {
        String tasks = IntStream.range(0, job.group(0).header().count())
                .mapToObj(index -> world.view().task(job.group(0), index))
                .map(task -> task.state() + "@" + task.generation() + " on "
                        + task.machineName().orElse("none") + " waiting for " + task.waitingFor())
                .collect(Collectors.joining(", "));
        String open = world.schedulers().stream()
                .flatMap(each -> each.status().jobs().stream())
                .filter(each -> each.id().equals(job.id()))
                .map(Object::toString)
                .collect(Collectors.joining());
        return job.name() + " generation " + job.generation() + ": " + tasks + "; " + open;
    }

    private static Scheduler<?> scheduler(SchedulerProvider provider) {
        return provider.create(SchedulerOptions.of(provider.options(), Map.of()));
    }

    /** Each is updated three times, at times that may overlap; one of them may spare no task. */
    private static void submitServices(SimulatedWorld world, SplittableRandom random) {
        for (int service = 0; service < SERVICES; service++) {
            String name = "web-" + service;
            OptionalInt minHealthy = service == 0 ? OptionalInt.of(TASKS) : OptionalInt.empty();
            UpdatePolicy policy = new UpdatePolicy(1 + random.nextInt(3), minHealthy, 500, 0, 120_000, true);
            int priority = 60 + service;
            world.submit(
                    job(name, "service", JobType.SERVICE, priority, TASKS, 500),
                    Placement.ofLives(GroupLife.PLAIN.with(policy)));
            for (int update = 1; update <= 3; update++) {
                long cpuMilli = 500 + 100L * random.nextInt(4);
                world.after(
                        random.nextLong(UPDATES_MILLIS),
                        () -> world.update(job(name, "service", JobType.SERVICE, priority, TASKS, cpuMilli)));
            }
        }
    }

    private static void submitBatches(SimulatedWorld world, SplittableRandom random) {
        for (int number = 0; number < 30; number++) {
            JobHeader job =
                    job("job-" + number, "batch", JobType.BATCH, 1 + random.nextInt(99), 1 + random.nextInt(8), 1_000);
            world.after(random.nextLong(UPDATES_MILLIS), () -> world.submit(job));
        }
    }

    private static void loseMachines(SimulatedWorld world, SplittableRandom random) {
        for (long at = 3_000; at < UPDATES_MILLIS; at += 4_000) {
            String machine = "m" + random.nextInt(MACHINES);
            world.after(at, () -> world.loseMachine(machine));
            world.after(at + 2_000, () -> bringBack(world, machine));
        }
    }

    /** As {@code cella job restart} does: an operator evicts a running task, whatever its update does at that moment. */
    private static void restartTasks(SimulatedWorld world, SplittableRandom random) {
        for (int restart = 0; restart < 6; restart++) {
            String id = "restart-" + restart;
            String service = "web-" + random.nextInt(SERVICES);
            int index = random.nextInt(TASKS);
            world.after(5_000 + random.nextLong(UPDATES_MILLIS), () -> restart(world, id, service, index));
        }
    }

    private static void restart(SimulatedWorld world, String id, String service, int index) {
        TaskRow task = world.view().task(world.view().job(service).orElseThrow().group(0), index);
        world.commit(Transaction.builder(new TransactionId(id), "service")
                .incarnation(world.view().incarnation())
                .basis(world.view().version())
                .evict(new Eviction(task.id(), task.attempt(), OptionalInt.empty()))
                .build());
    }

    /** Until a deadline that the service scheduler may keep or miss. */
    private static void drainMachines(SimulatedWorld world, SplittableRandom random) {
        for (int drain = 0; drain < 3; drain++) {
            String machine = "m" + random.nextInt(MACHINES);
            long deadline = 500 + random.nextLong(5_000);
            world.after(4_000 + random.nextLong(UPDATES_MILLIS), () -> {
                MachineId id = world.view().machine(machine).orElseThrow().id();
                world.apply(new Command.DrainMachine(id, deadline, Drain.BatchTasks.FINISH));
                world.after(6_000, () -> bringBack(world, machine));
            });
        }
    }

    private static void bringBack(SimulatedWorld world, String machine) {
        MachineId id = world.view().machine(machine).orElseThrow().id();
        world.apply(new Command.ChangeMachine(id, Command.MachineChange.READY, false));
    }

    private static JobHeader job(String name, String scheduler, JobType type, int priority, int tasks, long cpuMilli) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, 64), OFTEN);
        return new JobHeader(
                name,
                type,
                scheduler,
                "default",
                priority,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }
}
