package dev.cella.chaos.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.chaos.schedulers.Thinker;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListSchedulersRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.Restart;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskCounts;
import dev.cella.client.proto.TaskState;
import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.scheduling.loop.DecisionTime;
import dev.cella.scheduling.loop.LoopStatus;
import dev.cella.scheduling.placement.Constraint;
import dev.cella.scheduling.placement.Operator;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live batch scheduler on a running cell. Its machines have no agent: what is placed waits for the test's reports. */
class LiveSchedulerTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    @TempDir
    Path data;

    private final CountDownLatch released = new CountDownLatch(1);
    private CellServer server;
    private HttpCell cell;

    @BeforeEach
    void startServer() throws Exception {
        // The server comes back at this port: the system must not give it away meanwhile.
        server = start(FreePorts.find(1, new Random()).get(0));
        cell = new HttpCell(URI.create(server.address()));
    }

    private CellServer start(int port) throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(data).withPort(port).withFreeBytesMin(0);
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    @AfterEach
    void stopServer() throws Exception {
        server.close();
    }

    @Test
    void closedScheduler_failsWhatItIsAsked() {
        LiveScheduler<?> scheduler = schedule("closed");
        scheduler.close();
        assertThat(scheduler.status()).isCompletedExceptionally();
        assertThat(scheduler.read(view -> view.version())).isCompletedExceptionally();
    }

    @Test
    void jobSubmittedOverHttp_isPlaced() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> scheduler = schedule("one")) {
            cell.submitJob(job("hello", 3, 1_000));
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 3);
            assertThat(status(scheduler).counters().claimsAccepted()).isEqualTo(3);
        }
    }

    @Test
    void jobWithoutRoom_saysWhyAndIsPlacedWhenAMachineComes() {
        putMachine("small", 500);
        try (LiveScheduler<?> scheduler = schedule("one")) {
            cell.submitJob(job("hello", 1, 1_000));
            await().atMost(SOON)
                    .until(() -> scheduler
                            .status()
                            .join()
                            .filter(status -> status.asleep() == 1)
                            .isPresent());
            assertThat(status(scheduler).jobs().get(0).neverPlaceable()).isTrue();
            assertThat(status(scheduler).jobs().get(0).unplaced().get(0).sentence())
                    .isEqualTo("1 machine is too small in cpuMilli");

            putMachine("large", 4_000);
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
        }
    }

    @Test
    void schedulerOfAPartition_usesItsMachinesAlone_andSaysSo() {
        putMachine("outside", 8_000);
        List<Constraint> part = List.of(Constraint.of("part", Operator.EQ, "left"));
        try (LiveScheduler<?> scheduler = schedule(options("one").within(part))) {
            cell.submitJob(job("hello", 2, 1_000));
            await().atMost(SOON)
                    .until(
                            () -> summary("hello"),
                            text -> text.contains("1 machine excluded by part=left, the part of its scheduler"));
            cell.putMachine(
                    machine("inside", 4_000).putAttributes("part", "left").build());
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 2);
            assertThat(task("hello").getMachine()).isEqualTo("inside");
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void failedTask_isPlacedAgainAfterItsDelay() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> scheduler = schedule("one")) {
            cell.submitJob(job("hello", 1, 1_000));
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
            report("hello", 1, TaskState.TASK_STATE_RUNNING);
            report("hello", 1, TaskState.TASK_STATE_FAILED);
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
            assertThat(task("hello").getAttempt()).isEqualTo(2);
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void sameInstanceTwice_theOlderStopsAndSaysSo() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> older = schedule("one")) {
            await().atMost(SOON).until(() -> older.status().join().isPresent());
            try (LiveScheduler<?> younger = schedule("one")) {
                await().atMost(SOON).until(() -> older.ended().isDone());
                assertThat(older.ended().join()).contains("another one of that name has taken over");
                cell.submitJob(job("hello", 1, 1_000));
                await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
                assertThat(younger.ended()).isNotDone();
            }
        }
    }

    @Test
    void serverThatGoesAndComesBack_isPlannedOnAgain() throws Exception {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> scheduler = schedule("one")) {
            cell.submitJob(job("before", 1, 1_000));
            await().atMost(SOON).until(() -> tasks("before").getPlaced() == 1);

            int port = URI.create(server.address()).getPort();
            server.close();
            server = start(port);
            awaitSubmitted(job("after", 2, 1_000));

            await().atMost(SOON).until(() -> tasks("after").getPlaced() == 2);
            assertThat(tasks("before").getPlaced()).isEqualTo(1);
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    /** As any client does: told that nobody leads just now, and to try again, it tries again. */
    private void awaitSubmitted(Job job) {
        await().atMost(SOON)
                .ignoreExceptionsMatching(
                        failure -> failure instanceof Problem problem && problem.type() == ProblemType.NO_LEADER)
                .until(() -> cell.submitJob(job).getName().equals(job.getName()));
    }

    @Test
    void sessionThatIsOver_isOpenedAgain() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> scheduler = schedule("one")) {
            await().atMost(SOON).until(() -> scheduler.status().join().isPresent());
            cell.closeSession(CloseSessionRequest.newBuilder()
                    .setName("batch")
                    .setInstance("one")
                    .build());

            cell.submitJob(job("hello", 2, 1_000));
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 2);
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void schedulerThatIsClosed_leavesItsJobsToTheNext() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> first = schedule("one")) {
            await().atMost(SOON).until(() -> first.status().join().isPresent());
        }
        cell.submitJob(job("hello", 2, 1_000));
        try (LiveScheduler<?> next = schedule("two")) {
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 2);
            assertThat(next.ended()).isNotDone();
        }
    }

    @Test
    void plannerThatHangs_losesItsJobsTurnAndSaysSo() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> scheduler = schedule(
                options("one").withPlanTimeMax(Duration.ofSeconds(1)), hangingOn("hangs", this::awaitInterrupted))) {
            cell.submitJob(job("hangs", 1, 1_000));
            await().atMost(SOON).until(() -> status(scheduler).counters().plansGivenUp() > 0);
            cell.submitJob(job("hello", 1, 1_000));
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
            await().atMost(SOON)
                    .until(() -> summary("hangs"), text -> text.contains("the planner did not come back within 1 s"));
            assertThat(cell.listSchedulers(ListSchedulersRequest.getDefaultInstance())
                            .getSchedulers(0)
                            .getPlansGivenUp())
                    .isPositive();
            assertThat(scheduler.ended()).isNotDone();
        }
    }

    @Test
    void plannerThatNeverComesBack_endsItsSchedulerBeforeTheThreadsRunOut() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> scheduler = schedule(
                options("one").withPlanTimeMax(Duration.ofMillis(50)), hangingOn("hangs", this::awaitReleased))) {
            for (int job = 0; job < 3; job++) {
                cell.submitJob(job("hangs-" + job, 1, 1_000));
            }
            await().atMost(SOON).until(() -> scheduler.ended().isDone());
            assertThat(scheduler.ended().join())
                    .isEqualTo("scheduler batch stops: 3 of its plans have not come back, neither within 50 ms nor when"
                            + " interrupted: its planner hangs");
        } finally {
            released.countDown();
        }
    }

    @Test
    void longPlans_doNotStopTheFeedOrTheSession_andSeveralAreUnderWay() {
        putMachine("m1", 4_000);
        CountDownLatch bothThink = new CountDownLatch(2);
        Thinker thinker = new Thinker(2, Duration.ofHours(1), () -> {
            bothThink.countDown();
            awaitReleased();
        });
        Duration lease = Duration.ofMillis(500);
        try (LiveScheduler<?> scheduler = schedule(options("one").withLease(lease), thinker)) {
            cell.submitJob(job("hello", 1, 1_000));
            cell.submitJob(job("world", 1, 1_000));
            await().atMost(SOON).until(() -> bothThink.getCount() == 0);
            long began = scheduler.read(view -> view.time().millis()).join();
            String session = sessions();
            await().atMost(SOON).until(() -> {
                putMachine("m2", 4_000);
                return scheduler.read(view -> view.time().millis()).join() > began + 3 * lease.toMillis();
            });
            assertThat(sessions()).isEqualTo(session);
            assertThat(status(scheduler).planning()).isTrue();
            released.countDown();
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
            await().atMost(SOON).until(() -> tasks("world").getPlaced() == 1);
        }
    }

    @Test
    void longPlanThatTakesTooLong_losesItsTurn_andOthersGoOn() {
        putMachine("m1", 4_000);
        AtomicInteger plans = new AtomicInteger();
        Thinker thinker = new Thinker(1, Duration.ofSeconds(1), () -> {
            if (plans.getAndIncrement() == 0) {
                awaitInterrupted();
            }
        });
        try (LiveScheduler<?> scheduler = schedule(options("one"), thinker)) {
            cell.submitJob(job("hello", 1, 1_000));
            await().atMost(SOON).until(() -> status(scheduler).counters().plansGivenUp() == 1);
            cell.submitJob(job("world", 1, 1_000));
            await().atMost(SOON).until(() -> tasks("world").getPlaced() == 1);
        }
    }

    private String sessions() {
        return cell.listSchedulers(ListSchedulersRequest.getDefaultInstance()).getSchedulersList().stream()
                .map(each -> each.getName() + each.getSession())
                .toList()
                .toString();
    }

    private static Scheduler<?> hangingOn(String job, Runnable hang) {
        JobPlanner planner = new RandomisedFirstFit();
        return ((JobPlanner) (work, view, random) -> {
                    if (work.job().name().startsWith(job)) {
                        hang.run();
                    }
                    return planner.plan(work, view, random);
                })
                .scheduler();
    }

    private void awaitInterrupted() {
        try {
            released.await();
        } catch (InterruptedException givenUp) {
            throw new IllegalStateException(givenUp);
        }
    }

    private void awaitReleased() {
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException deaf) {
                // This one does not listen.
            }
        }
    }

    private String summary(String job) {
        return cell.explainJob(ExplainJobRequest.newBuilder().setName(job).build())
                .getSummary();
    }

    @Test
    void decisionTime_passesBeforeThePlanIsSubmitted_andNothingWaitsForIt() {
        putMachine("m1", 4_000);
        try (LiveScheduler<?> thinker = schedule(options("thinker").withDecisionTime(DecisionTime.parse("1h")))) {
            cell.submitJob(job("hello", 1, 1_000));
            await().atMost(SOON).until(() -> status(thinker).planning());
            long seen = status(thinker).viewVersion().number();
            putMachine("m2", 4_000);
            await().atMost(SOON).until(() -> status(thinker).viewVersion().number() > seen);
            assertThat(status(thinker).planning()).isTrue();
            assertThat(tasks("hello").getPending()).isEqualTo(1);
        }
        try (LiveScheduler<?> quicker =
                schedule(options("quicker").withDecisionTime(DecisionTime.parse("1ms+1ms*tasks")))) {
            await().atMost(SOON).until(() -> tasks("hello").getPlaced() == 1);
            assertThat(quicker.ended()).isNotDone();
        }
    }

    private LiveScheduler<?> schedule(String instance) {
        return schedule(options(instance));
    }

    private LiveSchedulerOptions options(String instance) {
        return LiveSchedulerOptions.of(URI.create(server.address()), "batch", "batch", instance, 42)
                .withLease(Duration.ofSeconds(3));
    }

    private static LiveScheduler<?> schedule(LiveSchedulerOptions options) {
        return schedule(options, new RandomisedFirstFit().scheduler());
    }

    private static LiveScheduler<?> schedule(LiveSchedulerOptions options, Scheduler<?> scheduler) {
        return LiveScheduler.start(options, scheduler);
    }

    private static LoopStatus status(LiveScheduler<?> scheduler) {
        return await().atMost(SOON)
                .until(() -> scheduler.status().join(), Optional::isPresent)
                .orElseThrow();
    }

    private void putMachine(String name, long cpuMilli) {
        cell.putMachine(machine(name, cpuMilli).build());
    }

    private static PutMachineRequest.Builder machine(String name, long cpuMilli) {
        return PutMachineRequest.newBuilder()
                .setName(name)
                .putAllCapacity(Map.of("cpuMilli", cpuMilli, "memoryMib", 8_192L));
    }

    private static Job job(String name, int count, long cpuMilli) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .addGroups(Group.newBuilder()
                        .setCount(count)
                        .putAllResources(Map.of("cpuMilli", cpuMilli, "memoryMib", 64L))
                        .setRun(Run.newBuilder().addCommand("true"))
                        .setRestart(Restart.newBuilder()
                                .setAttempts(2)
                                .setDelay(com.google.protobuf.Duration.newBuilder()
                                        .setNanos(50_000_000))))
                .build();
    }

    private TaskCounts tasks(String job) {
        return cell.getJob(GetJobRequest.newBuilder().setName(job).build()).getTasks();
    }

    private Task task(String job) {
        return cell.getTask(GetTaskRequest.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(0)
                .build());
    }

    private void report(String job, int attempt, TaskState state) {
        cell.reportTask(ReportTaskRequest.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(0)
                .setAttempt(attempt)
                .setState(state)
                .build());
    }
}
