package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.Check;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Run;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agents that are killed with SIGKILL at any moment, and their tasks: each runs exactly once, its output is whole and its
 * exit code is not lost. That takes {@code -Dcella.kills=N}, which kills N agents; {@code -Dcella.seed} draws the moments.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class AdoptionTest {
    private static final String MACHINE = "m-1";
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int KILLS = Integer.getInteger("cella.kills", 0);
    private static final int TASKS_A_KILL = 4;
    private static final int JOBS_AT_ONCE_MAX = 8;

    /** Tasks listen at this address, which nothing else on a machine uses: 127.77.0.1 as the kernel writes it. */
    private static final String LISTENS = "(?m)^ *\\d+: 01004D7F:[0-9A-F]{4} 00000000:0000 0A .*$";

    private final TestCell cell = new TestCell();
    private final List<Process> agents = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws Exception {
        for (Process agent : agents) {
            agent.destroyForcibly().waitFor();
        }
        try (NodeAgent last = NodeAgent.start(options())) {
            assertThat(last).isNotNull();
        }
        cell.close();
    }

    private NodeAgentOptions options() {
        MachineOptions machine = new MachineOptions(
                MACHINE,
                MachineOptions.MachineKind.REAL,
                java.util.Map.of("cpuMilli", 4_000L, "memoryMib", 4_000L),
                java.util.Map.of());
        return NodeAgentOptions.of(cell.address(), machine, folder.resolve("data"), 1);
    }

    private Process startAgent() throws IOException {
        Process agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KeptAgentMain.class.getName(),
                        cell.address().toString(),
                        folder.resolve("data").toString(),
                        MACHINE,
                        "3600000")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        agents.add(agent);
        return agent;
    }

    private static void awaitRegistered(Process agent) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(agent.getInputStream(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).isEqualTo("registered");
    }

    private JobId submit(int count, String... command) {
        return submit(count, Group.newBuilder(), command);
    }

    private JobId submit(int count, Group.Builder group, String... command) {
        Run run = Run.newBuilder().addAllCommand(List.of(command)).build();
        Job job = Job.newBuilder()
                .setName("job-" + cell.read(view -> view.version().number()))
                .addGroups(group.setName("main").setCount(count).setRun(run))
                .build();
        JobId id = cell.submit(job, count);
        for (int index = 0; index < count; index++) {
            cell.place(id, index, MACHINE);
        }
        return id;
    }

    private void awaitState(JobId job, int index, TaskState state) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(cell.state(job, index)).isEqualTo(state));
    }

    @Test
    void tasksOutliveAgentsThatAreKilledAtAnyMoment() throws Exception {
        assumeTrue(KILLS > 0, "SKIPPED: say -Dcella.kills=N");
        long seed = Long.getLong("cella.seed", System.nanoTime());
        System.out.println("AdoptionTest seed " + seed);
        Random random = new Random(seed);
        Path ran = Files.createDirectory(folder.resolve("ran"));
        Files.setPosixFilePermissions(folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(ran, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
        List<JobId> jobs = new ArrayList<>();
        Process agent = startAgent();
        awaitRegistered(agent);
        for (int kill = 0; kill < KILLS; kill++) {
            awaitRoom(jobs);
            String script = "echo $1 >> " + ran + "/" + kill + "-$1; for i in 1 2 3 4 5; do echo line $i; sleep 0."
                    + (1 + random.nextInt(8)) + "; done; exit 7";
            jobs.add(submit(TASKS_A_KILL, "sh", "-c", script, "x", "${index}"));
            LockSupport.parkNanos(Duration.ofMillis(random.nextInt(2_000)).toNanos());
            agent.destroyForcibly().waitFor();
            agent = startAgent();
            if (random.nextBoolean()) {
                awaitRegistered(agent);
            }
        }
        for (int kill = 0; kill < KILLS; kill++) {
            for (int index = 0; index < TASKS_A_KILL; index++) {
                awaitState(jobs.get(kill), index, TaskState.FAILED);
                assertThat(cell.task(jobs.get(kill), index).exitCode())
                        .as("seed %d", seed)
                        .hasValue(7);
                assertThat(Files.readAllLines(ran.resolve(kill + "-" + index)))
                        .as("seed %d: task %d of %d ran once", seed, index, kill)
                        .hasSize(1);
                assertThat(output(jobs.get(kill), index))
                        .as("seed %d", seed)
                        .isEqualTo("line 1\nline 2\nline 3\nline 4\nline 5\n");
            }
        }
    }

    /** That takes {@code -Dcella.soakSeconds=600}, or fewer. */
    @Test
    void shortTasksAndKilledAgents_leaveNothingBehind() throws Exception {
        long seconds = Long.getLong("cella.soakSeconds", 0);
        assumeTrue(seconds > 0, "SKIPPED: say -Dcella.soakSeconds=N");
        Random random = new Random(Long.getLong("cella.seed", System.nanoTime()));
        List<JobId> jobs = new ArrayList<>();
        Process agent = startAgent();
        awaitRegistered(agent);
        JobId listens = submit(1, "sh", "-c", LISTENER);
        await().atMost(SOON).until(() -> !listeners().isEmpty());
        cell.apply(new dev.cella.transactions.model.Command.StopJob(listens));
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        while (System.nanoTime() - end < 0) {
            awaitRoom(jobs);
            jobs.removeIf(this::isEnded);
            jobs.add(submit(TASKS_A_KILL, "sh", "-c", LISTENER + " & sleep 0." + random.nextInt(5) + "; exit 7"));
            if (random.nextInt(20) == 0) {
                agent.destroyForcibly().waitFor();
                agent = startAgent();
                awaitRegistered(agent);
            }
        }
        for (JobId job : jobs) {
            for (int index = 0; index < TASKS_A_KILL; index++) {
                awaitState(job, index, TaskState.FAILED);
            }
        }
        agent.destroyForcibly().waitFor();
        NodeAgent.start(options()).close();
        await().atMost(SOON).untilAsserted(() -> assertThat(left()).isEmpty());
    }

    /** Leaves its session and its environment, and listens longer than its task runs. */
    private static final String LISTENER = "env -i setsid /usr/bin/perl -MIO::Socket::INET -e"
            + " 'my $s = IO::Socket::INET->new(Listen => 1, LocalAddr => \"127.77.0.1\"); sleep 1000'";

    private static List<String> listeners() {
        return Pattern.compile(LISTENS)
                .matcher(textOf(Path.of("/proc/net/tcp")))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /** Processes, ports, control groups, mounts and work folders of the attempts that have a journal. */
    private List<String> left() throws IOException {
        List<String> journals = new ArrayList<>();
        for (Path file : paths(folder.resolve("data/attempts"), 7)) {
            if (file.endsWith("journal")) {
                journals.addAll(Files.readAllLines(file));
            }
        }
        assertThat(journals).anyMatch(line -> line.startsWith("mark "));
        List<String> left = new ArrayList<>(listeners());
        Set<String> marks = new HashSet<>();
        for (String line : journals) {
            if (line.startsWith("mark ")) {
                marks.add("CELLA_MARK=" + line.substring("mark ".length()));
            } else if (line.startsWith("group ") && Files.exists(Path.of(line.substring("group ".length())))) {
                left.add(line);
            }
        }
        for (Path process : paths(Path.of("/proc"), 1)) {
            String environment = textOf(process.resolve("environ"));
            List.of(environment.split("\0", -1)).stream()
                    .filter(marks::contains)
                    .forEach(left::add);
        }
        String data = folder.resolve("data").toString();
        textOf(Path.of("/proc/self/mounts"))
                .lines()
                .filter(line -> line.contains(data) || line.contains("cella-work-"))
                .forEach(left::add);
        paths(folder.resolve("data/work"), 1).forEach(work -> left.add(work.toString()));
        String works = "cella-work-" + Integer.toHexString(data.hashCode());
        paths(Path.of("/var/tmp", works), 1).forEach(work -> left.add(work.toString()));
        return left;
    }

    private static List<Path> paths(Path folder, int depth) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> below = Files.walk(folder, depth)) {
            return below.filter(path -> !path.equals(folder)).toList();
        } catch (UncheckedIOException changing) {
            return paths(folder, depth);
        }
    }

    private static String textOf(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Agents that are killed again and again before they have registered leave tasks waiting. */
    private void awaitRoom(List<JobId> jobs) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(
                                jobs.stream().filter(job -> !isEnded(job)).count())
                        .isLessThan(JOBS_AT_ONCE_MAX));
    }

    private boolean isEnded(JobId job) {
        return IntStream.range(0, TASKS_A_KILL)
                .allMatch(index -> cell.state(job, index).isEnded());
    }

    private String output(JobId job, int index) throws IOException {
        Path attempt = folder.resolve("data/attempts/" + MACHINE + "/" + job + "/0/" + index + "/1/stdout.0");
        return Files.readString(attempt);
    }

    @Test
    void taskThatTheCellStoppedWhileItsAgentWasAway_isStopped() throws Exception {
        Process agent = startAgent();
        awaitRegistered(agent);
        JobId job = submit(1, "sleep", "1000");
        awaitState(job, 0, TaskState.RUNNING);
        agent.destroyForcibly().waitFor();
        cell.apply(new dev.cella.transactions.model.Command.StopJob(job));
        startAgent();
        awaitState(job, 0, TaskState.KILLED);
    }

    @Test
    void machineThatTheCellGaveUp_stopsWhatItsAgentLeft_andRegistersAsAnother() throws Exception {
        Process agent = startAgent();
        awaitRegistered(agent);
        JobId job = submit(1, "sleep", "1000");
        awaitState(job, 0, TaskState.RUNNING);
        var before = cell.machineId(MACHINE);
        agent.destroyForcibly().waitFor();
        cell.loseMachine(MACHINE);
        awaitRegistered(startAgent());
        assertThat(cell.machineId(MACHINE)).isNotEqualTo(before);
        assertThat(IntStream.range(0, 1).mapToObj(index -> cell.state(job, index)))
                .containsExactly(TaskState.LOST);
        JobId after = submit(1, "true");
        awaitState(after, 0, TaskState.FINISHED);
    }

    /** The first agent starts the task, the second one reports, twice because an answer is lost, and the third finds it known. */
    @Test
    void checkThatPasses_isReportedByTheAgentThatSeesIt_andByNoneAfterIt() throws Exception {
        Path ready = folder.resolve("shared/ready");
        Path passed = folder.resolve("shared/passed");
        share();
        Process first = startAgent();
        awaitRegistered(first);
        JobId job = submit(
                1,
                Group.newBuilder().setCheck(check("test -e " + ready + " && echo passed >> " + passed)),
                "sleep",
                "1000");
        awaitReason(job, TaskReason.AWAITS_CHECK);
        first.destroyForcibly().waitFor();
        Process second = startAgent();
        awaitRegistered(second);
        assertThat(cell.task(job, 0).reason()).isEqualTo(TaskReason.AWAITS_CHECK);
        cell.loseAnswers(1);
        Files.createFile(ready);
        await().atMost(SOON).until(() -> cell.checksReported() == 2);
        awaitReason(job, TaskReason.CHECKED);
        second.destroyForcibly().waitFor();
        int passes = Files.readAllLines(passed).size();
        awaitRegistered(startAgent());
        await().atMost(SOON).until(() -> Files.readAllLines(passed).size() > passes + 2);
        assertThat(cell.checksReported()).isEqualTo(2);
        assertThat(cell.task(job, 0).reason()).isEqualTo(TaskReason.CHECKED);
    }

    /** Checks run as the tasks' user, and write there. */
    private void share() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static Check check(String script) {
        return Check.newBuilder()
                .addAllCommand(List.of("sh", "-c", script))
                .setEvery(Durations.fromMillis(100))
                .setTimeout(Durations.fromSeconds(60))
                .setFailuresMax(1_000_000)
                .build();
    }

    private void awaitReason(JobId job, TaskReason reason) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(cell.task(job, 0).reason()).isEqualTo(reason));
    }

    @Test
    void secondAgentOfOneDataDirectory_isRefused() throws Exception {
        awaitRegistered(startAgent());
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> NodeAgent.start(options())))
                .hasMessageContaining("another agent uses");
    }
}
