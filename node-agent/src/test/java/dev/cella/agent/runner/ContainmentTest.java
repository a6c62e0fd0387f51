package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.agent.keeper.Keeper;
import dev.cella.agent.logs.OutputFile;
import dev.cella.agent.logs.OutputLimits;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.machine.Devices;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits bite, and escapes fail, on real processes. What this machine cannot do is skipped, and says why. */
class ContainmentTest {
    private static final String MACHINE = "m-1";
    private static final Map<String, Long> SMALL = Map.of("cpuMilli", 500L, "memoryMib", 64L, "diskMib", 8L);

    @TempDir
    Path folder;

    private Isolation isolation;
    private ProcessRunner runner;
    private final String marks = "test-" + UUID.randomUUID();
    private int placements;
    private boolean quota;
    private Map<String, Long> resources = SMALL;
    private Map<String, String> variables = Map.of();
    private Optional<HealthCheck> check = Optional.empty();
    private final CompletableFuture<Void> unhealthy = new CompletableFuture<>();
    private boolean ownNetwork;
    private Map<String, Devices> devices = Map.of();
    private Map<String, String> members = Map.of();
    private final List<Path> madeFiles = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        isolation = Isolation.detect(Optional.empty());
        open();
    }

    private void open() throws Exception {
        Keeper keeper = Keeper.open(isolation.setsid(), folder, folder, false);
        OutputStore outputs = OutputStore.open(folder, OutputLimits.DEFAULT);
        runner = new ProcessRunner(isolation, keeper, outputs, devices, folder, marks);
        runner.begin();
    }

    @AfterEach
    void stop() throws IOException {
        runner.close();
        for (Path file : madeFiles) {
            Files.delete(file);
        }
    }

    private void assumeLevel(IsolationLevel level) {
        assumeTrue(isolation.level().compareTo(level) >= 0, "SKIPPED, no isolation " + level + ": " + isolation.why());
    }

    private PlacementId begin(IsolationLevel level, CompletableFuture<TaskEnd> ended, String... command) {
        RunSettings settings = new RunSettings(
                Optional.empty(),
                "TERM",
                0,
                level,
                Optional.empty(),
                resources,
                Map.of(),
                check,
                false,
                false,
                quota,
                ownNetwork,
                false);
        GroupRun run = new GroupRun("hello", "main", List.of(command), variables, Optional.empty(), 1_000, settings);
        PlacementId placement = new PlacementId(++placements, 0);
        Assignment assignment = new Assignment(placement, new TaskId(new JobId(7), 0, 0), placements, 1);
        runner.start(MACHINE, new Launch(assignment, run, members, false), new TaskRunner.Listener() {
            @Override
            public void started(PlacementId started) {}

            @Override
            public void unhealthy(PlacementId ofThis) {
                unhealthy.complete(null);
            }

            @Override
            public void ended(PlacementId ofThis, TaskEnd end) {
                ended.complete(end);
            }
        });
        return placement;
    }

    private TaskEnd run(IsolationLevel level, String... command) throws Exception {
        CompletableFuture<TaskEnd> ended = new CompletableFuture<>();
        begin(level, ended, command);
        return ended.get(180, TimeUnit.SECONDS);
    }

    private String output(String stream) throws IOException {
        Path attempt = folder.resolve(MACHINE + "/7/0/0/" + placements);
        if (!Files.isDirectory(attempt)) {
            return "";
        }
        OutputFile file = new OutputFile(attempt, stream);
        return StandardCharsets.UTF_8.decode(file.read(0, 1 << 20).bytes()).toString();
    }

    private String full(String script) throws Exception {
        run(IsolationLevel.FULL, "sh", "-c", script);
        return output("stdout");
    }

    private int groups() throws IOException {
        try (java.util.stream.Stream<Path> trees = Files.list(Path.of("/sys/fs/cgroup"))) {
            return (int) trees.flatMap(this::attemptGroups).count();
        }
    }

    private java.util.stream.Stream<Path> attemptGroups(Path tree) {
        try (java.util.stream.Stream<Path> below = Files.walk(tree, 6)) {
            return below.filter(path -> String.valueOf(path.getFileName()).startsWith(marks)).toList().stream();
        } catch (IOException | java.io.UncheckedIOException gone) {
            return java.util.stream.Stream.empty();
        }
    }

    private static boolean isAlive(String pid) throws IOException {
        try {
            return !Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    @Test
    void memory_aboveWhatWasAskedFor_endsIt_andSaysThePeak() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        TaskEnd end = run(IsolationLevel.LIMITS, "sh", "-c", "head -c 200000000 /dev/zero | tail; sleep 1000");
        assertThat(end.reason()).isEqualTo(TaskReason.OUT_OF_MEMORY);
        assertThat(end.isSuccess()).isFalse();
        assertThat(output("stderr")).contains("used more memory than it asked for, 6", "MiB at its peak");
    }

    @Test
    void memory_belowWhatAProcessNeedsToStart_saysSo() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        resources = Map.of("cpuMilli", 500L, "memoryMib", 1L);
        TaskEnd end = run(IsolationLevel.LIMITS, "perl", "-e", "my $x = 'x' x 4_000_000; sleep 1000");
        assertThat(end.reason()).isEqualTo(TaskReason.OUT_OF_MEMORY);
        assertThat(output("stderr")).contains("ask for more memoryMib");
    }

    @Test
    void linksInTheWorkDirectory_areRemoved_notFollowed() throws Exception {
        Path precious = Files.createDirectory(folder.resolve("precious"));
        Files.writeString(precious.resolve("file"), "precious");
        run(IsolationLevel.NONE, "sh", "-c", "ln -s " + precious + " link; ln -s /etc/passwd file; mkdir -p a/b; ls");
        assertThat(output("stdout")).contains("link", "file");
        assertThat(Files.readString(precious.resolve("file"))).isEqualTo("precious");
        assertThat(Path.of("/etc/passwd")).exists();
    }

    @Test
    void disk_aboveWhatWasAskedFor_endsIt() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        String script = "for i in 1 2 3; do head -c 5000000 /dev/zero > f$i; done; sleep 1000";
        assertThat(run(IsolationLevel.LIMITS, "sh", "-c", script).reason()).isEqualTo(TaskReason.OUT_OF_DISK);
        assertThat(run(IsolationLevel.LIMITS, "sh", "-c", "head -c 20000000 /dev/zero > one")
                        .reason())
                .isEqualTo(TaskReason.OUT_OF_DISK);
    }

    /** The writer is ended by the size of its file, and the task waits for nothing. */
    @Test
    void oneFile_largerThanTheDisk_endsTheTask_thoughItsFirstProcessGoesOn() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        TaskEnd end = run(IsolationLevel.LIMITS, "sh", "-c", "head -c 20000000 /dev/zero > one; sleep 1000");
        assertThat(end.reason()).isEqualTo(TaskReason.OUT_OF_DISK);
        assertThat(output("stderr")).contains("ask for more diskMib");
    }

    @Test
    void forkBomb_isBounded_andKilledWithAllOfIt() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        CompletableFuture<TaskEnd> ended = new CompletableFuture<>();
        PlacementId bomb =
                begin(IsolationLevel.LIMITS, ended, "sh", "-c", "f() { f | f & }; f; f; while :; do sleep 1; done");
        runner.kill(bomb);
        assertThat(ended.get(180, TimeUnit.SECONDS)).isNotNull();
        await().atMost(Duration.ofMinutes(3)).until(() -> groups() == 0);
    }

    @Test
    void whatLeavesItsSessionAndItsEnvironment_diesWithTheTask() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        run(IsolationLevel.LIMITS, "sh", "-c", "(env -i setsid sh -c 'echo $$ ; exec sleep 1000' &) ; sleep 0.3");
        String daemon = output("stdout").trim();
        assertThat(daemon.isEmpty() || !isAlive(daemon)).isTrue();
    }

    @Test
    void full_seesItsOwnProcessesOnly_andCannotTraceOthers() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        assertThat(full("ls /proc | grep -c '^[0-9]'").trim()).matches("[1-9]");
        assertThat(run(
                                IsolationLevel.FULL,
                                "sh",
                                "-c",
                                "kill -0 " + ProcessHandle.current().pid())
                        .isSuccess())
                .isFalse();
    }

    @Test
    void full_cannotWriteToTheSystem_andHasItsOwnTmp() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        Path shared = Files.createTempFile("cella-seen-by-none", "");
        try {
            String output = full("touch /etc/x 2>&1; touch /usr/x 2>&1; ls /tmp | wc -l; touch /tmp/mine here; ls;"
                    + " mount -o remount,rw / 2>&1; cat /proc/1/environ > /dev/null 2>&1 || echo closed");
            assertThat(output).contains("/etc/x", "/usr/x", "\n0\n", "\nhere\n");
            assertThat(output.toLowerCase(java.util.Locale.ROOT)).contains("mount:");
        } finally {
            Files.delete(shared);
        }
    }

    @Test
    void full_cannotReadTheAgentsData_notThroughALinkEither() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        Files.writeString(folder.resolve("secret"), "secret");
        String output = full("cat " + folder.resolve("secret") + " 2>&1; ln -s " + folder + " link; ls link 2>&1;"
                + " cat link/secret 2>&1");
        assertThat(output).doesNotContain("\nsecret").contains("secret: ");
    }

    @Test
    void full_endsAsItsCommandEnds_andHearsItsStopSignal() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        assertThat(run(IsolationLevel.FULL, "sh", "-c", "exit 42")).isEqualTo(TaskEnd.exited(42));
        assertThat(run(IsolationLevel.FULL, "sh", "-c", "kill -SEGV $$")).isEqualTo(TaskEnd.exited(139));
        CompletableFuture<TaskEnd> ended = new CompletableFuture<>();
        PlacementId stopped = begin(
                IsolationLevel.FULL,
                ended,
                "sh",
                "-c",
                "trap 'echo told; exit 3' TERM; echo up; while :; do sleep 0.1; done");
        while (!output("stdout").contains("up")) {
            assertThat(ended).isNotDone();
        }
        runner.terminate(stopped);
        assertThat(ended.get(180, TimeUnit.SECONDS)).isEqualTo(TaskEnd.stopped(3));
        assertThat(output("stdout")).isEqualTo("up\ntold\n");
    }

    @Test
    void full_mayNotTraceOrMakeNamespaces_whereTheMachineHasTheFilter() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        assumeTrue(isolation.seccomp().isPresent(), "SKIPPED, no seccomp filter on this machine");
        String output = full(
                "grep Seccomp: /proc/self/status; unshare --user true 2>&1 || echo no namespace; sleep 1000 & perl -e"
                        + " 'print syscall(101, 16, shift, 0, 0), qq( $!\\n)' $!; kill $!; echo still here");
        assertThat(output).contains("Seccomp:\t2", "no namespace", "-1 Operation not permitted", "still here");
    }

    @Test
    void full_withItsOwnNetwork_hasALoopbackOnly() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        ownNetwork = true;
        assertThat(full("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '").trim())
                .isEqualTo("lo");
    }

    /** Two devices that behave like /dev/null; the second one is not given. */
    private void withTwoDevices() throws Exception {
        Path first = Path.of("/dev", "cella-" + marks.replace("-", "") + "x0");
        Path second = first.resolveSibling(first.getFileName().toString().replace("x0", "x1"));
        for (Path device : List.of(first, second)) {
            Process made = new ProcessBuilder("mknod", "-m", "0600", device.toString(), "c", "1", "3").start();
            assumeTrue(made.waitFor() == 0, "SKIPPED, this user may not make device files");
            madeFiles.add(device);
        }
        devices = Map.of(MACHINE, Devices.none().with("nulls", first.toString().replace("x0", "x0-1")));
        members = Map.of("nulls", "0");
        runner.close();
        open();
    }

    @Test
    void full_hasTheDevicesThatItWasGiven_andNoOthers() throws Exception {
        assumeLevel(IsolationLevel.FULL);
        withTwoDevices();
        String given = madeFiles.get(0).toString();
        String other = madeFiles.get(1).toString();
        String output = full(
                "echo x > " + given + " && echo can write; ls -l " + given + "; ls " + other
                        + " 2>&1; mknod here c 1 3 2>&1; ls /dev | tr '\n' ' '; echo; echo $CELLA_NULLS; echo y > /dev/null && echo null");
        assertThat(output)
                .contains(
                        "can write\n", "crw------- ", other + "': No such file", "mknod: here: Operation not permitted")
                .contains(" full ", " null ", "\n0\nnull\n")
                .doesNotContain("kmsg", "loop", "mem");
    }

    @Test
    void deviceThatIsNotThere_isNotStarted_andSaysWhatToDo() throws Exception {
        devices = Map.of(MACHINE, Devices.none().with("fpgas", "/dev/cella-no-such0-3"));
        members = Map.of("fpgas", "2");
        runner.close();
        open();
        assertThat(run(IsolationLevel.NONE, "true").reason()).isEqualTo(TaskReason.NOT_STARTED);
        assertThat(output("stderr")).contains("its device /dev/cella-no-such2 is not on this machine", "--member");
    }

    private void checkBesideTheTask(IsolationLevel level, String file) throws Exception {
        assumeLevel(level);
        // In a user namespace a task seems to be root.
        String who = isolation.dropsBounds() ? "test $(id -u) != 0 && " : "";
        String script = "while ! test -e " + file + "; do sleep 0.05; done; " + who + "exit 42";
        check = Optional.of(
                new HealthCheck(HealthCheck.Kind.COMMAND, List.of("sh", "-c", script), "", 100, 180_000, 1));
        CompletableFuture<TaskEnd> ended = new CompletableFuture<>();
        PlacementId placement = begin(level, ended, "sh", "-c", "touch " + file + "; while :; do sleep 1; done");
        unhealthy.get(180, TimeUnit.SECONDS);
        assertThat(output("stderr")).contains("unhealthy: sh ended with exit code 42, 1 times in a row");
        runner.kill(placement);
        assertThat(ended.get(180, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void checkOfALimitedTask_runsInItsFolder_asItsUser() throws Exception {
        assumeTrue(isolation.dropsBounds(), "SKIPPED, tasks run as the agent's own user");
        checkBesideTheTask(IsolationLevel.LIMITS, "ready");
    }

    @Test
    void checkOfAnIsolatedTask_seesWhatTheTaskSees() throws Exception {
        checkBesideTheTask(IsolationLevel.FULL, "/tmp/ready");
    }

    @Test
    void quota_isSetToWhatWasAskedFor() throws Exception {
        assumeLevel(IsolationLevel.LIMITS);
        quota = true;
        run(IsolationLevel.LIMITS, "sh", "-c", "cat /proc/self/cgroup");
        List<String> groups =
                output("stdout").lines().map(line -> line.split(":", 3)[2]).toList();
        assertThat(groups).anyMatch(group -> group.contains(marks));
        var settings =
                isolation.groups().orElseThrow().of("m", SMALL, true, false).settings();
        assertThat(settings)
                .filteredOn(setting -> setting.file().toString().matches(".*(cfs_quota_us|cpu\\.max)"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.value()).startsWith("50000"));
    }

    @Test
    void environmentOfTheJob_reachesNothingThatRunsAsRoot() throws Exception {
        RunSettings settings = RunSettings.PLAIN;
        Map<String, String> hostile = Map.of("PATH", folder.toString(), "LD_PRELOAD", "/no/such.so");
        GroupRun run = new GroupRun(
                "hello", "main", List.of("/bin/sh", "-c", "echo $PATH"), hostile, Optional.empty(), 0, settings);
        CompletableFuture<TaskEnd> ended = new CompletableFuture<>();
        PlacementId placement = new PlacementId(++placements, 0);
        Assignment assignment = new Assignment(placement, new TaskId(new JobId(7), 0, 0), placements, 1);
        runner.start(MACHINE, new Launch(assignment, run), new TaskRunner.Listener() {
            @Override
            public void started(PlacementId started) {}

            @Override
            public void ended(PlacementId ofThis, TaskEnd end) {
                ended.complete(end);
            }
        });
        assertThat(ended.get(180, TimeUnit.SECONDS)).isEqualTo(TaskEnd.exited(0));
        assertThat(output("stdout").trim()).isEqualTo(folder.toString());
    }

    /** Every user of the machine can read the arguments of every process. */
    @ParameterizedTest
    @EnumSource(IsolationLevel.class)
    void variables_areInNoArguments(IsolationLevel level) {
        Isolation.Start start = new Isolation.Start(
                List.of("true"),
                Map.of("PASSWORD", "secret"),
                level,
                isolation.user(),
                Optional.empty(),
                Map.of(),
                false,
                folder,
                folder,
                MACHINE,
                List.of(),
                List.of());
        assertThat(isolation.wrap(start)).noneMatch(word -> word.contains("secret"));
        assertThat(isolation.wrapBeside(start, 1)).noneMatch(word -> word.contains("secret"));
        assertThat(Isolation.handed(start.environment()).values()).containsExactly("PASSWORD=secret");
    }

    @Test
    void variablesOfARunningTask_areItsOwnAlone() throws Exception {
        IsolationLevel level = isolation.level();
        String password = UUID.randomUUID() + " \"${HOME}\"\n# \\\u00e9";
        variables = Map.of("PASSWORD", password, "-EMPTY", "");
        CompletableFuture<TaskEnd> ended = new CompletableFuture<>();
        PlacementId placement = begin(
                level,
                ended,
                "sh",
                "-c",
                "tr '\\0' '|' < /proc/self/environ; echo; echo up; while :; do sleep 1; done");
        while (!output("stdout").endsWith("up\n")) {
            assertThat(ended).isNotDone();
        }
        assertThat(output("stdout"))
                .contains("PASSWORD=" + password + "|", "-EMPTY=|")
                .doesNotContain("CELLA_V");
        assertThat(argumentsOfAllProcesses()).noneMatch(arguments -> arguments.contains(password.substring(0, 36)));
        runner.kill(placement);
        assertThat(ended.get(180, TimeUnit.SECONDS)).isNotNull();
    }

    private static List<String> argumentsOfAllProcesses() throws IOException {
        List<String> found = new ArrayList<>();
        try (java.util.stream.Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                try {
                    found.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1));
                } catch (IOException noProcess) {
                    // another file, or gone
                }
            }
        }
        return found;
    }

    @Test
    void trialThatFails_saysItsLastError() throws Exception {
        assertThat(Isolation.whyNot(new ProcessBuilder("true"))).isEmpty();
        assertThat(Isolation.whyNot(new ProcessBuilder("sh", "-c", "exit 3"))).hasValue("exit code 3");
        assertThat(Isolation.whyNot(new ProcessBuilder("sh", "-c", "echo first >&2; echo mount: /x >&2; exit 1")))
                .hasValue("mount: /x");
    }

    @Test
    void asksForMoreThanTheMachineHas_isNotStarted() throws Exception {
        assumeTrue(isolation.level() != IsolationLevel.FULL, "this machine has every level");
        assertThat(run(IsolationLevel.FULL, "true").reason()).isEqualTo(TaskReason.NOT_ISOLATED);
        assertThat(output("stderr")).contains("isolation full");
    }

    @Test
    void spareWork_hasTheLowestShareOfTheProcessor() {
        assumeLevel(IsolationLevel.LIMITS);
        ControlGroups groups = isolation.groups().orElseThrow();
        var settings = groups.of("m", Map.of("cpuMilli", 8_000L), false, true).settings();
        assertThat(settings.toString()).contains(groups.isVersion2() ? "cpu.weight, value=1," : "cpu.shares, value=2,");
    }
}
