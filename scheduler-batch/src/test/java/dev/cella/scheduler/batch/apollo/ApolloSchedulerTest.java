package dev.cella.scheduler.batch.apollo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.Happening;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Measure;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Observed;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.QueueOrder;
import dev.cella.scheduling.Wake;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Distinct;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.GroupLife;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Operator;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the type {@code apollo} plans, on machines of one slot each. */
class ApolloSchedulerTest {
    private static final String SCHEDULER = "apollo";
    private static final int RUN_SECONDS = 60;

    private ApolloScheduler scheduler = scheduler(ApolloOptions.UNBOUNDED, 0);
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Map<String, Placement> placements = new HashMap<>();
    private final SessionId session;
    private ApolloMemory memory = scheduler.start();
    private CellTime now = new CellTime(1_000_000);
    private Observations observations = Observations.NONE;
    private long turns;

    /** What the plans so far sent, without the rows that were too old or no longer pending at one of the plans. */
    private final List<SentTask> recent = new ArrayList<>();

    ApolloSchedulerTest() {
        apply(new Command.FoundCell(new CellName("apollo"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        session = new SessionId(
                identity(new Command.OpenSession(SCHEDULER, "one", "apollo", 1_000_000, Optional.empty())));
    }

    private static ApolloScheduler scheduler(int tokens, int sparePerToken) {
        return new ApolloScheduler(new ApolloOptions(RUN_SECONDS, 6_000, tokens, sparePerToken), QueueOrder.PRIORITY);
    }

    /** A plan reads only some of the rows that were sent, and each round drops those that count no longer. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void rowsThatCount_areThoseThatWerePendingAtEachPlanSince(long seed) {
        Random random = new Random(seed);
        for (int machine = 0; machine < 4; machine++) {
            machine("m" + machine, "r0");
        }
        List<JobId> jobs = new ArrayList<>();
        for (int step = 0; step < 1_000; step++) {
            now = now.plusMillis(random.nextInt(200));
            switch (random.nextInt(10)) {
                case 0 -> jobs.add(job("j" + step, SCHEDULER, 1 + random.nextInt(2)));
                case 1, 2, 3 -> startHead(random.nextInt(4));
                case 4, 5 -> endTask(random.nextInt(4), random.nextBoolean());
                case 6 -> round();
                default -> {
                    if (!jobs.isEmpty()) {
                        turn(jobs.get(random.nextInt(jobs.size())));
                    }
                }
            }
        }
        assertThat(jobs)
                .as("a task that ran twice")
                .anyMatch(job ->
                        cell.view().task(new TaskId(job, 0, 0)).orElseThrow().attempt() == 2);
    }

    private void startHead(int machine) {
        List<QueueRow> queue = List.copyOf(cell.view().queueOn(machine));
        if (!queue.isEmpty() && cell.view().free(machine, 0) > 0) {
            starts(queue.get(0).task(), cell.view().machineName(machine));
        }
    }

    /** A task that fails is pending again at once, so that a row of its former attempt might seem to count. */
    private void endTask(int machine, boolean fails) {
        List<TaskRow> running = new ArrayList<>();
        cell.view().forEachTaskOn(machine, running::add);
        for (TaskRow task : running) {
            report(task.id(), fails ? TaskState.FAILED : TaskState.FINISHED);
            if (fails && task.attempt() == 1) {
                apply(new Command.CommitTransaction(
                        Transaction.builder(new TransactionId("again-" + task.id()), SCHEDULER)
                                .step(new Step(Step.Kind.AGAIN, task.id(), task.attempt()))
                                .build()));
            }
        }
    }

    /** "a job with n tokens can have up to cn opportunistic tasks" (3.5). */
    @Test
    void aJobWithTokens_sendsAsManyRegularTasks_andItsAllowanceAsSpareWork() {
        scheduler = scheduler(2, 2);
        for (int machine = 0; machine < 9; machine++) {
            machine("m" + machine, "r0");
        }
        JobId job = job("j", SCHEDULER, 9);
        assertThat(turn(job).wakes()).as("its next turn comes at once").isEmpty();
        assertThat(cell.view().queued()).isEqualTo(2);
        assertThat(cell.view().spareTasks()).isEqualTo(4);

        Plan<ApolloMemory> plan = turn(job);
        assertThat(cell.view().queued() + cell.view().spareTasks()).isEqualTo(6);
        assertThat(plan.unplaced()).singleElement().satisfies(left -> {
            assertThat(left.tasks()).isEqualTo(3);
            assertThat(left.sentence()).contains("excluded by tokens=2");
        });
        assertThat(plan.wakes()).contains(new Wake.On(JobKey.of(job), Happening.ENDED));
    }

    /** The other group may never find room, so nothing of what it waits for may hold back this one. */
    @Test
    void aGroupWithTasksLeft_hasItsNextTurnAtOnce_besideOneThatFitsNowhere() {
        scheduler = scheduler(2, 0);
        machine("m0", "r0");
        GroupHeader large = new GroupHeader("large", 1, Amounts.of(9, 9), Restart.BATCH);
        GroupHeader small = new GroupHeader("small", 5, Amounts.of(1, 1), Restart.BATCH);
        JobId job = job("j", SCHEDULER, List.of(large, small));

        assertThat(turn(job).wakes()).isEmpty();
        assertThat(cell.view().queued()).isEqualTo(2);
        assertThat(turn(job).wakes()).contains(new Wake.On(JobKey.of(job), Happening.ENDED));
    }

    @Test
    void aTokensRegularTask_leavesItsMachineToSpareWork_whenItHasStarted() {
        scheduler = scheduler(1, 2);
        machine("m0", "r0", 4);
        JobId job = job("j", SCHEDULER, 4);
        turn(job);
        TaskId regular = new TaskId(job, 0, 0);
        assertThat(queuedOn(job, 0)).containsExactly("m0");
        Plan<ApolloMemory> plan = turn(job);
        assertThat(cell.view().spareTasks()).as("its row is in the queue").isZero();
        assertThat(plan.wakes())
                .contains(
                        new Wake.On(JobKey.of(job), Happening.STARTED),
                        new Wake.At(JobKey.of(job), now.plusMillis(5_000)));

        starts(regular, "m0");
        Plan<ApolloMemory> next = turn(job);
        assertThat(cell.view().spareTasks()).isEqualTo(2);
        assertThat(next.wakes()).as("its next turn comes at once").isEmpty();
    }

    /** "Apollo upgrades opportunistic tasks to regular ones when tokens become available" (3.5). */
    @Test
    void aFreeToken_upgradesASpareTask_ifNoNewTaskNeedsIt() {
        scheduler = scheduler(1, 1);
        machine("m0", "r0");
        machine("m1", "r0");
        JobId job = job("j", SCHEDULER, 2);
        turn(job);
        TaskId regular = new TaskId(job, 0, 0);
        TaskId spare = new TaskId(job, 0, 1);
        assertThat(cell.view().task(spare).orElseThrow().spare()).isTrue();

        turn(job);
        assertThat(cell.view().task(spare).orElseThrow().spare())
                .as("no token is free")
                .isTrue();
        starts(regular, queuedOn(job, 0).get(0));
        report(regular, TaskState.FINISHED);
        turn(job);
        assertThat(cell.view().task(spare).orElseThrow().spare()).isFalse();
    }

    @Test
    void aTask_goesToTheMachineOnWhichItShouldStartFirst() {
        machine("m0", "r0");
        machine("m1", "r1");
        runs("m0", job("other", SCHEDULER, 1));
        JobId job = job("j", SCHEDULER, 1);
        turn(job);
        assertThat(queuedOn(job, 0)).containsExactly("m1");
    }

    @Test
    void tasks_areDividedAmongMachinesByWhatWaitsThere() {
        machine("m0", "r0");
        machine("m1", "r1");
        JobId job = job("j", SCHEDULER, 10);
        turn(job);
        assertThat(cell.view().queuedOn(0)).isBetween(4, 6);
        assertThat(cell.view().queued()).isEqualTo(10);
    }

    /** "wait times and data locality together" (3.3): 6 GB are read in 37.5 s where they are, and in 75 s elsewhere. */
    @Test
    void aMachineWithTheInput_isWorthAShortWait_andNotALongOne() {
        machine("m0", "r0");
        machine("m1", "r1");
        runs("m0", job("other", SCHEDULER, 1));
        pass(40);
        JobId near = job("near", SCHEDULER, 1);
        reads("near", "m0");
        turn(near);
        assertThat(queuedOn(near, 0)).as("m0 is busy for 20 s more").containsExactly("m0");

        JobId far = job("far", SCHEDULER, 1);
        reads("far", "m0");
        turn(far);
        assertThat(queuedOn(far, 0)).as("m0 is busy for 80 s more").containsExactly("m1");
    }

    /** Both machines are busy; their agents know for how long, and a task counts those that were sent before it. */
    @Test
    void machinesThatReport_areBelieved_withWhatWasSentThereSince() {
        machine("m0", "r0");
        machine("m1", "r1");
        runs("m0", job("other", SCHEDULER, 1));
        runs("m1", job("another", SCHEDULER, 1));
        reports(Map.of("m0", 100.0, "m1", 5.0));
        JobId first = job("first", SCHEDULER, 1);
        turn(first);
        assertThat(queuedOn(first, 0)).as("5 s at m1").containsExactly("m1");
        JobId second = job("second", SCHEDULER, 1);
        turn(second);
        assertThat(queuedOn(second, 0)).as("65 s at m1").containsExactly("m1");
        JobId third = job("third", SCHEDULER, 1);
        turn(third);
        assertThat(queuedOn(third, 0)).as("125 s at m1, 100 s at m0").containsExactly("m0");
    }

    /** The waits of the machines by their reports of now. */
    private void reports(Map<String, Double> waits) {
        double madeAt = now.millis() / 1_000.0;
        observations = new Observations() {
            @Override
            public Optional<Observed> find(int place, Measure measure, String subject) {
                return Optional.empty();
            }

            @Override
            public Optional<WaitMatrix> waits(int place, String machine) {
                double[][] seconds = {{Objects.requireNonNull(waits.get(machine))}};
                return Optional.of(new WaitMatrix(madeAt, new long[] {1}, new long[] {1}, seconds));
            }
        };
    }

    @Test
    void constraints_areKeptInQueues() {
        machine("m0", "r0");
        machine("m1", "r1");
        JobId job = job("j", SCHEDULER, 4);
        placements.put(
                "j",
                new Placement(
                        List.of(GroupPlacement.ANYWHERE.with(new Constraint("rack", Operator.EQ, List.of("r1"))))));
        turn(job);
        assertThat(cell.view().queuedOn(0)).isZero();
        assertThat(cell.view().queuedOn(1)).isEqualTo(4);
    }

    /** Which machine of a queue starts a task is known only then, so tasks that must keep apart are not queued. */
    @Test
    void tasksThatMustKeepApart_arePlacedAtOnce() {
        machine("m0", "r0");
        machine("m1", "r1");
        JobId job = job("j", SCHEDULER, 3);
        placements.put("j", new Placement(List.of(GroupPlacement.ANYWHERE.with(new Distinct("rack", 1)))));
        Plan<ApolloMemory> plan = turn(job);
        assertThat(cell.view().queued()).isZero();
        assertThat(cell.view().job(job).orElseThrow().group(0).onMachines()).isEqualTo(2);
        assertThat(plan.unplaced()).hasSize(1);
    }

    @Test
    void aGroupThatComesAfterAnother_waitsForIt() {
        machine("m0", "r0");
        GroupHeader first = new GroupHeader("first", 1, Amounts.of(1, 1), Restart.BATCH);
        GroupHeader second = new GroupHeader("second", 2, Amounts.of(1, 1), Restart.BATCH);
        placements.put("j", Placement.ofLives(GroupLife.PLAIN, GroupLife.PLAIN.after(0)));
        JobId job = job("j", SCHEDULER, List.of(first, second));
        turn(job);
        assertThat(cell.view().queued()).isEqualTo(1);
    }

    /** "Duplicate Scheduling" (3.4): m0's task takes longer than estimated, and m1 is idle. */
    @Test
    void aTaskThatWaitsLongerThanExpected_isQueuedOnABetterMachine() {
        JobId job = waitingBehindAnOverrun();
        round();
        assertThat(queuedOn(job, 0)).containsExactly("m0", "m1");
        round();
        assertThat(queuedOn(job, 0)).containsExactly("m0", "m1");
    }

    @Test
    void aTaskThatWaitsAsExpected_staysWhereItIs() {
        machine("m0", "r0");
        runs("m0", job("other", SCHEDULER, 1));
        JobId job = job("j", SCHEDULER, 1);
        turn(job);
        machine("m1", "r1");
        pass(30);
        round();
        assertThat(queuedOn(job, 0)).containsExactly("m0");
    }

    /** Another instance takes over: what it finds in queues, it corrects as its own. */
    @Test
    void anInstanceThatTakesOver_correctsWhatItFinds() {
        JobId job = waitingBehindAnOverrun();
        memory = scheduler.start();
        turn(job);
        round();
        assertThat(queuedOn(job, 0)).containsExactly("m0");
        pass(200);
        round();
        assertThat(queuedOn(job, 0)).containsExactly("m0", "m1");
    }

    /**
     * "When the time it would take to rerun a task is significantly less than the time it would take to let it complete, a
     * duplicate copy is started. They will execute in parallel until the first one finishes" (3.4). Three tasks took 10 s.
     */
    @Test
    void aStraggler_isCopiedOnceToAnotherMachine_andTheFirstToFinishEndsTheOther() {
        for (int machine = 0; machine < 5; machine++) {
            machine("m" + machine, "r0");
        }
        JobId job = job("j", SCHEDULER, 4);
        turn(job);
        for (int index = 0; index < 4; index++) {
            starts(new TaskId(job, 0, index), queuedOn(job, index).get(0));
        }
        pass(10);
        for (int index = 1; index < 4; index++) {
            report(new TaskId(job, 0, index), TaskState.FINISHED);
        }
        finishedIn(10);
        pass(5);
        round();
        assertThat(cell.view().job(job).orElseThrow().groupCount())
                .as("15 s are not twice as long")
                .isEqualTo(1);
        pass(10);
        round();
        round();
        TaskId copy = new TaskId(job, 1, 0);
        assertThat(cell.view().job(job).orElseThrow().group(1).header().count()).isEqualTo(1);
        turn(job);
        int machine = cell.view()
                .queuedAt(cell.view().job(job).orElseThrow().group(1), 0)
                .get(0)
                .slot();
        TaskId straggler = new TaskId(job, 0, 0);
        assertThat(machine).isNotEqualTo(cell.view().machineOf(straggler));

        starts(copy, cell.view().machineName(machine));
        report(copy, TaskState.FINISHED);
        assertThat(cell.view().task(straggler).orElseThrow().reason()).isEqualTo(TaskReason.COPY);
        assertThat(cell.view().job(job).orElseThrow().state()).isEqualTo(JobState.FINISHED);
    }

    /** Finished tasks of this cell took that long. */
    private void finishedIn(int seconds) {
        observations = new Observations() {
            @Override
            public Optional<Observed> find(int place, Measure measure, String subject) {
                return measure == Measure.RUN_MILLIS
                        ? Optional.of(new Observed(1_000L * seconds, 0))
                        : Optional.empty();
            }
        };
    }

    /** m1 comes when m0 is late already. */
    private JobId waitingBehindAnOverrun() {
        machine("m0", "r0");
        runs("m0", job("other", SCHEDULER, 1));
        JobId job = job("j", SCHEDULER, 1);
        turn(job);
        machine("m1", "r1");
        pass(100);
        return job;
    }

    // ---- the cell

    private void machine(String name, String rack) {
        machine(name, rack, 1);
    }

    private void machine(String name, String rack, int slots) {
        TreeMap<String, String> attributes = new TreeMap<>(Map.of("rack", rack));
        apply(new Command.PutMachine(name, Amounts.of(slots, slots), attributes, Optional.empty(), false));
    }

    private JobId job(String name, String owner, int tasks) {
        return job(name, owner, List.of(new GroupHeader("main", tasks, Amounts.of(1, 1), Restart.BATCH)));
    }

    private JobId job(String name, String owner, List<GroupHeader> groups) {
        JobHeader header = new JobHeader(
                name, JobType.BATCH, owner, "default", 50, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, groups);
        return new JobId(identity(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE)));
    }

    private void reads(String job, String machine) {
        TaskInputs input = new TaskInputs(Set.of(machine), Set.of());
        placements.put(job, new Placement(List.of(), List.of(new GroupInputs(List.of(input), 0, 0))));
    }

    /** The first task of the job runs on the machine from now on. */
    private void runs(String machine, JobId job) {
        starts(new TaskId(job, 0, 0), machine);
    }

    private void starts(TaskId task, String machine) {
        int slot = cell.view().findMachine(machine).orElseThrow();
        apply(new Command.CommitTransaction(
                Transaction.builder(new TransactionId("run-" + task + "-" + slot + "-" + now.millis()), SCHEDULER)
                        .claim(task, 1, slot)
                        .build()));
        report(task, TaskState.RUNNING);
    }

    private void report(TaskId task, TaskState state) {
        apply(new Command.ReportTask(
                task,
                cell.view().task(task).orElseThrow().attempt(),
                cell.view().task(task).orElseThrow().placement(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.of(now.millis()),
                OptionalLong.empty()));
    }

    private void pass(long seconds) {
        now = now.plusMillis(1_000 * seconds);
    }

    private List<String> queuedOn(JobId job, int index) {
        return cell.view().queuedAt(cell.view().job(job).orElseThrow().group(0), index).stream()
                .map(QueueRow::slot)
                .map(cell.view()::machineName)
                .toList();
    }

    // ---- plans

    private Plan<ApolloMemory> turn(JobId job) {
        JobRow row = cell.view().job(job).orElseThrow();
        return plan(List.of(new JobWork(JobKey.of(job), row.header(), row.generation(), 1, List.of(), now)));
    }

    private void round() {
        plan(List.of());
    }

    private Plan<ApolloMemory> plan(List<JobWork> jobs) {
        TransactionStamp stamp = new TransactionStamp(SCHEDULER, session, ++turns, 10_000);
        Draft draft = cell.view().draft();
        draft.clear();
        PlanningView view = new PlanningView(
                cell.view(),
                draft,
                new TaskSet(),
                stamp,
                Surroundings.of(cell.view(), each -> placements.getOrDefault(each.name(), Placement.ANYWHERE)));
        recent.removeIf(sent -> sent.secondsSince(now) > 5 || !isPending(sent));
        PlanContext<ApolloMemory> context = new PlanContext<>(now, turns, memory, observations);
        Plan<ApolloMemory> plan = Planning.plan(scheduler, List.of(view), new Work(jobs, List.of()), context);
        assertThat(counting(memory)).containsExactlyInAnyOrderElementsOf(recent);
        Set<SentTask> before = all(memory).collect(Collectors.toSet());
        memory = plan.memory();
        all(memory).filter(sent -> !before.contains(sent)).forEach(recent::add);
        List<Proposal> proposals = new ArrayList<>(plan.proposals());
        proposals.forEach(proposal -> apply(new Command.CommitTransaction(proposal.transaction())));
        return plan;
    }

    private static Stream<SentTask> all(ApolloMemory memory) {
        return memory.recentIn(0).all();
    }

    private List<SentTask> counting(ApolloMemory memory) {
        return all(memory).filter(sent -> sent.isRecent(cell.view(), now)).toList();
    }

    private boolean isPending(SentTask sent) {
        TaskRow task = cell.view().task(sent.task()).orElseThrow();
        return task.state() == TaskState.PENDING && task.attempt() == sent.attempt();
    }

    private long identity(Command command) {
        return ((CommandResult.Done) apply(command)).identity();
    }

    private CommandResult apply(Command command) {
        int level = Math.max(1, cell.view().featureLevel());
        CommandResult result =
                cell.apply(new EntryHeader(level, now, now.millis(), cell.view().incarnation()), command);
        cell.takeChanges();
        assertThat(result).as("%s", command).isNotInstanceOf(CommandResult.Refused.class);
        return result;
    }
}
