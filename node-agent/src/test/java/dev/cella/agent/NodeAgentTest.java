package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.machine.MachineCapacity;
import dev.cella.agent.runner.HollowRunner;
import dev.cella.agent.runner.WorkFolders;
import dev.cella.client.Problem;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.OnLost;
import dev.cella.client.proto.Run;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole agents against a real cell state behind a real port. */
class NodeAgentTest {
    private static final String MACHINE = "m-1";
    /** The guard kills when the agent is not heard of for so long: more than a machine stands still that does too much. */
    private static final Duration LEASE = Duration.ofSeconds(12);

    /** Waited for at most, and long enough for any machine. */
    private static final Duration SOON = Duration.ofMinutes(3);

    private static final Map<String, String> HOUR_IF_HOLLOW = Map.of(HollowRunner.RUNTIME_VARIABLE, "3600000");

    private TestCell cell = new TestCell();
    private final List<NodeAgent> agents = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        agents.forEach(NodeAgent::close);
        cell.close();
    }

    private NodeAgent start(MachineOptions first, MachineOptions... more) throws Exception {
        return start(LEASE, first, more);
    }

    private NodeAgent start(Duration lease, MachineOptions first, MachineOptions... more) throws Exception {
        NodeAgentOptions options = NodeAgentOptions.of(
                        cell.address(), first, Files.createTempDirectory(folder, "data"), 1)
                .withLease(lease)
                .withMachines(List.of(more));
        NodeAgent agent = NodeAgent.start(options);
        agents.add(agent);
        agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        return agent;
    }

    /** It would be refused for ever. */
    @Test
    void cellThatDoesNotUnderstandTheMachine_failsTheAgentWithTheReason() throws Exception {
        cell.refuseRegistrations(Problem.badRequest("attributes.rack: is longer than 4 KiB"));
        NodeAgent agent = NodeAgent.start(
                NodeAgentOptions.of(cell.address(), hollow("h-1"), Files.createTempDirectory(folder, "data"), 1));
        agents.add(agent);
        assertThat(agent.failed().get(SOON.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo("the cell refuses the machine h-1: attributes.rack: is longer than 4 KiB");
    }

    private static MachineOptions real() {
        return new MachineOptions(
                MACHINE,
                MachineOptions.MachineKind.REAL,
                Map.of("cpuMilli", 4_000L, "memoryMib", 4_000L),
                Map.of("rack", "r1"));
    }

    private static MachineOptions hollow(String name) {
        return MachineOptions.hollow(name, new MachineCapacity(4_000, 4_000, 0));
    }

    private JobId submit(int count, Map<String, String> environment, String... command) {
        Run run = Run.newBuilder()
                .addAllCommand(List.of(command))
                .putAllEnv(environment)
                .build();
        return submit(count, Group.newBuilder().setRun(run));
    }

    private JobId submit(int count, Group.Builder group) {
        Job job = Job.newBuilder()
                .setName("job-" + cell.read(view -> view.version().number()))
                .addGroups(group.setName("main").setCount(count))
                .build();
        return cell.submit(job, count);
    }

    private JobId run(String... command) {
        JobId job = submit(1, Map.of(), command);
        cell.place(job, 0, MACHINE);
        return job;
    }

    private void awaitState(JobId job, int index, TaskState state) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(cell.state(job, index)).isEqualTo(state));
    }

    private static boolean isAlive(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
    }

    private String logs(JobId job, String rest) throws Exception {
        String address = cell.read(view ->
                view.machine(MACHINE).orElseThrow().agent().orElseThrow().address());
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(address + "/v1/logs/" + MACHINE + "/" + job + "/0/0/" + rest))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private long pidPrinted(JobId job) {
        await().atMost(SOON).until(() -> logs(job, "1?stream=stdout").endsWith("\n"));
        try {
            return Long.parseLong(logs(job, "1?stream=stdout").trim());
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void machineIsRegisteredWithItsCapacityAndAttributes() throws Exception {
        NodeAgent agent = start(real());
        assertThat(cell.isReady(MACHINE)).isTrue();
        MachineRow row = cell.read(view -> view.machine(MACHINE).orElseThrow());
        assertThat(row.capacity()).isEqualTo(Amounts.of(4_000, 4_000));
        assertThat(row.attributes()).containsEntry("rack", "r1").containsKey("isolation");
        assertThat(agent.isolation())
                .hasValueSatisfying(line -> assertThat(line)
                        .startsWith("isolation=" + row.attributes().get("isolation") + " "));
    }

    @Test
    void placedTaskRunsAndItsExitCodeAndOutputAreThere() throws Exception {
        start(real());
        JobId job = run("echo", "hello ${index}");
        awaitState(job, 0, TaskState.FINISHED);
        TaskRow task = cell.task(job, 0);
        assertThat(task.exitCode()).hasValue(0);
        assertThat(task.startedAtMillis()).isPresent();
        assertThat(logs(job, "1?stream=stdout")).isEqualTo("hello 0\n");
    }

    @Test
    void failingTaskIsFailedWithItsCode() throws Exception {
        start(real());
        JobId job = run("sh", "-c", "exit 7");
        awaitState(job, 0, TaskState.FAILED);
        assertThat(cell.task(job, 0).exitCode()).hasValue(7);
    }

    @Test
    void missingCommand_isReported() throws Exception {
        start(real());
        JobId job = run("no-such-command");
        awaitState(job, 0, TaskState.FAILED);
        assertThat(cell.task(job, 0).reason()).isEqualTo(TaskReason.COMMAND_NOT_FOUND);
        assertThat(cell.task(job, 0).exitCode()).isEmpty();
        assertThat(logs(job, "1?stream=stderr")).contains("command not found");
    }

    @Test
    void stoppedJobIsTerminatedAndKilled() throws Exception {
        start(real());
        JobId job = run("sleep", "1000");
        awaitState(job, 0, TaskState.RUNNING);
        cell.apply(new Command.StopJob(job));
        awaitState(job, 0, TaskState.KILLED);
        assertThat(cell.task(job, 0).exitCode()).hasValue(143);
    }

    /** The second stop changes the job's row alone. The task begins processes all the time, also while it is killed. */
    @Test
    void stopWithAGrace_thatALaterStopShortens_killsWhatIgnoresItsSignal() throws Exception {
        start(real());
        cell.apply(new Command.RaiseFeatureLevel(EntryCodec.STOP_GRACE_LEVEL));
        JobId job = run("sh", "-c", "trap 'echo asked' TERM; echo up; while :; do /bin/true; done");
        awaitState(job, 0, TaskState.RUNNING);
        await().atMost(SOON).until(() -> logs(job, "1?stream=stdout").contains("up"));
        cell.apply(new Command.StopJob(job, OptionalLong.of(3_600_000)));
        assertThat(cell.state(job, 0)).isEqualTo(TaskState.STOPPING);
        await().atMost(SOON).until(() -> logs(job, "1?stream=stdout").contains("asked"));
        cell.apply(new Command.StopJob(job, OptionalLong.of(0)));
        awaitState(job, 0, TaskState.KILLED);
        assertThat(cell.task(job, 0).exitCode()).hasValue(137);
    }

    @Test
    void lostAnswersAreAskedForAgain() throws Exception {
        start(real());
        cell.loseAnswers(2);
        JobId job = run("true");
        awaitState(job, 0, TaskState.FINISHED);
        cell.loseAnswers(1);
        JobId another = run("true");
        awaitState(another, 0, TaskState.FINISHED);
    }

    @Test
    void lostMachineStopsItsTasksAndRegistersAgain() throws Exception {
        start(real());
        JobId job = run("sh", "-c", "echo $$; exec sleep 1000");
        awaitState(job, 0, TaskState.RUNNING);
        long pid = pidPrinted(job);
        MachineId before = cell.machineId(MACHINE);
        cell.loseMachine(MACHINE);
        assertThat(cell.state(job, 0)).isEqualTo(TaskState.LOST);
        await().atMost(SOON).until(() -> cell.isReady(MACHINE));
        assertThat(cell.machineId(MACHINE)).isNotEqualTo(before);
        assertThat(isAlive(pid)).isFalse();
        JobId after = run("true");
        awaitState(after, 0, TaskState.FINISHED);
    }

    /** A machine that stands still for a lease loses the task, and rightly: then it is tried with a longer one. */
    @Test
    void cellThatIsAwayLeavesItsTasksRunning() throws Exception {
        boolean outlived = false;
        for (int seconds = 1; !outlived && seconds <= 25; seconds *= 5) {
            outlived = outlivesItsCell(Duration.ofSeconds(seconds));
        }
        assertThat(outlived).isTrue();
    }

    private boolean outlivesItsCell(Duration lease) throws Exception {
        cell.close();
        cell = new TestCell();
        start(lease, real());
        JobId job = run("sh", "-c", "echo $$; exec sleep 1000");
        await().atMost(SOON).until(() -> cell.state(job, 0) != TaskState.PLACED);
        if (cell.state(job, 0) != TaskState.RUNNING) {
            return false;
        }
        long pid = pidPrinted(job);
        cell.close();
        long end = System.nanoTime() + lease.multipliedBy(2).toNanos();
        await().atMost(SOON).until(() -> !isAlive(pid) || System.nanoTime() - end > 0);
        return isAlive(pid);
    }

    /** The agent lives, but the cell gives its machine up. */
    @Test
    void cellThatIsAway_endsTasksThatMustNotRunTwice() throws Exception {
        start(Duration.ofSeconds(2), real());
        Run run = Run.newBuilder()
                .addAllCommand(List.of("sh", "-c", "echo $$; exec sleep 1000"))
                .build();
        JobId job = submit(1, Group.newBuilder().setRun(run).setOnLost(OnLost.ON_LOST_WAIT));
        cell.place(job, 0, MACHINE);
        awaitState(job, 0, TaskState.RUNNING);
        long pid = pidPrinted(job);
        cell.close();
        await().atMost(SOON).until(() -> !isAlive(pid));
    }

    @Test
    void fileOfItsHosts_followsThePeers() throws Exception {
        start(real(), hollow("m-2"), hollow("m-3"));
        JobId job = submit(
                2, HOUR_IF_HOLLOW, "sh", "-c", "echo $$; test -f $1 || exit 1; exec sleep 1000", "x", "${hostsFile}");
        cell.place(job, 0, MACHINE);
        awaitState(job, 0, TaskState.RUNNING);
        Path file = Path.of("/proc/" + pidPrinted(job) + "/cwd/.cella-hosts");
        await().atMost(SOON).until(() -> Files.readString(file).equals("0 127.0.0.1 m-1\n"));
        cell.place(job, 1, "m-2");
        await().atMost(SOON).until(() -> Files.readString(file).equals("0 127.0.0.1 m-1\n1 127.0.0.1 m-2\n"));
        cell.evict(job, 1);
        await().atMost(SOON).until(() -> Files.readString(file).equals("0 127.0.0.1 m-1\n"));
        cell.again(job, 1);
        cell.place(job, 1, "m-3");
        await().atMost(SOON).until(() -> Files.readString(file).equals("0 127.0.0.1 m-1\n1 127.0.0.1 m-3\n"));
    }

    @Test
    void laterAgentOfTheSameNameTakesTheMachineOver() throws Exception {
        start(real());
        JobId job = run("sh", "-c", "echo $$; exec sleep 1000");
        awaitState(job, 0, TaskState.RUNNING);
        long pid = pidPrinted(job);
        start(real());
        await().atMost(SOON).until(() -> !isAlive(pid));
        MachineId second = cell.machineId(MACHINE);
        JobId after = run("true");
        awaitState(after, 0, TaskState.FINISHED);
        assertThat(cell.machineId(MACHINE)).isEqualTo(second);
    }

    /** The task is LOST, which counts for no restart, and not FAILED. */
    @Test
    void machineWhoseDiskTakesNoFile_offersNothing_andGivesItsTasksBack() throws Exception {
        Path data = Files.createTempDirectory(folder, "data");
        NodeAgent agent = NodeAgent.start(
                NodeAgentOptions.of(cell.address(), real(), data, 1).withLease(LEASE));
        agents.add(agent);
        agent.registered().get(SOON.toSeconds(), TimeUnit.SECONDS);
        Path work = WorkFolders.root(data);
        Files.delete(work);
        Files.createFile(work);
        JobId job = run("true");
        awaitState(job, 0, TaskState.LOST);
        await().atMost(SOON).until(() -> machine().capacity().equals(Amounts.of(0, 0)));
        assertThat(machine().attributes().get(NodeAgent.DISK_FULL)).contains(work.toString());

        Files.delete(work);
        Files.createDirectory(work);
        await().atMost(SOON).until(() -> machine().capacity().equals(Amounts.of(4_000, 4_000)));
        assertThat(machine().attributes()).doesNotContainKey(NodeAgent.DISK_FULL);
        cell.again(job, 0);
        cell.place(job, 0, MACHINE);
        awaitState(job, 0, TaskState.FINISHED);
    }

    private MachineRow machine() {
        return cell.read(view -> view.machine(MACHINE).orElseThrow());
    }

    @Test
    void closedAgentLeavesNoProcessBehind() throws Exception {
        NodeAgent agent = start(real());
        JobId job = run("sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1000; done");
        awaitState(job, 0, TaskState.RUNNING);
        long pid = pidPrinted(job);
        agent.close();
        await().atMost(SOON).until(() -> !isAlive(pid));
    }

    @Test
    void hundredsOfHollowMachinesRunThousandsOfTasks() throws Exception {
        int machines = 500;
        int tasks = 5_000;
        MachineOptions[] more = new MachineOptions[machines - 1];
        for (int place = 0; place < more.length; place++) {
            more[place] = hollow("h-" + (place + 1));
        }
        start(hollow("h-0"), more);
        JobId job = submit(tasks, Map.of("CELLA_HOLLOW_RUNTIME_MILLIS_MEAN", "100"), "x");
        for (int index = 0; index < tasks; index++) {
            cell.place(job, index, "h-" + index % machines);
        }
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> cell.read(view -> view.taskCounts().of(TaskState.FINISHED)) == tasks);
    }

    /** The machine has room for 40 of the 60 tasks. The others start as those end. */
    @Test
    void tasksInTheQueueOfAMachineStartInOrderAsThereIsRoom() throws Exception {
        start(hollow("h1"));
        JobId job = submit(60, Map.of(), "true");
        cell.queue(job, 60, "h1");
        awaitState(job, 39, TaskState.RUNNING);
        assertThat(cell.queued()).isEqualTo(20);
        assertThat(cell.state(job, 40)).isEqualTo(TaskState.PENDING);
        cell.apply(new Command.StopJob(job));
        await().atMost(SOON).until(() -> cell.read(view -> view.tasksOn(0)) == 0);
        assertThat(cell.queued()).isZero();
    }

    @Test
    void theFirstMachineWithRoomStartsATaskThatWaitsInTwoQueues() throws Exception {
        start(hollow("h1"), hollow("h2"));
        JobId filler = submit(40, Map.of(), "sleep", "1000");
        cell.queue(filler, 40, "h1");
        awaitState(filler, 39, TaskState.RUNNING);
        JobId job = submit(1, Map.of(), "true");
        cell.queue(job, 1, "h1");
        cell.queue(job, 1, "h2");
        awaitState(job, 0, TaskState.RUNNING);
        assertThat(cell.task(job, 0).machineName()).contains("h2");
        assertThat(cell.queued()).isZero();
    }
}
