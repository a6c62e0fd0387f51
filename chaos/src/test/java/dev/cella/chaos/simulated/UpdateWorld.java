package dev.cella.chaos.simulated;

import dev.cella.chaos.check.Checker;
import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checkers;
import dev.cella.chaos.history.History;
import dev.cella.scheduler.batch.BatchSchedulerProvider;
import dev.cella.scheduler.service.ServiceSchedulerProvider;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.SchedulerProvider;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.UpdatePolicy;
import dev.cella.transactions.cell.tables.CellLimits;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One seed of a small world that is fuller than it can hold at once, while everything happens together: rolling updates, scales,
 * restarts by hand, preemption, drains, lost machines and killed schedulers. The seed draws what there is, what happens and
 * when. Then it is quiet, and each of these must be so at the end: every service has its newest generation whole, every batch job
 * is over, no plan failed, and the log shows no task that waited beside its room and no job that was passed over.
 */
public final class UpdateWorld {
    private static final long EVENTS_MILLIS = 20_000;

    /** By then machines are back, drained ones too, and schedulers run again. */
    private static final long HEALED_MILLIS = 30_000;

    private static final long END_MILLIS = 240_000;
    private static final long DECISION_MILLIS_MAX = 20;
    private static final long LEASE_MILLIS = 2_000;
    private static final int COUNT_MAX = 5;

    private static final Set<String> CHECKERS = Set.of("C1", "C19", "C20", "C22");
    private static final Restart OFTEN = new Restart(Restart.UNLIMITED, 50, 800);
    private static final List<SchedulerProvider> SCHEDULERS =
            List.of(new BatchSchedulerProvider(), new ServiceSchedulerProvider());

    private record Service(String name, int priority, int count) {
        JobHeader job(long cpuMilli) {
            return UpdateWorld.job(name, JobType.SERVICE, priority, count, cpuMilli, Atomicity.INCREMENTAL);
        }
    }

    private final History history = new History(CellLimits.STANDARD);
    private final SplittableRandom random;
    private final SimulatedWorld world;
    private final int machines;
    private final List<Service> services = new ArrayList<>();
    private final Map<String, Integer> asked = new HashMap<>();
    private final List<String> wrong = new ArrayList<>();

    private UpdateWorld(long seed) {
        random = new SplittableRandom(seed);
        world = new SimulatedWorld(seed, history);
        machines = 5 + random.nextInt(3);
    }

    /** Runs the world of that seed. Answers a line for each failure: its checker, a tab, and the violation. */
    public static List<String> problems(long seed) {
        UpdateWorld world = new UpdateWorld(seed);
        world.run();
        world.check();
        return world.wrong;
    }

    private void run() {
        world.withServicesThatStay();
        world.withLeader();
        for (int machine = 0; machine < machines; machine++) {
            world.putMachine("m" + machine, 4_000, 16_384);
        }
        SCHEDULERS.forEach(this::startScheduler);
        submitServices();
        submitBatches();
        several(2, 5, this::loseMachine);
        several(0, 2, this::drainMachine);
        several(0, 4, this::restartTask);
        several(0, 3, this::scale);
        several(0, 2, this::killScheduler);
        world.runUntil(END_MILLIS);
    }

    /** Does it between {@code least} and {@code most} times, each at another moment. */
    private void several(int least, int most, Runnable what) {
        int times = least + random.nextInt(1 + most - least);
        for (int time = 0; time < times; time++) {
            sometime(what);
        }
    }

    private void sometime(Runnable what) {
        world.after(1_000 + random.nextLong(EVENTS_MILLIS), what);
    }

    // ---- what happens

    private void startScheduler(SchedulerProvider provider) {
        long decisionMillis = 1 + random.nextLong(DECISION_MILLIS_MAX);
        history.decisionMillis.put(provider.type(), DECISION_MILLIS_MAX);
        Scheduler<?> scheduler = provider.create(SchedulerOptions.of(provider.options(), Map.of()));
        world.addScheduler(provider.type(), scheduler, decisionMillis, 16);
    }

    /** In the middle of whatever it does. Its supervisor starts it again, without a memory. */
    private void killScheduler() {
        SchedulerProvider provider = SCHEDULERS.get(random.nextInt(SCHEDULERS.size()));
        world.schedulers().stream()
                .filter(each -> each.name().equals(provider.type()))
                .findFirst()
                .ifPresent(killed -> {
                    world.kill(killed, LEASE_MILLIS);
                    world.after(1 + random.nextLong(2 * LEASE_MILLIS), () -> startScheduler(provider));
                });
    }

    /** Each is updated one to three times, at times that may overlap; the first may spare no task. */
    private void submitServices() {
        int many = 1 + random.nextInt(3);
        for (int number = 0; number < many; number++) {
            Service service = new Service("web-" + number, 60 + number, 2 + random.nextInt(4));
            services.add(service);
            OptionalInt minHealthy = number == 0 ? OptionalInt.of(service.count()) : OptionalInt.empty();
            UpdatePolicy policy = new UpdatePolicy(1 + random.nextInt(3), minHealthy, 500, 0, 120_000, true);
            asked.put(service.name(), service.count());
            world.submit(service.job(500), Placement.ofLives(GroupLife.PLAIN.with(policy)));
            several(1, 3, () -> update(service, 500 + 100L * random.nextInt(4)));
        }
    }

