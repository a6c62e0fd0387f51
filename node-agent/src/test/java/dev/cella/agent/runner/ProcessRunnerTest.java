package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.agent.keeper.Keeper;
import dev.cella.agent.logs.AttemptKey;
import dev.cella.agent.logs.OutputFile;
import dev.cella.agent.logs.OutputLimits;
import dev.cella.agent.logs.OutputStore;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.agent.reconciler.TaskEnd;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRunnerTest {
    private static final String MACHINE = "m-1";
    private static final TaskId TASK = new TaskId(new JobId(7), 0, 3);

    @TempDir
    Path folder;

    private Isolation isolation;
    private Keeper keeper;
    private OutputStore outputs;
    private ProcessRunner runner;
    private Heard adopted = new Heard();
    private long placements;
    private final List<String> imported = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        isolation = Isolation.detect(Optional.empty());
        open(true);
    }

    private void open(boolean tasksOutlive) throws Exception {
        keeper = Keeper.open(isolation.setsid(), folder, folder, tasksOutlive);
        outputs = OutputStore.open(folder, OutputLimits.DEFAULT);
        runner = new ProcessRunner(isolation, keeper, outputs, Map.of(), folder, "test-" + UUID.randomUUID());
        adopted = new Heard();
        runner.adopt(MACHINE, adopted);
        runner.begin();
    }

    @AfterEach
    void stop() throws Exception {
        runner.close();
        for (String image : imported) {
            succeed("podman rmi --force \"$1\"", image);
        }
    }

    /** Its agent offers the disk there. */
    @Test
    void tasksOfRootItself_workWhereThoseOfOthersDo() throws Exception {
        runner.close();
        isolation = Isolation.detect(Optional.of(System.getProperty("user.name")));
        open(true);
        assertThat(run("pwd").end().isSuccess()).isTrue();
        assertThat(output("stdout")).startsWith(WorkFolders.root(folder) + "/");
    }

    @Test
    void diskThatTakesNoFile_givesTasksBack_untilThereIsRoom() throws Exception {
        List<Boolean> changes = new ArrayList<>();
        runner.onRoomChange(() -> changes.add(runner.whyNoRoom().isEmpty()));
        Path work = WorkFolders.root(folder);
        Files.delete(work);
        Files.createFile(work);
        assertThat(run("true").end()).isEqualTo(TaskEnd.returned());
        assertThat(run("true").end()).isEqualTo(TaskEnd.returned());
        assertThat(runner.whyNoRoom()).isPresent();
        Files.delete(work);
        WorkFolders.open(folder);
        assertThat(run("true").end().isSuccess()).isTrue();
        assertThat(changes).containsExactly(false, true);
    }

    /** A program that cleans /var/tmp does that on a machine that had no task for long. */
    @Test
    void workDirectoryThatWasRemoved_isMadeAgain() throws Exception {
        Files.delete(WorkFolders.root(folder));
        assertThat(run("true").end().isSuccess()).isTrue();
        assertThat(runner.whyNoRoom()).isEmpty();
    }

    @Test
    void workDirectoryThatAnotherUserHasMade_isNotUsed() throws Exception {
        assumeTrue(isolation.dropsBounds(), "SKIPPED, only root can give a directory to another user");
        Path work = WorkFolders.root(folder);
        Files.delete(work);
        Files.createDirectory(work);
        Files.setAttribute(work, "unix:uid", 65_534);
        assertThat(run("true").end().reason()).isEqualTo(TaskReason.NOT_STARTED);
        assertThat(output("stderr")).contains(work + " belongs to somebody else: remove it");
    }

    private static final class Heard implements TaskRunner.Listener {
        final CompletableFuture<Void> started = new CompletableFuture<>();
        final CompletableFuture<TaskEnd> ended = new CompletableFuture<>();

        @Override
        public void started(PlacementId placement) {
            started.complete(null);
        }

        @Override
        public void ended(PlacementId placement, TaskEnd end) {
            assertThat(ended.complete(end)).isTrue();
        }

        TaskEnd end() throws Exception {
            return ended.get(180, TimeUnit.SECONDS);
        }

        void awaitStart() throws Exception {
            started.get(180, TimeUnit.SECONDS);
        }
    }

    private PlacementId placement() {
        return new PlacementId(placements, 0);
    }

    private Heard run(GroupRun run) {
        return run(run, false);
    }

    private Heard run(GroupRun run, boolean spare) {
        return run(run, Map.of(), spare);
    }

    private Heard run(GroupRun run, Map<String, String> members, boolean spare) {
        placements++;
        Heard heard = new Heard();
        Assignment assignment = new Assignment(placement(), TASK, (int) placements, 1);
        runner.start(MACHINE, new Launch(assignment, run, members, spare), heard);
        return heard;
    }

    private Heard run(String... command) {
        return run(new GroupRun("hello", "main", List.of(command), Map.of(), Optional.empty(), 1_000));
    }

    private String output(String stream) throws IOException {
        return output(placements, stream);
    }

    /** All that is kept of the stream. */
    private String output(long attempt, String stream) throws IOException {
        Path attemptFolder = folder.resolve(MACHINE + "/7/0/3/" + attempt);
        OutputFile file = new OutputFile(attemptFolder, stream);
        StringBuilder text = new StringBuilder();
        for (long offset = file.start(); offset < file.end(); ) {
            OutputFile.Chunk chunk = file.read(offset, 1 << 20);
            text.append(StandardCharsets.UTF_8.decode(chunk.bytes().duplicate()));
            offset = chunk.end();
        }
        return text.toString();
    }

    private Path attemptFolder() {
        return folder.resolve(MACHINE + "/7/0/3/" + placements);
    }

    private static long pid(String text) {
        return Long.parseLong(text.trim());
    }

    /** A zombie, which waits for nothing but its parent's attention, does not live. */
    private static boolean isAlive(long pid) throws IOException {
        try {
            return !Files.readString(Path.of("/proc", Long.toString(pid), "stat"))
                    .contains(") Z ");
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    private long awaitPid(String stream) {
        await().atMost(180, TimeUnit.SECONDS).until(() -> output(stream).endsWith("\n"));
        try {
            return pid(output(stream));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void spareWork_standsBack_untilItIsUpgraded() throws Exception {
        String script = "cat /proc/self/oom_score_adj; nice; echo $$ >&2; "
                + "until [ -e go ]; do sleep 0.05; done; cat /proc/self/oom_score_adj";
        List<String> command = List.of("sh", "-c", script);
        Heard heard = run(new GroupRun("hello", "main", command, Map.of(), Optional.empty(), 1_000), true);
        long pid = awaitPid("stderr");
        boolean isGrouped = isolation.groups().isPresent();
        // The two streams are read by different threads.
        await().untilAsserted(() -> assertThat(output("stdout")).isEqualTo("1000\n" + (isGrouped ? "0" : "19") + "\n"));

        runner.upgrade(placement());
        Path score = Path.of("/proc", Long.toString(pid), "oom_score_adj");
        if (isGrouped) {
            await().atMost(180, TimeUnit.SECONDS)
                    .until(() -> Files.readString(score).trim().equals("0"));
        }
        Files.createFile(Path.of("/proc", Long.toString(pid), "cwd", "go"));
        assertThat(heard.end()).isEqualTo(TaskEnd.exited(0));
    }

    @Test
    void command_isFilledInAndItsOutputKept() throws Exception {
        Heard heard = run("printf", "%s\\n", "${job}/${group}/${index} on ${machine}, $${attempt} ${attempt}");
        assertThat(heard.end()).isEqualTo(TaskEnd.exited(0));
        assertThat(heard.started).isDone();
        assertThat(output("stdout")).isEqualTo("hello/main/3 on m-1, ${attempt} 1\n");
        assertThat(output("stderr")).isEmpty();
    }

    @Test
    void argumentsAndVariablesOfSixtyThousandLetters_reachTheTask() throws Exception {
        String text = "x".repeat(60_000);
        List<String> command = List.of("sh", "-c", "echo $${#1} $${#TEXT}", "sh", text);
        Heard heard = run(new GroupRun("hello", "main", command, Map.of("TEXT", text), Optional.empty(), 1_000));
        assertThat(heard.end()).isEqualTo(TaskEnd.exited(0));
        assertThat(output("stdout")).isEqualTo("60000 60000\n");
    }

    /** An argument of 4 KiB gets that long if its placeholders stand for long names. */
    @Test
    void argumentThatIsTooLong_saysWhatToDo_andOtherTasksRun() throws Exception {
        assertThat(run("true", "\u20ac".repeat(30_000)).end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(output("stderr")).contains("90,000 bytes", "at most 65,535", "put it in a file");
        assertThat(run("true").end()).isEqualTo(TaskEnd.exited(0));
    }

    @Test
    void moreVariablesThanTheAgentTakes_saysWhatToDo() throws Exception {
        Map<String, String> many = IntStream.range(0, 4_000).boxed().collect(Collectors.toMap(n -> "V" + n, n -> ""));
        Heard heard = run(new GroupRun("hello", "main", List.of("true"), many, Optional.empty(), 0));
        assertThat(heard.end().reason()).isEqualTo(TaskReason.NOT_STARTED);
        assertThat(output("stderr")).contains("variables, and the agent takes at most 4,000: put them in a file");
    }

    @Test
    void argumentsThatAreTooLongForTheKernel_sayWhatToDo_andOtherTasksRun() throws Exception {
        String[] command = new String[100];
        Arrays.fill(command, "x".repeat(60_000));
        command[0] = "true";
        assertThat(run(command).end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(output("stderr")).contains("Argument list too long", "put it in a file");
        assertThat(run("true").end()).isEqualTo(TaskEnd.exited(0));
    }

    @Test
    void command_withoutAShell_isTakenAsItIs() throws Exception {
        run("echo", "$HOME; exit 3", "*", "`id`").end();
        assertThat(output("stdout")).isEqualTo("$HOME; exit 3 * `id`\n");
    }

    @Test
    void environment_hasNothingInheritedButThree() throws Exception {
        run(new GroupRun(
                        "hello",
                        "main",
                        List.of("env"),
                        Map.of("MODE", "0644", "my.dotted-name", "x"),
                        Optional.empty(),
                        0))
                .end();
        assertThat(output("stdout").lines().map(line -> line.substring(0, line.indexOf('='))))
                .containsExactlyInAnyOrder(
                        "PATH",
                        "HOME",
                        "LANG",
                        "MODE",
                        "my.dotted-name",
                        "CELLA_TASK_INDEX",
                        "CELLA_JOB",
                        "CELLA_GROUP",
                        "CELLA_MACHINE",
                        "CELLA_ATTEMPT",
                        "CELLA_MARK");
        assertThat(output("stdout")).contains("MODE=0644\n", "CELLA_TASK_INDEX=3\n", "CELLA_ATTEMPT=1\n");
    }

    @Test
    void variableWhoseNameBeginsWithADash_isNoOption() throws Exception {
        List<String> command = List.of("env");
        Map<String, String> variables = Map.of("-u", "HOME", "--chdir", "/");
        Heard heard = run(new GroupRun("hello", "main", command, variables, Optional.empty(), 0));
        assertThat(heard.end()).isEqualTo(TaskEnd.exited(0));
        assertThat(output("stdout")).contains("-u=HOME\n", "--chdir=/\n", "HOME=");
    }

    @Test
    void programWhoseNameHasAnEqualsSign_isNoVariable() throws Exception {
        Path program = Path.of("/var/tmp", "cella-test-a=" + UUID.randomUUID());
        Files.writeString(program, "#!/bin/sh\necho \"ran $1\"\n");
        try {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            assertThat(run(program.toString(), "id").end()).isEqualTo(TaskEnd.exited(0));
            assertThat(output("stdout")).isEqualTo("ran id\n");
        } finally {
            Files.delete(program);
        }
    }

    @Test
    void user_isTheOneThatIsolationSays() throws Exception {
        run("id", "-un").end();
        assertThat(output("stdout").trim()).isEqualTo(isolation.userName());
        assertThat(isolation.toString())
                .startsWith("isolation=" + isolation.level().word() + " user=" + isolation.userName());
    }

    @Test
    void directory_itsOwnIsWritable() throws Exception {
        assertThat(run("sh", "-c", "touch made && ls \"$HOME\" && cd \"$HOME\" && pwd")
                        .end())
                .isEqualTo(TaskEnd.exited(0));
        assertThat(output("stdout")).startsWith("made\n");
        Path work = Path.of(output("stdout").lines().toList().get(1));
        assertThat(work).doesNotExist();
    }

    @Test
    void environment_isTheTasksOwn_evenWhereTheAgentHasAnother() throws Exception {
        run("sh", "-c", "echo $PATH; pwd; echo $HOME").end();
        List<String> lines = output("stdout").lines().toList();
        assertThat(lines.get(0)).isEqualTo(Programs.PATH_DEFAULT);
        assertThat(lines.get(1)).isNotEqualTo(System.getProperty("user.home"));
        assertThat(lines.get(2)).isEqualTo(lines.get(1));
    }

    @Test
    void privileges_areNone() throws Exception {
        run("cat", "/proc/self/status").end();
        String status = output("stdout");
        assertThat(status).contains("NoNewPrivs:\t1");
        if (isolation.dropsBounds()) {
            assertThat(status).contains("CapBnd:\t0000000000000000", "CapEff:\t0000000000000000");
        }
    }

    @Test
    void filesOfAnAttempt_areClosedToOtherUsers() throws Exception {
        run("echo", "printed").end();
        assertThat(Files.getPosixFilePermissions(folder))
                .containsExactlyInAnyOrderElementsOf(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(attemptFolder().resolve("stdout.0")))
                .containsExactlyInAnyOrderElementsOf(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void silentAttempt_hasNoFilesOfOutput() throws Exception {
        run("true").end();
        assertThat(attemptFolder().toFile().list()).containsExactly("journal");
        assertThat(output("stdout")).isEmpty();
    }

    @Test
    void exitCode_isReported() throws Exception {
        assertThat(run("sh", "-c", "exit 42").end()).isEqualTo(TaskEnd.exited(42));
    }

    @Test
    void exitBySignal_is128AndItsNumber() throws Exception {
        assertThat(run("sh", "-c", "kill -SEGV $$").end()).isEqualTo(TaskEnd.exited(139));
    }

    @Test
    void commandNotFound_saysSo() throws Exception {
        Heard heard = run("no-such-command-anywhere");
        assertThat(heard.end()).isEqualTo(TaskEnd.neverStarted(TaskReason.COMMAND_NOT_FOUND));
        assertThat(heard.started).isNotDone();
        assertThat(output("stderr")).isEqualTo("cella: command not found: no-such-command-anywhere\n");
    }

    @Test
    void commandThatIsNoProgram_isNotFound() throws Exception {
        assertThat(run("/etc/passwd").end().reason()).isEqualTo(TaskReason.COMMAND_NOT_FOUND);
        assertThat(run("/").end().reason()).isEqualTo(TaskReason.COMMAND_NOT_FOUND);
    }

    @Test
    void directoryNotFound_saysSo() throws Exception {
        Heard heard = run(new GroupRun("hello", "main", List.of("true"), Map.of(), Optional.of("/no/such"), 0));
        assertThat(heard.end()).isEqualTo(TaskEnd.neverStarted(TaskReason.DIRECTORY_NOT_FOUND));
        assertThat(output("stderr")).isEqualTo("cella: no such directory: /no/such\n");
    }

    @Test
    void attemptThatIsNotStarted_leavesNoWorkFolder() throws Exception {
        run("no-such-command-anywhere").end();
        AttemptKey key = new AttemptKey(MACHINE, 7, 0, 3, (int) placements);
        assertThat(WorkFolders.open(folder).folder(key)).doesNotExist();
    }

    /** No path has a NUL. In an agent whose locale is ASCII, the same happens to a path with other letters. */
    @Test
    void directoryThatCannotBeAPath_isNotStarted_andSaysSo() throws Exception {
        Heard heard = run(new GroupRun("hello", "main", List.of("true"), Map.of(), Optional.of("no\0such"), 0));
        assertThat(heard.end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(output("stderr")).contains("cannot use the path no\0such: ", "LC_ALL=C.UTF-8");
        assertThat(run("true").end()).isEqualTo(TaskEnd.exited(0));
    }

    /** As above, for the program of a health check. */
    @Test
    void checkWhoseProgramCannotBeAPath_isUnhealthy_andSaysSo() throws Exception {
        RunSettings plain = RunSettings.PLAIN;
        RunSettings settings = new RunSettings(
                plain.user(),
                plain.stopSignal(),
                0,
                plain.isolation(),
                plain.image(),
                plain.resources(),
                plain.ports(),
                Optional.of(new HealthCheck(HealthCheck.Kind.COMMAND, List.of("no\0such"), "", 100, 10_000, 2)),
                false,
                false,
                false,
                false,
                false);
        List<String> command = List.of("sleep", "1000");
        run(new GroupRun("hello", "main", command, Map.of(), Optional.empty(), 0, settings))
                .awaitStart();
        await().atMost(180, TimeUnit.SECONDS).until(() -> output("stderr").endsWith("\n"));
        assertThat(output("stderr")).contains("cella: unhealthy: ", "cannot use the path", "LC_ALL=C.UTF-8");
    }

    @Test
    void directoryThatItsUserMayNotEnter_saysSo() throws Exception {
        assumeTrue(isolation.user().isPresent(), "SKIPPED, tasks run as the agent's own user");
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        Heard heard = run(new GroupRun("hello", "main", List.of("true"), Map.of(), Optional.of(closed.toString()), 0));
        assertThat(heard.end()).isEqualTo(TaskEnd.neverStarted(TaskReason.DIRECTORY_FORBIDDEN));
        assertThat(output("stderr"))
                .isEqualTo("cella: user " + isolation.userName() + " may not enter the directory " + closed + "\n");
    }

    @Test
    void userThatIsNot_saysSo() throws Exception {
        assumeTrue(isolation.dropsBounds(), "SKIPPED, only root runs tasks as others");
        RunSettings settings = plain(Optional.of("no-such-user"), RunSettings.PLAIN.stopSignal());
        Heard heard = run(new GroupRun("hello", "main", List.of("true"), Map.of(), Optional.empty(), 0, settings));
        assertThat(heard.end()).isEqualTo(TaskEnd.neverStarted(TaskReason.USER_NOT_FOUND));
        assertThat(output("stderr")).isEqualTo("cella: there is no user no-such-user on this machine\n");
    }

    private static RunSettings plain(Optional<String> user, String stopSignal) {
        RunSettings plain = RunSettings.PLAIN;
        return new RunSettings(
                user,
                stopSignal,
                0,
                plain.isolation(),
                plain.image(),
                plain.resources(),
                plain.ports(),
                plain.check(),
                false,
                false,
                false,
                false,
                false);
    }

    private static RunSettings inImage(String image) {
        return inImage(image, RunSettings.PLAIN.ports(), Optional.empty());
    }

    private static RunSettings inImage(String image, Map<String, Long> ports, Optional<HealthCheck> check) {
        RunSettings plain = RunSettings.PLAIN;
        return new RunSettings(
                plain.user(),
                plain.stopSignal(),
                0,
                plain.isolation(),
                Optional.of(image),
                Map.of("memoryMib", 64L, "cpuMilli", 500L),
                ports,
                check,
                false,
                false,
                false,
                false,
                false);
    }

    private Heard runInImage(String image, String... command) {
        return run(new GroupRun(
                "hello",
                "main",
                List.of(command),
                Map.of("WORD", "w", "LINES", "a\nb"),
                Optional.empty(),
                1_000,
                inImage(image)));
    }

    private void withImages(Optional<ImageDriver> driver) throws Exception {
        runner.close();
        isolation = new Isolation(
                isolation.setsid(),
                isolation.setpriv(),
                isolation.dropsBounds(),
                isolation.user(),
                isolation.groups(),
                isolation.seccomp(),
                driver,
                isolation.level(),
                isolation.why());
        open(true);
    }

    @Test
    void image_onAMachineWithoutADriver_saysWhatToDo() throws Exception {
        withImages(Optional.empty());
        assertThat(runInImage("debian:12", "true").end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(output("stderr"))
                .isEqualTo("cella: this machine runs no images: install podman, crun or runc, and run the agent as"
                        + " root\n");
    }

    @Test
    void whatAnEarlierAgentLeftOfATaskInAnImage_isRemoved() throws Exception {
        Path bundle = Files.createDirectories(folder.resolve("bundles/left-1"));
        Path told = folder.resolve("told");
        Path crun = Files.writeString(folder.resolve("crun"), "#!/bin/sh\necho \"$@\" >> " + told + "\n");
        Files.setPosixFilePermissions(crun, PosixFilePermissions.fromString("rwxr-xr-x"));
        withImages(Optional.of(new ImageDriver(ImageDriver.Kind.CRUN, crun)));
        assertThat(bundle).doesNotExist();
        await().atMost(180, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(told).hasContent("delete --force left-1"));
    }

    @Test
    void image_isRunByTheMachinesPodman() throws Exception {
        assumeTrue(isolation.user().isPresent(), "SKIPPED, tasks run as the agent's own user");
        Path podman = Files.writeString(folder.resolve("podman"), """
                #!/bin/sh
                test "$1" = run || exit 0
                while [ "$1" != -- ]; do
                  echo "flag $1"
                  case "$1" in --env-file=*) cat "${1#*=}";; esac
                  shift
                done
                shift; echo "image $1"; shift; exec "$@"
                """);
        Files.setPosixFilePermissions(podman, PosixFilePermissions.fromString("rwxr-xr-x"));
        withImages(Optional.of(new ImageDriver(ImageDriver.Kind.PODMAN, podman)));
        assertThat(runInImage("debian:12", "echo", "job ${job}").end()).isEqualTo(TaskEnd.exited(0));
        assertThat(output("stdout"))
                .contains("flag --read-only\n", "flag --cap-drop=all\n", "flag --network=host\n", "\nWORD=w\n")
                .contains("flag --env=LINES=a\nb\n")
                .doesNotContain("flag --env=WORD")
                .contains("flag --user=" + isolation.user().get().userId() + ":")
                .endsWith("image debian:12\njob hello\n");
    }

    /** Nobody listens, so the answer to the first question is that nobody does. */
    @Test
    void programInAnImage_thatClearsItsEnvironment_isAskedItsCheck() throws Exception {
        assumeTrue(isolation.dropsBounds(), "SKIPPED, only root makes namespaces");
        assumeTrue(isolation.user().isPresent(), "SKIPPED, tasks run as the agent's own user");
        assumeTrue(isolation.groups().isPresent(), "SKIPPED, no control groups can be made");
        Path podman = Files.writeString(folder.resolve("podman"), """
                #!/bin/sh
                test "$1" = run || exit 0
                while [ "$1" != -- ]; do shift; done
                shift 2; exec env -i setsid --wait unshare --pid --fork "$@"
                """);
        Files.setPosixFilePermissions(podman, PosixFilePermissions.fromString("rwxr-xr-x"));
        withImages(Optional.of(new ImageDriver(ImageDriver.Kind.PODMAN, podman)));
        HealthCheck check = new HealthCheck(HealthCheck.Kind.TCP, List.of(), "web", 100, 10_000, 1);
        RunSettings settings = inImage("debian:12", Map.of("web", 0L), Optional.of(check));
        List<String> command = List.of("sleep", "1000");
        run(
                new GroupRun("hello", "main", command, Map.of(), Optional.empty(), 0, settings),
                Map.of("ports", Integer.toString(unusedPort())),
                false);
        await().atMost(180, TimeUnit.SECONDS).until(() -> output("stderr").startsWith("cella: unhealthy: "));
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void imageOfARegistry_withoutPodman_saysWhatToDo() throws Exception {
        assumeTrue(isolation.user().isPresent(), "SKIPPED, tasks run as the agent's own user");
        withImages(Optional.of(new ImageDriver(ImageDriver.Kind.CRUN, Path.of("/usr/bin/crun"))));
        assertThat(runInImage("debian:12", "true").end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(output("stderr")).contains("podman must be installed there; it is debian:12");
    }

    @Test
    void commandThatTheImageDoesNotHave_isNotStarted() throws Exception {
        assumeTrue(isolation.user().isPresent(), "SKIPPED, tasks run as the agent's own user");
        withImages(Optional.of(new ImageDriver(ImageDriver.Kind.CRUN, Path.of("/usr/bin/crun"))));
        Path root = Files.createDirectory(folder.resolve("empty"));
        assertThat(runInImage(root.toString(), "sh").end())
                .isEqualTo(TaskEnd.neverStarted(TaskReason.COMMAND_NOT_FOUND));
        assertThat(output("stderr")).isEqualTo("cella: command not found: sh in the image " + root + "\n");
    }

    private static void succeed(String script, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", script, "x"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /** A root file system with a shell and a few programs of this machine, and their libraries. */
    private Path unpackedImage() throws Exception {
        Path root = Files.createDirectory(folder.resolve("image"));
        String copy = "for p in sh id touch ls grep head tail sleep; do f=$(command -v $p); echo $f;"
                + " ldd $f | grep -o '/[^ ]*'; done | sort -u | while read f; do mkdir -p \"$1${f%/*}\"; cp -L $f $1$f; done;"
                + " mkdir -p $1/etc $1/proc $1/dev $1/sys $1/tmp; chmod -R a+rX $1";
        succeed(copy, root.toString());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        return root;
    }

    /** The same as the driver takes it: podman by a name, the others by its path. */
    private String imageFor(ImageDriver driver) throws Exception {
        Path root = unpackedImage();
        if (driver.kind() != ImageDriver.Kind.PODMAN) {
            return root.toString();
        }
        String image = "localhost/cella-" + UUID.randomUUID();
        succeed("tar -C \"$1\" -c . | podman import - \"$2\"", root.toString(), image);
        imported.add(image);
        return image;
    }

    @Test
    void image_isRunByTheMachinesDriver() throws Exception {
        assumeTrue(isolation.user().isPresent(), "SKIPPED, tasks run as the agent's own user");
        Optional<ImageDriver> found = ImageDriver.find();
        assumeTrue(found.isPresent(), "SKIPPED, this machine has no podman, crun or runc");
        withImages(found);
        Heard heard = runInImage(
                imageFor(found.get()),
                "sh",
                "-c",
                "id -u; echo $$; echo $WORD; ulimit -n; grep -E 'Seccomp:|CapBnd|NoNewPrivs' /proc/self/status;"
                        + " ls /dev; touch here && touch /etc/x; exit 7");
        TaskEnd end = heard.end();
        assertThat(end).as(output("stderr")).isEqualTo(TaskEnd.exited(7));
        assertThat(output("stdout").lines().limit(4).toList())
                .containsExactly(
                        Integer.toString(isolation.user().orElseThrow().userId()),
                        "1",
                        "w",
                        Long.toString(OwnLimits.FILES));
        assertThat(output("stdout"))
                .contains("Seccomp:\t2\n", "CapBnd:\t0000000000000000\n", "NoNewPrivs:\t1\n", "\nnull\n")
                .doesNotContain("kmsg", "loop0");
        assertThat(output("stderr")).contains("/etc/x", "Read-only");
    }

    /** An image that a machine with limits can run. */
    private String limitedImage() throws Exception {
        Optional<ImageDriver> found = ImageDriver.find();
        assumeTrue(
                found.isPresent()
                        && isolation.groups().isPresent()
                        && isolation.user().isPresent(),
                "SKIPPED, this machine has no podman, crun or runc, or no control groups");
        withImages(found);
        return imageFor(found.get());
    }

    @Test
    void imageThatUsesTooMuchMemory_isEnded() throws Exception {
        Heard heard = runInImage(limitedImage(), "sh", "-c", "head -c 200000000 /dev/zero | tail; sleep 1000");
        TaskEnd end = heard.end();
        assertThat(end.reason()).as(output("stderr")).isEqualTo(TaskReason.OUT_OF_MEMORY);
    }

    /** The groups are gone with it, so only what the kernel counted says why. */
    @Test
    void imageWhoseFirstProcessUsesTooMuchMemory_saysSo() throws Exception {
        Heard heard = runInImage(limitedImage(), "tail", "/dev/zero");
        TaskEnd end = heard.end();
        assertThat(end.reason()).as(output("stderr")).isEqualTo(TaskReason.OUT_OF_MEMORY);
    }

    @Test
    void directory_isWhereItRuns() throws Exception {
        run(new GroupRun("hello", "main", List.of("pwd"), Map.of(), Optional.of("/usr"), 0))
                .end();
        assertThat(output("stdout")).isEqualTo("/usr\n");
    }

    @Test
    void unknownPlaceholder_isNotStarted() throws Exception {
        assertThat(run("echo", "${port.web}").end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(output("stderr")).contains("${port.web}");
    }

    @Test
    void terminate_endsAllOfItsSession() throws Exception {
        Heard heard = run("sh", "-c", "sleep 1000 & echo $!; wait");
        heard.awaitStart();
        long child = awaitPid("stdout");
        runner.terminate(placement());
        assertThat(heard.end()).isEqualTo(TaskEnd.stopped(143));
        assertThat(isAlive(child)).isFalse();
    }

    @Test
    void terminateIgnored_killEndsIt() throws Exception {
        Heard heard = run("sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1000; done");
        heard.awaitStart();
        long leader = awaitPid("stdout");
        runner.terminate(placement());
        Heard another = run("true");
        another.end();
        assertThat(heard.ended).isNotDone();
        assertThat(isAlive(leader)).isTrue();
        runner.kill(new PlacementId(1, 0));
        assertThat(heard.end()).isEqualTo(TaskEnd.stopped(137));
        assertThat(isAlive(leader)).isFalse();
    }

    private static GroupRun atMostOnce(String... command) {
        return new GroupRun(
                "hello",
                "main",
                List.of(command),
                Map.of(),
                Optional.empty(),
                1_000,
                RunSettings.PLAIN.endingWithItsLease());
    }

    @Test
    void withoutALease_whatMustNotRunTwiceIsNotStarted_andAllElseIs() throws Exception {
        Heard mayRunTwice = run("sleep", "1000");
        mayRunTwice.awaitStart();
        assertThat(run(atMostOnce("sleep", "1000")).end()).isEqualTo(TaskEnd.neverStarted(TaskReason.NOT_STARTED));
        assertThat(mayRunTwice.ended).isNotDone();
    }

    @Test
    void agentThatComesBack_doesNotRenewTheLease() throws Exception {
        runner.renewed(10_000);
        run(atMostOnce("sleep", "1000")).awaitStart();
        runner.leave();
        open(true);
        boolean endedBefore = keeper.kept().get(0).end().isPresent();
        assertThat(endedBefore || adopted.end().equals(TaskEnd.stopped(137))).isTrue();
    }

    @Test
    void terminate_afterItsEnd_changesNothing() throws Exception {
        Heard heard = run("true");
        assertThat(heard.end()).isEqualTo(TaskEnd.exited(0));
        runner.terminate(placement());
        runner.kill(placement());
        assertThat(run("true").end()).isEqualTo(TaskEnd.exited(0));
    }

    @Test
    void end_leavesNothingBehind_notEvenDaemons() throws Exception {
        Heard heard = run("sh", "-c", "(setsid sh -c 'echo $$; exec sleep 1000' &) ; sleep 1000 & exec true");
        assertThat(heard.end()).isEqualTo(TaskEnd.exited(0));
        String daemon = output("stdout");
        assertThat(daemon.isEmpty() || !isAlive(pid(daemon))).isTrue();
    }

    @Test
    void output_ofAFlood_isAllRead_andItsNewestKept() throws Exception {
        assertThat(run("sh", "-c", "head -c 40000000 /dev/zero; echo; echo last")
                        .end())
                .isEqualTo(TaskEnd.exited(0));
        OutputFile file = new OutputFile(attemptFolder(), "stdout");
        assertThat(file.end()).isEqualTo(40_000_006);
        long kept = file.end() - file.start();
        assertThat(kept).isBetween(8L << 20, 16L << 20);
        assertThat(output("stdout")).endsWith("\nlast\n");
        assertThat(outputs.find(new AttemptKey(MACHINE, 7, 0, 3, 1))).isPresent();
    }

    @Test
    void close_endsEverything_alsoWhatDoesNotEndByItself() throws Exception {
        Heard stubborn = run("sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1000; done");
        stubborn.awaitStart();
        long stubbornPid = awaitPid("stdout");
        Heard ordinary = run("sh", "-c", "echo $$; exec sleep 1000");
        ordinary.awaitStart();
        long ordinaryPid = awaitPid("stdout");
        runner.close();
        await().atMost(180, TimeUnit.SECONDS).until(() -> !isAlive(stubbornPid) && !isAlive(ordinaryPid));
        // On a machine that stands still for seconds, closing waits no longer for the news, nor does the signal come
        // first.
        assertThat(stubborn.ended.getNow(TaskEnd.stopped(137))).isEqualTo(TaskEnd.stopped(137));
        assertThat(ordinary.ended.getNow(TaskEnd.stopped(143))).isIn(TaskEnd.stopped(143), TaskEnd.stopped(137));
    }

    @Test
    void close_sendsTheSignalThatTheTaskAsksFor() throws Exception {
        RunSettings settings = plain(RunSettings.PLAIN.user(), "USR1");
        List<String> command = List.of("sh", "-c", "echo $$; exec sleep 1000");
        Heard heard = run(new GroupRun("hello", "main", command, Map.of(), Optional.empty(), 0, settings));
        heard.awaitStart();
        awaitPid("stdout");
        runner.close();
        // As above: on a machine that stands still, closing kills it first.
        assertThat(heard.ended.getNow(TaskEnd.stopped(138))).isIn(TaskEnd.stopped(138), TaskEnd.stopped(137));
    }
}
