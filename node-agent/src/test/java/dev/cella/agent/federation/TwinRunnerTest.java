package dev.cella.agent.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.util.Durations;
import dev.cella.agent.TestCell;
import dev.cella.agent.reconciler.Adopted;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.agent.runner.TaskRunner;
import dev.cella.client.live.CellConnection;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Run;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a runner goes on with the twins that an earlier one left in the member cell. */
class TwinRunnerTest {
    private static final Incarnation HOME = new Incarnation(7);
    private static final Incarnation ANOTHER_HOME = new Incarnation(8);
    private static final JobId HOME_JOB = new JobId(3);
    private static final String MACHINE = "m-1";
    private static final Duration SOON = Duration.ofMinutes(2);

    private final TestCell member = new TestCell();
    private final CellConnection connection = CellConnection.open(member.address());
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private final CompletableFuture<Void> memberSeen = new CompletableFuture<>();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final AtomicLong now = new AtomicLong();
    private final TwinRunner runner = new TwinRunner(
            loop,
            connection,
            new HomeOfTheTest(),
            SOON.toMillis(),
            now::get,
            new SplittableRandom(1),
            view -> memberSeen.complete(null));

    private static final class HomeOfTheTest implements TwinRunner.Home {
        @Override
        public Incarnation incarnation() {
            return HOME;
        }

        @Override
        public Optional<HomeRun> run(Assignment assignment) {
            return Optional.empty();
        }
    }

    private final class Listening implements TaskRunner.Listener {
        @Override
        public void started(PlacementId placement) {
            told.add("started " + placement.ordinal());
        }

        @Override
        public void ended(PlacementId placement, TaskEnd end) {
            told.add("ended " + placement.ordinal() + " " + end.exitCode());
        }
    }

    @AfterEach
    void stop() {
        runner.close();
        connection.close();
        loop.shutdownNow();
        member.close();
    }

    @Test
    void adopt_twinsThatHaveEnded_haveTheirEnd_andOnlyTheOthersAreFollowed() throws Exception {
        AgentIdentity agent = new AgentIdentity("boot", "http://127.0.0.1:1", 10_000);
        member.apply(
                new Command.PutMachine(MACHINE, Amounts.of(1_000, 1_000), new TreeMap<>(), Optional.of(agent), false));
        JobId finished = runTwin(HOME, 0);
        report(finished, TaskState.FINISHED, OptionalInt.of(0));
        JobId failed = runTwin(HOME, 1);
        report(failed, TaskState.FAILED, OptionalInt.of(7));
        JobId killed = runTwin(HOME, 2);
        member.apply(new Command.StopJob(killed));
        report(killed, TaskState.KILLED, OptionalInt.of(137));
        JobId neverPlaced = submitTwin(HOME, 3);
        member.apply(new Command.StopJob(neverPlaced));
        JobId live = runTwin(HOME, 4);
        report(runTwin(ANOTHER_HOME, 5), TaskState.FINISHED, OptionalInt.of(0));

        runner.follow();
        memberSeen.get(SOON.toSeconds(), TimeUnit.SECONDS);
        Map<Integer, Optional<TaskEnd>> ends = loop.submit(() -> runner.adopt(new Listening())).get().stream()
                .collect(Collectors.toMap(
                        adopted -> adopted.launch().assignment().placement().ordinal(), Adopted::end));

        assertThat(ends)
                .containsOnly(
                        Map.entry(0, Optional.of(TaskEnd.exited(0))),
                        Map.entry(1, Optional.of(new TaskEnd(OptionalInt.of(7), TaskReason.NONE, false))),
                        Map.entry(2, Optional.of(TaskEnd.stopped(137))),
                        Map.entry(3, Optional.of(TaskEnd.stopped(143))),
                        Map.entry(4, Optional.empty()));
        report(live, TaskState.FINISHED, OptionalInt.of(0));
        await().atMost(SOON).until(() -> !told.isEmpty());
        assertThat(loop.submit(() -> List.copyOf(told)).get()).containsExactly("ended 4 " + OptionalInt.of(0));
    }

    private Adopted adopt(JobId twin) throws Exception {
        runner.follow();
        memberSeen.get(SOON.toSeconds(), TimeUnit.SECONDS);
        await().atMost(SOON)
                .until(() -> loop.submit(() -> runner.view().jobs().stream()
                                .anyMatch(row -> row.id().equals(twin)))
                        .get());
        return loop.submit(() -> runner.adopt(new Listening())).get().get(0);
    }

    @Test
    void adopt_aTwin_hasTheGraceOfItsJob() throws Exception {
        JobId twin = submitTwin(HOME, 0, Run.newBuilder().setStopGrace(Durations.fromSeconds(30)));
        assertThat(adopt(twin).launch().run().stopGraceMillis()).isEqualTo(30_000);
    }

    @Test
    void adopt_aTwinWhoseJobSaysNoGrace_hasTheUsualOne() throws Exception {
        assertThat(adopt(submitTwin(HOME, 0)).launch().run().stopGraceMillis()).isEqualTo(10_000);
    }

    /** Nobody else would ask again, and the home would wait for its task for ever. */
    @Test
    void twinThatFoundNoRoom_isReturnedAgain_ifTheMemberCellDidNotStopIt() throws Exception {
        member.refuseStops(1);
        adopt(submitTwin(HOME, 0));
        submitTwin(ANOTHER_HOME, 1); // a change, so that it looks
        await().atMost(SOON).until(() -> {
            now.addAndGet(SOON.toMillis() + 1);
            return !told.isEmpty();
        });
        assertThat(member.stopped()).hasSize(2);
    }

    /** Submits the twin of the home's task at that index, whose placement has the same number. */
    private JobId submitTwin(Incarnation home, int index) {
        return submitTwin(home, index, Run.newBuilder());
    }

    private JobId submitTwin(Incarnation home, int index, Run.Builder run) {
        Assignment assignment = new Assignment(new PlacementId(5, index), new TaskId(HOME_JOB, 0, index), 1, 1);
        Group group = Group.newBuilder()
                .setName("main")
                .setRun(run.addCommand("true"))
                .build();
        Job job = Job.newBuilder().setName("job").addGroups(group).build();
        return member.submit(TwinJob.of(home, assignment, new HomeRun(job, group, index)), 1, Restart.NEVER);
    }

    private JobId runTwin(Incarnation home, int index) {
        JobId twin = submitTwin(home, index);
        member.place(twin, 0, MACHINE);
        report(twin, TaskState.RUNNING, OptionalInt.empty());
        return twin;
    }

    private void report(JobId twin, TaskState state, OptionalInt exitCode) {
        member.apply(new Command.ReportTask(
                new TaskId(twin, 0, 0),
                1,
                Optional.empty(),
                state,
                exitCode,
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty()));
    }
}