    /** One task of any job, or all tasks of one that wants them together, fit beside all services. */
    private void submitBatches() {
        for (int number = 0; number < 3 * machines; number++) {
            boolean whole = random.nextInt(5) == 0;
            JobHeader job = job(
                    "job-" + number,
                    JobType.BATCH,
                    1 + random.nextInt(99),
                    1 + random.nextInt(8),
                    500L * (whole ? 1 : 1 + random.nextInt(3)),
                    whole ? Atomicity.ALL_OR_NOTHING : Atomicity.INCREMENTAL);
            sometime(() -> world.submit(job));
        }
    }

    /** The number is kept, whatever an update does at that moment: also if it has scaled the group to that number itself. */
    private void scale() {
        JobRow job = drawService();
        int count = drawCount(job, 1 + random.nextInt(COUNT_MAX));
        world.apply(new Command.ScaleGroup(job.id(), 0, count));
        asked.put(job.name(), count);
    }

    /**
     * In a third of the draws, the number that the group has at the moment, with the extra tasks of an update, or one more: the
     * number that it may be about to have. More than five tasks of each service would leave batch jobs no room.
     */
    private int drawCount(JobRow job, int otherwise) {
        int soon = job.group(0).header().count() + random.nextInt(2);
        return random.nextInt(3) == 0 && soon <= COUNT_MAX ? soon : otherwise;
    }

    private void update(Service service, long cpuMilli) {
        int count = drawCount(row(service), service.count());
        world.update(new Service(service.name(), service.priority(), count).job(cpuMilli));
        asked.put(service.name(), count);
    }

    private void loseMachine() {
        String machine = "m" + random.nextInt(machines);
        world.loseMachine(machine);
        world.after(2_000, () -> bringBack(machine));
    }

    /** Until a deadline that the service scheduler may keep or miss. */
    private void drainMachine() {
        String machine = "m" + random.nextInt(machines);
        MachineId id = world.view().machine(machine).orElseThrow().id();
        world.apply(new Command.DrainMachine(id, 500 + random.nextLong(5_000), Drain.BatchTasks.FINISH));
        world.after(6_000, () -> bringBack(machine));
    }

    private void bringBack(String machine) {
        MachineId id = world.view().machine(machine).orElseThrow().id();
        world.apply(new Command.ChangeMachine(id, Command.MachineChange.READY, false));
    }

    /** As {@code cella job restart} does: an operator evicts a running task, whatever its update does at that moment. */
    private void restartTask() {
        JobRow job = drawService();
        TaskRow task = world.view()
                .task(job.group(0), random.nextInt(job.group(0).header().count()));
        if (task.state() == TaskState.RUNNING) {
            world.commit(Transaction.builder(new TransactionId("restart-" + world.now()), "service")
                    .incarnation(world.view().incarnation())
                    .basis(world.view().version())
                    .evict(new Eviction(task.id(), task.attempt(), OptionalInt.empty()))
                    .build());
        }
    }

    private JobRow drawService() {
        return row(services.get(random.nextInt(services.size())));
    }

    private JobRow row(Service service) {
        return world.view().job(service.name()).orElseThrow();
    }

    private static JobHeader job(
            String name, JobType type, int priority, int tasks, long cpuMilli, Atomicity atomicity) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, 64), OFTEN);
        return new JobHeader(
                name,
                type,
                type == JobType.SERVICE ? "service" : "batch",
                "default",
                priority,
                atomicity,
                ConflictRule.RESOURCE,
                List.of(group));
    }

    // ---- what must hold

    private void check() {
        world.view().jobs().stream()
                .filter(job -> job.header().type() == JobType.BATCH && !job.isEnded())
                .forEach(this::starves);
        services.forEach(this::checkWhole);
        world.schedulers().forEach(this::checkPlans);
        history.healed(TimeUnit.MILLISECONDS.toNanos(HEALED_MILLIS));
        history.ended(TimeUnit.MILLISECONDS.toNanos(END_MILLIS));
        Evidence evidence = Evidence.of(history);
        for (Checker checker : Checkers.all()) {
            if (CHECKERS.contains(checker.number())) {
                checker.check(evidence)
                        .forEach(found -> wrong.add(checker.number() + "\t" + found.at() + ": " + found.what()));
            }
        }
    }

    private void checkWhole(Service service) {
        JobRow job = row(service);
        GroupRow group = job.group(0);
        boolean isWhole = IntStream.range(0, group.header().count())
                .mapToObj(index -> world.view().task(group, index))
                .allMatch(task -> task.state() == TaskState.RUNNING && task.generation() == job.generation());
        if (!isWhole) {
            starves(job);
        }
        int count = group.header().count();
        if (asked.getOrDefault(service.name(), 0) != count) {
            wrong.add("the end\t" + job.name() + " has " + count + " tasks, but was asked to have "
                    + asked.get(service.name()));
        }
    }

    private void checkPlans(WorldScheduler<?> scheduler) {
        scheduler
                .status()
                .lastPlannerFailure()
                .ifPresent(failure -> wrong.add("a plan failed\t" + scheduler.name() + ": " + failure));
        if (scheduler.status().counters().plansRepeated() > 0) {
            wrong.add("a plan failed\t" + scheduler.name() + " made the same plan again");
        }
    }

    /** Says how the job stands with its scheduler. */
    private void starves(JobRow job) {
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
        wrong.add("the end\t" + job.name() + " is not whole: generation " + job.generation() + ": " + tasks + "; "
                + open);
    }
}
