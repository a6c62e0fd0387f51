package dev.cella.chaos.cell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.CellAgent;
import dev.cella.agent.CellAgentOptions;
import dev.cella.agent.MachineOptions;
import dev.cella.agent.NodeAgent;
import dev.cella.agent.NodeAgentOptions;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import dev.cella.client.http.TaskOutput;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.RemoveMachineRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.Run;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import dev.cella.scheduler.batch.RandomisedFirstFit;
import dev.cella.scheduler.batch.megha.MeghaSchedulerProvider;
import dev.cella.scheduling.SchedulerOptions;
import dev.cella.scheduling.live.LiveScheduler;
import dev.cella.scheduling.live.LiveSchedulerOptions;
import dev.cella.state.CellServer;
import dev.cella.state.CellServerOptions;
import dev.cella.state.FreePorts;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cell that is one machine of another cell: its tasks are jobs there. */
class CellAsMachineTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final String MACHINE = "cell-member";

    @TempDir
    Path data;

    private CellServer homeServer;
    private CellServer memberServer;
    private HttpCell home;
    private HttpCell member;
    private LiveScheduler<?> homeScheduler;
    private LiveScheduler<?> memberScheduler;
    private CellAgent agent;

    @BeforeEach
    void startCells() throws Exception {
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        homeServer = start("home", 0);
        // The server comes back at this port: the system must not give it away meanwhile.
        memberServer = start("member", FreePorts.find(1, new Random()).get(0));
        home = new HttpCell(URI.create(homeServer.address()));
        member = new HttpCell(URI.create(memberServer.address()));
        homeScheduler = schedule(homeServer);
        memberScheduler = schedule(memberServer);
        agent = offer("agent", MACHINE, LEASE);
    }

    private CellServer start(String name, int port) throws Exception {
        CellServerOptions options =
                CellServerOptions.defaults(data.resolve(name)).withPort(port).withFreeBytesMin(0);
        return CellServer.start(options, (message, cause) -> {
            throw new AssertionError(message, cause);
        });
    }

    private static LiveScheduler<?> schedule(CellServer server) {
        return LiveScheduler.start(
                LiveSchedulerOptions.of(URI.create(server.address()), "batch", "batch", "one", 42),
                new RandomisedFirstFit().scheduler());
    }

    private CellAgent offer(String notes, String name, Duration lease) throws Exception {
        return offer(notes, name, lease, Duration.ofMillis(500));
    }

    private CellAgent offer(String notes, String name, Duration lease, Duration patience) throws Exception {
        CellAgentOptions options = CellAgentOptions.of(
                        CellAddresses.of(URI.create(homeServer.address())),
                        CellAddresses.of(URI.create(memberServer.address())),
                        data.resolve(notes),
                        1)
                .withName(name)
                .withLease(lease)
                .withPatience(patience);
        return CellAgent.start(options);
    }

    /** Returns the port of its server, for the one that takes its place. */
    private int stopMember() throws Exception {
        int port = URI.create(memberServer.address()).getPort();
        memberScheduler.close();
        memberServer.close();
        return port;
    }

    @AfterEach
    void stopCells() throws Exception {
        agent.close();
        homeScheduler.close();
        memberScheduler.close();
        homeServer.close();
        memberServer.close();
    }

    @Test
    void job_runsInTheMember_andItsStateAndOutputAreTheHomes() throws Exception {
        MachineOptions machine = new MachineOptions(
                "m1", MachineOptions.MachineKind.REAL, Map.of("cpuMilli", 2_000L, "memoryMib", 2_000L), Map.of());
        try (NodeAgent node = NodeAgent.start(
                NodeAgentOptions.of(URI.create(memberServer.address()), machine, data.resolve("node"), 1))) {
            node.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
            home.submitJob(job("hello", 2, "sh", "-c", "echo ${job} ${index} $CELLA_TASK_INDEX"));
            await().atMost(SOON).until(() -> state("hello") == JobState.JOB_STATE_FINISHED);
            assertThat(task("hello", 1).getMachine()).isEqualTo(MACHINE);
            assertThat(printed("hello", 1)).isEqualTo("hello 1 1\n");

            home.submitJob(job("fails", 1, "sh", "-c", "exit 7"));
            await().atMost(SOON).until(() -> state("fails") == JobState.JOB_STATE_FAILED);
            assertThat(task("fails", 0).getExitCode()).isEqualTo(7);

            home.submitJob(job("long", 1, "sleep", "1000"));
            await().atMost(SOON).until(() -> task("long", 0).getState() == TaskState.TASK_STATE_RUNNING);
            home.stopJob(StopJobRequest.newBuilder().setName("long").build());
            await().atMost(SOON).until(() -> task("long", 0).getState() == TaskState.TASK_STATE_KILLED);
            assertThat(liveTwins()).isEmpty();
        }
    }

    @Test
    void memberThatIsAway_losesItsTasks_andRunsNothingTwiceWhenItIsBack() throws Exception {
        try (NodeAgent node = hollow()) {
            assertThat(node.registered()).isDone();
            home.submitJob(job("web", 1, "true"));
            await().atMost(SOON).until(() -> task("web", 0).getState() == TaskState.TASK_STATE_RUNNING);
            int port = stopMember();
            home.putMachine(PutMachineRequest.newBuilder()
                    .setName("spare")
                    .putAllCapacity(Map.of("cpuMilli", 2_000L, "memoryMib", 2_000L))
                    .build());
            await().atMost(SOON).until(() -> task("web", 0).getMachine().equals("spare"));
            assertThat(task("web", 0).getAttempt()).isEqualTo(2);

            memberServer = start("member", port);
            memberScheduler = schedule(memberServer);
            await().atMost(SOON).ignoreExceptions().until(() -> liveTwins().isEmpty());
            await().atMost(SOON).until(() -> {
                home.submitJob(job("again", 3, "true"));
                return task("again", 2).getState() == TaskState.TASK_STATE_RUNNING;
            });
            assertThat(liveTwins())
                    .as("the capacity of the member is the home's again")
                    .isNotEmpty();
        }
    }

    @Test
    void taskWithoutRoomInTheMember_isGivenBack() throws Exception {
        try (NodeAgent node = hollow()) {
            assertThat(node.registered()).isDone();
            member.submitJob(job("local", 2, "true"));
            await().atMost(SOON)
                    .until(() -> member.getJob(named("local")).getTasks().getRunning() == 2);
            home.submitJob(job("guest", 1, "true"));
            await().atMost(SOON).until(() -> task("guest", 0).getAttempt() >= 2);
            home.putMachine(PutMachineRequest.newBuilder()
                    .setName("spare")
                    .putAllCapacity(Map.of("cpuMilli", 2_000L, "memoryMib", 2_000L))
                    .build());
            await().atMost(SOON).until(() -> task("guest", 0).getMachine().equals("spare"));
        }
    }

    /** The home explains why a task waits that finds no room in any of the cells. */
    @Test
    void taskWithoutRoomInAnyCell_isExplainedInTheHome() throws Exception {
        try (NodeAgent node = hollow();
                LiveScheduler<?> master = globalMaster("one")) {
            assertThat(node.registered()).isDone();
            home.submitJob(
                    job("three", 3, "true").toBuilder().setScheduler("megha").build());
            await().atMost(SOON)
                    .until(() -> home.getJob(named("three")).getTasks().getRunning() == 2);
            ExplainJobRequest three =
                    ExplainJobRequest.newBuilder().setName("three").build();
            await().atMost(SOON).until(() -> home.explainJob(three).getSummary().contains("cpuMilli"));
            assertThat(master.ended()).isNotDone();
        }
    }

    @Test
    void memberThatIsAwayAtTheStart_isOfferedWhenItIsThere() throws Exception {
        agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        agent.close();
        int port = stopMember();
        agent = offer("late", "late", LEASE);
        assertThat(agent.registered()).isNotDone();

        memberServer = start("refounded", port);
        memberScheduler = schedule(memberServer);
        assertThat(agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo("late");
    }

    @Test
    void memberThatBecomesAnotherCell_losesItsTasks_andIsOfferedAsTheOther() throws Exception {
        try (NodeAgent node = hollow()) {
            assertThat(node.registered()).isDone();
            home.submitJob(job("web", 1, "true"));
            await().atMost(SOON).until(() -> task("web", 0).getState() == TaskState.TASK_STATE_RUNNING);
            int port = stopMember();
            memberServer = start("refounded", port);
            memberScheduler = schedule(memberServer);
            await().atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> task("web", 0).getAttempt() == 2
                            && task("web", 0).getState() == TaskState.TASK_STATE_RUNNING);
            assertThat(liveTwins()).hasSize(1);
            await().atMost(SOON)
                    .until(() -> home.getMachine(GetMachineRequest.newBuilder()
                                    .setName(MACHINE)
                                    .build())
                            .getAttributesOrDefault(CellAgent.INCARNATION, "")
                            .equals(member.getCell().getIncarnation()));
        }
    }

    @Test
    void globalMasterThatGoes_leavesItsJobsToTheOther_andNothingIsLost() throws Exception {
        try (NodeAgent node = hollow();
                LiveScheduler<?> second = globalMaster("two")) {
            assertThat(node.registered()).isDone();
            LiveScheduler<?> first = globalMaster("one");
            submitFour("early");
            first.close();
            submitFour("late");
            assertThat(second.ended()).isNotDone();
            for (int index = 0; index < 4; index++) {
                assertThat(task("early-" + index, 0).getAttempt()).isEqualTo(1);
                assertThat(task("late-" + index, 0).getAttempt()).isEqualTo(1);
            }
        }
    }

    private LiveScheduler<?> globalMaster(String instance) {
        MeghaSchedulerProvider megha = new MeghaSchedulerProvider();
        LiveSchedulerOptions options = LiveSchedulerOptions.of(
                        URI.create(homeServer.address()), "megha", "megha", instance, 42)
                .withMoreCells(List.of(CellAddresses.of(URI.create(memberServer.address()))));
        return LiveScheduler.start(options, megha.create(SchedulerOptions.defaults(megha.options())));
    }

    /** Four jobs of one small task, which the instances share. */
    private void submitFour(String name) {
        for (int index = 0; index < 4; index++) {
            Job job = job(name + "-" + index, 1, "true");
            home.submitJob(job.toBuilder()
                    .setScheduler("megha")
                    .setGroups(0, job.getGroups(0).toBuilder().putResources("cpuMilli", 100L))
                    .build());
        }
        for (int index = 0; index < 4; index++) {
            String each = name + "-" + index;
            await().atMost(SOON).until(() -> task(each, 0).getState() == TaskState.TASK_STATE_RUNNING);
        }
    }

    @Test
    void agentThatIsStartedAgain_goesOnWithItsTasks() throws Exception {
        offerPatiently();
        try (NodeAgent node = hollow()) {
            assertThat(node.registered()).isDone();
            home.submitJob(job("web", 1, "true"));
            await().atMost(SOON).until(() -> task("web", 0).getState() == TaskState.TASK_STATE_RUNNING);
            agent.close();
            agent = offerAgain();
            agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
            home.stopJob(StopJobRequest.newBuilder().setName("web").build());
            await().atMost(SOON).until(() -> task("web", 0).getState() == TaskState.TASK_STATE_KILLED);
            assertThat(task("web", 0).getAttempt()).isEqualTo(1);
            assertThat(liveTwins()).isEmpty();
        }
    }

    /** Replaces the agent by one whose lease and patience are long. */
    private void offerPatiently() throws Exception {
        agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        agent.close();
        home.removeMachine(RemoveMachineRequest.newBuilder()
                .setName(MACHINE)
                .setForce(true)
                .build());
        agent = offerAgain();
    }

    private CellAgent offerAgain() throws Exception {
        return offer("patient", MACHINE, Duration.ofMinutes(1), SOON);
    }

    /** When its agent goes, one task is RUNNING in the home, and the other one is still PLACED there. */
    @Test
    void twinsThatFinishWhileTheirAgentIsAway_haveFinishedAtHome_andRanOnce() throws Exception {
        offerPatiently();
        member.putMachine(PutMachineRequest.newBuilder()
                .setName("m1")
                .putAllCapacity(Map.of("cpuMilli", 2_000L, "memoryMib", 2_000L))
                .build());
        home.submitJob(job("running", 1, "true"));
        await().atMost(SOON).until(() -> placedTwins().size() == 1);
        report(placedTwins().get(0), TaskState.TASK_STATE_RUNNING);
        await().atMost(SOON).until(() -> task("running", 0).getState() == TaskState.TASK_STATE_RUNNING);
        home.submitJob(job("placed", 1, "true"));
        await().atMost(SOON).until(() -> placedTwins().size() == 1);
        List<String> twins = liveTwins();
        agent.close();

        report(placedTwins().get(0), TaskState.TASK_STATE_RUNNING);
        twins.forEach(twin -> report(twin, TaskState.TASK_STATE_FINISHED));
        agent = offerAgain();

        for (String job : List.of("running", "placed")) {
            await().atMost(SOON).until(() -> state(job) == JobState.JOB_STATE_FINISHED);
            assertThat(task(job, 0).getAttempt()).isEqualTo(1);
        }
        assertThat(twins)
                .hasSize(2)
                .allSatisfy(twin ->
                        assertThat(member.getJob(named(twin)).getGeneration()).isEqualTo(1));
        assertThat(liveTwins()).isEmpty();
    }

    private List<String> placedTwins() {
        return liveTwins().stream()
                .filter(twin -> member.getJob(named(twin)).getTasks().getPlaced() == 1)
                .toList();
    }

    /** Reports as an agent of the member would. */
    private void report(String twin, TaskState state) {
        ReportTaskRequest.Builder report = ReportTaskRequest.newBuilder()
                .setJob(twin)
                .setGroup("main")
                .setAttempt(1)
                .setState(state);
        if (state == TaskState.TASK_STATE_FINISHED) {
            report.setExitCode(0);
        }
        member.reportTask(report.build());
    }

    @Test
    void cellThatIsAMachineAlready_isNotOfferedTwice() throws Exception {
        agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        try (CellAgent second = offer("second", "other", LEASE)) {
            assertThat(second.ended().get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .contains("is machine " + MACHINE + " of its home already");
        }
    }

    @Test
    void homeItself_isNotItsOwnMachine() throws Exception {
        CellAddresses itself = CellAddresses.of(URI.create(homeServer.address()));
        try (CellAgent ofHome = CellAgent.start(CellAgentOptions.of(itself, itself, data.resolve("itself"), 1))) {
            assertThat(ofHome.ended().get(SOON.toSeconds(), TimeUnit.SECONDS))
                    .contains("is the home itself, and cannot be its own machine");
        }
    }

    private NodeAgent hollow() throws Exception {
        NodeAgentOptions options = NodeAgentOptions.of(
                        URI.create(memberServer.address()),
                        MachineOptions.hollow("m1", new MachineCapacity(2_000, 2_000, 0)),
                        data.resolve("node"),
                        1)
                .withHollowRuntime(NodeAgentOptions.FOREVER);
        NodeAgent node = NodeAgent.start(options);
        node.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        return node;
    }

    private static Job job(String name, int count, String... command) {
        return Job.newBuilder()
                .setName(name)
                .setType(JobType.JOB_TYPE_BATCH)
                .addGroups(Group.newBuilder()
                        .setCount(count)
                        .putAllResources(Map.of("cpuMilli", 1_000L, "memoryMib", 64L))
                        .setRestart(dev.cella.client.proto.Restart.newBuilder().setAttempts(0))
                        .setRun(Run.newBuilder().addAllCommand(List.of(command))))
                .build();
    }

    private static GetJobRequest named(String job) {
        return GetJobRequest.newBuilder().setName(job).build();
    }

    private JobState state(String job) {
        return home.getJob(named(job)).getState();
    }

    private Task task(String job, int index) {
        return home.getTask(GetTaskRequest.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(index)
                .build());
    }

    private List<String> liveTwins() {
        return member
                .listJobs(ListJobsRequest.newBuilder()
                        .addState(JobState.JOB_STATE_PENDING)
                        .addState(JobState.JOB_STATE_RUNNING)
                        .addState(JobState.JOB_STATE_STOPPING)
                        .build())
                .getJobsList()
                .stream()
                .map(JobStatus::getName)
                .filter(name -> name.startsWith("twin-"))
                .toList();
    }

    private String printed(String job, int index) throws Exception {
        LogsQuery query = LogsQuery.newBuilder()
                .setJob(job)
                .setGroup("main")
                .setIndex(index)
                .setStream(LogStream.LOG_STREAM_STDOUT)
                .build();
        try (TaskOutput output = home.taskLogs(query)) {
            return new String(output.bytes().readAllBytes(), UTF_8);
        }
    }
}
