package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KeeperMainTest {
    private static final int KILLED = 137;

    /** The unit of {@code ulimit -f}. */
    private static final int BYTES_OF_A_BLOCK = 512;

    /** About half of them are open before a task runs. */
    private static final int FILES_MAX = 128;

    /** Control groups that limit how many processes and threads there are, of version 1 or 2. */
    private static final Path PIDS = Stream.of("/sys/fs/cgroup/pids", "/sys/fs/cgroup")
            .map(Path::of)
            .filter(Files::isDirectory)
            .findFirst()
            .orElse(Path.of("/nowhere"));

    /** A task is a process and three threads. */
    private static final int THREADS_OF_A_TASK = 4;

    private static final int BYTES_OF_A_PART = 5;
    private static final List<String> WITH_FEW_FILES =
            List.of("/bin/sh", "-c", "ulimit -n " + FILES_MAX + "; exec \"$@\"", "limited");
    private static final List<String> WITH_FILES_OF_A_BLOCK =
            List.of("/bin/sh", "-c", "ulimit -f 1; exec \"$@\"", "limited");

    private static final Duration LEASE = Duration.ofHours(1);

    private final AtomicLong aheadNanos = new AtomicLong();
    private volatile boolean isClockStanding;
    private volatile Supplier<ProcessTable> look = ProcessTable::now;
    private volatile CompletableFuture<Void> askedByAnAgent = new CompletableFuture<>();
    private final List<Process> keepers = new ArrayList<>();
    private final UUID run = UUID.randomUUID();
    private final Path limited = PIDS.resolve("cella-test-" + run);

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws Exception {
        for (Process keeper : keepers) {
            keeper.destroyForcibly().waitFor();
        }
        if (Files.exists(limited)) {
            await().atMost(Duration.ofMinutes(1)).until(this::removeLimited);
        }
    }

    private boolean removeLimited() throws IOException {
        for (String process : Files.readAllLines(limited.resolve("cgroup.procs"))) {
            ProcessHandle.of(Long.parseLong(process)).ifPresent(ProcessHandle::destroyForcibly);
        }
        return limited.toFile().delete();
    }

    private Process start(Duration idle) throws IOException {
        return start(List.of(), idle);
    }

    /** Starts it by a command that becomes the keeper. */
    private Process start(List<String> by, Duration idle) throws IOException {
        List<String> command = new ArrayList<>(by);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                KeeperMain.class.getName(),
                socket().toString(),
                attempts().toString(),
                idle.toString()));
        Process keeper = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        keepers.add(keeper);
        return keeper;
    }

    private Path socket() {
        return folder.resolve("keeper.sock");
    }

    private Path attempts() {
        return folder.resolve("attempts");
    }

    private boolean answers() throws IOException {
        if (!Files.exists(socket())) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket()));
        } catch (ConnectException killed) {
            return false;
        }
    }

    @Test
    void twoKeepersOfOneDataDirectory_oneStays() throws Exception {
        start(Duration.ofMinutes(1));
        start(Duration.ofMinutes(1));
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(
                                keepers.stream().filter(Process::isAlive).count())
                        .isEqualTo(1));
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
    }

    @Test
    void noAgentComes_keeperLeavesWhenItsLastTaskHasEnded_andTheNextOneKnowsTheEnd() throws Exception {
        Process keeper = start(Duration.ofMillis(1));
        startTask("waits", untilOpen(folder) + "; exit 3");
        Files.createFile(folder.resolve("gate"));
        assertThat(keeper.waitFor(1, TimeUnit.MINUTES)).isTrue();

        start(Duration.ofMinutes(1));
        assertThat(keptEnds()).containsExactly(mark("waits") + " EXITED 3");
        forget(mark("waits"));

        keepers.get(1).destroyForcibly().waitFor();
        start(Duration.ofMinutes(1));
        assertThat(keptEnds()).isEmpty();
    }

    @Test
    void dataDirectoryIsGone_keeperLeavesWhenItsLastTaskHasEnded() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Process keeper = start(Duration.ofMillis(1));
        startTask("waits", untilOpen(elsewhere));
        Folders.remove(attempts());
        Files.delete(socket());
        Files.createFile(elsewhere.resolve("gate"));
        assertThat(keeper.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void keeperThatDied_nextOneRemovesTheWorkFoldersOfItsTasks() throws Exception {
        Process keeper = start(Duration.ofMinutes(1));
        startTask("waits", untilOpen(folder));
        createFile(output("waits").resolve("work"));
        keeper.destroyForcibly().waitFor();

        start(Duration.ofMinutes(1));
        awaitOnlyTheJournal("waits");
    }

    @Test
    void keeperThatDiedWhileItRemoved_nextOneRemovesTheRest() throws Exception {
        Path output = output("ended");
        createFile(output.resolve("work"));
        createFile(output.resolve(".left-by-the-first"));
        Journal.create(output, output.resolve("work"), mark("ended"), List.of()).ended(KeptEnd.unknown());

        start(Duration.ofMinutes(1));
        awaitOnlyTheJournal("ended");
    }

    private void awaitOnlyTheJournal(String name) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(output(name).toFile().list()).containsExactly("journal"));
    }

    /** As on a full disk, the journal has room for the lines before the start, and for a part of the next one. */
    @Test
    void journalThatTakesNothingMoreOnceItRuns_itRunsOn_andTheNextKeeperFindsIt() throws Exception {
        Process keeper = start(WITH_FILES_OF_A_BLOCK, Duration.ofMinutes(1));
        startTask(launch("runs", untilOpen(folder), workThatFillsTheJournal("runs"), false, KeptLaunch.NO_BOUND));
        assertThat(output("runs").resolve("journal")).hasSize(BYTES_OF_A_BLOCK - BYTES_OF_A_PART);
        TaskProcesses task = Journal.leftBehind(output("runs")).orElseThrow();
        assertThat(task.members(ProcessTable.now())).isNotEmpty();
        keeper.destroyForcibly().waitFor();

        start(Duration.ofMinutes(1));
        await().atMost(Duration.ofMinutes(1)).until(() -> Journal.isEnded(output("runs")));
        assertThat(task.members(ProcessTable.now())).isEmpty();
    }

    @Test
    void keeperThatDied_nextOneStartsAlsoIfItsJournalsTakeNothingMore_andRemovesTheWorkFolders() throws Exception {
        Path work = workThatFillsTheJournal("left");
        createFile(work);
        Journal.create(output("left"), work, mark("left"), List.of());

        start(WITH_FILES_OF_A_BLOCK, Duration.ofMinutes(1));
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.notExists(work));
    }

    /** With it the journal has room for a part of one line more, if files may have one block. */
    private Path workThatFillsTheJournal(String name) {
        String lines = "work %s//\nmark %s\n".formatted(output(name), mark(name));
        int left = BYTES_OF_A_BLOCK - BYTES_OF_A_PART - lines.length();
        return output(name).resolve("w".repeat(left / 2)).resolve("w".repeat(left - left / 2));
    }

    @Test
    void walkThatTakesLong_delaysNoStart_andNoKillOfWhatHasNoLease() throws Exception {
        Held walks = new Held();
        Thread keeper = keepHere(walks, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.start(launch("large", untilOpen(folder), false, 1 << 20));
        awaited(walks.given);

        agent.start(launch("small", "exit 3", false, KeptLaunch.NO_BOUND));
        startAtMostOnceUntilTheLeaseIsOver(agent, heard);
        assertThat(heard.end("small").exitCode()).isEqualTo(3);
        assertThat(heard.end("at-most-once").exitCode()).isEqualTo(KILLED);
        assertThat(heard.ended(mark("large"))).isNotDone();

        walks.gate.complete(null);
        agent.leave();
        awaitEnd(keeper);
    }

    private void startAtMostOnceUntilTheLeaseIsOver(Keeper agent, Heard heard) throws IOException {
        agent.renew(LEASE.toMillis());
        agent.start(launch("at-most-once", untilOpen(folder), true, KeptLaunch.NO_BOUND));
        awaited(heard.begun(mark("at-most-once")));
        aheadNanos.addAndGet(LEASE.toNanos());
    }

    @Test
    void taskThatMayRunOnce_isNotStartedWhenTheLeaseIsOver() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.start(launch("late", untilOpen(folder), true, KeptLaunch.NO_BOUND));
        assertThat(catchThrowable(() -> awaited(heard.begun(mark("late")))))
                .hasMessageContaining("the lease of this machine is over");
        agent.leave();
        awaitEnd(keeper);
    }

    /** From its second look on, the keeper waits until all of them are dead: a look for each task would never come to the next. */
    @Test
    void leaseThatIsOver_killsAllTasksByOneLook() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.renew(LEASE.toMillis());
        List<String> names = startSome(agent, heard, true);
        look = new SharedLook(names);
        aheadNanos.addAndGet(LEASE.toNanos());
        for (String name : names) {
            assertThat(heard.end(name).exitCode()).isEqualTo(KILLED);
        }
        agent.leave();
        awaitEnd(keeper);
    }

    @Test
    void agentThatIsGone_killsAllTasksByOneLook() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        List<String> names = startSome(agent, heard, false);
        look = new SharedLook(names);
        agent.leave();
        awaitEnd(keeper);
        assertThat(names).noneMatch(this::isAlive);
    }

    /** Otherwise its tasks would run on, in a directory that no other keeper can take. */
    @Test
    void agentThatIsGone_andTooManyFilesAreOpenAtFirst_killsAllTasks() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        List<String> names = startSome(agent, heard, false);
        look = () -> {
            look = ProcessTable::now;
            throw new UncheckedIOException(new IOException("Too many open files"));
        };
        agent.leave();
        awaitEnd(keeper);
        assertThat(names).noneMatch(this::isAlive);
    }

    /** The next keeper, which waits for this one to leave, kills what is left. */
    @Test
    void agentThatIsGone_andTooManyFilesStayOpen_leavesItsTasksToTheNextKeeper() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        startSome(agent, heard, false);
        CompletableFuture<Void> looked = new CompletableFuture<>();
        look = () -> {
            looked.complete(null);
            throw new UncheckedIOException(new IOException("Too many open files"));
        };
        agent.leave();
        awaited(looked);
        aheadNanos.addAndGet(LEASE.toNanos());
        awaitEnd(keeper);
    }

    /** The agent's thread in the keeper asks for the time when it has handed over all that came before the renewal. */
    @Test
    void signalsThatWait_shareALook() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.start(launch("first", untilOpen(folder), false, KeptLaunch.NO_BOUND));
        List<String> names = startSome(agent, heard, false);
        CompletableFuture<Void> looking = new CompletableFuture<>();
        CompletableFuture<Void> areThere = new CompletableFuture<>();
        look = () -> {
            looking.complete(null);
            awaited(areThere);
            look = new SharedLook(names);
            return ProcessTable.now();
        };
        agent.signal(mark("first"), "KILL");
        awaited(looking);
        names.forEach(name -> agent.signal(mark(name), "KILL"));
        askedByAnAgent = areThere;
        agent.renew(LEASE.toMillis());
        for (String name : names) {
            assertThat(heard.end(name).exitCode()).isEqualTo(KILLED);
        }
        agent.leave();
        awaitEnd(keeper);
    }

    @Test
    void agentThatIsGone_startsThatWaitDoNotBegin() throws Exception {
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.start(launch("first", untilOpen(folder), false, KeptLaunch.NO_BOUND));
        awaited(heard.begun(mark("first")));
        CompletableFuture<Void> looking = new CompletableFuture<>();
        CompletableFuture<Void> isGone = new CompletableFuture<>();
        look = () -> {
            looking.complete(null);
            awaited(isGone);
            return ProcessTable.now();
        };
        agent.signal(mark("first"), "TERM");
        awaited(looking);
        agent.start(launch("late", untilOpen(folder), false, KeptLaunch.NO_BOUND));
        agent.leave();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("agent")));
        isGone.complete(null);
        awaitEnd(keeper);
        assertThat(output("late").resolve("journal")).doesNotExist();
    }

    /**
     * As if a process were left that the kernel does not end. The list of processes is a pipe, so a read of it ends when the test
     * writes to it. The clock stands, so there is one look around.
     */
    @Test
    void groupThatCannotBeRemoved_delaysNoKillOfWhatHasNoLease_andNoStart() throws Exception {
        isClockStanding = true;
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.renew(LEASE.toMillis());
        Path group = Files.createDirectory(folder.resolve("group"));
        Path processes = group.resolve("cgroup.procs");
        Path untilItEnded = makePipe("until-it-ended");
        Path afterwards = makePipe("afterwards");
        Files.createSymbolicLink(processes, untilItEnded);
        daemon(() -> {
            while (Files.exists(untilItEnded)) {
                endARead(untilItEnded);
            }
        });
        agent.start(launch("stuck", group));
        assertThat(heard.end("stuck").exitCode()).isZero();
        List<String> names = startSome(agent, heard, true);
        Files.delete(processes);
        Files.createSymbolicLink(processes, afterwards);

        aheadNanos.addAndGet(LEASE.toNanos());
        await().atMost(Duration.ofMinutes(1)).until(() -> names.stream().noneMatch(this::isAlive));
        agent.start(launch("later", "exit 3", false, KeptLaunch.NO_BOUND));
        awaited(CompletableFuture.runAsync(() -> endARead(afterwards)));
        assertThat(heard.end("later").exitCode()).isEqualTo(3);
        Files.delete(processes);
        agent.leave();
        awaitEnd(keeper);
        assertThat(group).doesNotExist();
    }

    private Path makePipe(String name) throws Exception {
        Path pipe = folder.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Waits for the reader, and writes nothing. */
    private static void endARead(Path pipe) {
        try {
            Files.newOutputStream(pipe, StandardOpenOption.WRITE).close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private List<String> startSome(Keeper agent, Heard heard, boolean endsWithAgent) throws IOException {
        List<String> names = List.of("a", "b", "c");
        for (String name : names) {
            agent.start(launch(name, untilOpen(folder), endsWithAgent, KeptLaunch.NO_BOUND));
            awaited(heard.begun(mark(name)));
        }
        return names;
    }

    /** From the second look on, waits until all of these tasks are dead. */
    private final class SharedLook implements Supplier<ProcessTable> {
        private final List<String> names;
        private boolean isFirst = true;

        SharedLook(List<String> names) {
            this.names = names;
        }

        @Override
        public ProcessTable get() {
            if (!isFirst) {
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> names.stream().noneMatch(KeeperMainTest.this::isAlive));
            }
            isFirst = false;
            return ProcessTable.now();
        }
    }

    private boolean isAlive(String name) {
        return !TaskProcesses.expected(mark(name)).members(ProcessTable.now()).isEmpty();
    }

    @Test
    void removalThatTakesLong_delaysNoStart_andNoKillOfWhatHasNoLease() throws Exception {
        Held removals = new Held();
        Thread keeper = keepHere(Runnable::run, removals);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        Path work = output("large").resolve("work");
        createFile(work);
        agent.start(launch("large", "exit 4", false, KeptLaunch.NO_BOUND));
        awaited(removals.given);

        agent.start(launch("small", "exit 3", false, KeptLaunch.NO_BOUND));
        startAtMostOnceUntilTheLeaseIsOver(agent, heard);
        assertThat(heard.end("small").exitCode()).isEqualTo(3);
        assertThat(heard.end("at-most-once").exitCode()).isEqualTo(KILLED);
        assertThat(heard.ended(mark("large"))).isNotDone();
        assertThat(Journal.isEnded(output("large"))).isFalse();

        removals.gate.complete(null);
        assertThat(heard.end("large").exitCode()).isEqualTo(4);
        assertThat(work).doesNotExist();
        assertThat(Journal.isEnded(output("large"))).isTrue();
        agent.leave();
        awaitEnd(keeper);
    }

    @Test
    void workFolderThatOutgrowsItsDisk_isFoundByALaterWalk() throws Exception {
        CompletableFuture<Void> walked = new CompletableFuture<>();
        Thread keeper = keepHere(
                walk -> {
                    walk.run();
                    walked.complete(null);
                },
                Runnable::run);
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.start(launch("grows", untilOpen(folder), false, 1));
        awaited(walked);
        createFile(output("grows").resolve("work"));
        assertThat(heard.end("grows").cause()).isEqualTo(KeptEnd.Cause.OUT_OF_DISK);
        agent.leave();
        awaitEnd(keeper);
    }

    /** The keeper can then not read which processes a task has, so it can kill none. */
    @Test
    void tooManyFilesAreOpen_keeperStays_andKillsWhenFewerAre() throws Exception {
        Process keeper = start(WITH_FEW_FILES, Duration.ofMinutes(1));
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        Heard heard = new Heard();
        Keeper agent = open(true);
        agent.listen(heard);
        agent.start(launch("first", "exit 3", false, KeptLaunch.NO_BOUND));
        assertThat(heard.end("first").exitCode()).as("all classes are loaded").isEqualTo(3);
        agent.signal(mark("first"), "KILL");
        agent.start(launch("waits", untilOpen(folder), false, KeptLaunch.NO_BOUND));
        awaited(heard.begun(mark("waits")));

        List<SocketChannel> connections = connectUntilFull(keeper);
        agent.signal(mark("waits"), "KILL");
        agent.start(launch("refused", "exit 0", false, KeptLaunch.NO_BOUND));
        assertThat(catchThrowable(() -> awaited(heard.begun(mark("refused")))))
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(heard.ended(mark("waits"))).isNotDone();

        for (SocketChannel connection : connections) {
            connection.close();
        }
        assertThat(heard.end("waits").exitCode()).isEqualTo(KILLED);
        agent.leave();
        assertThat(keptEnds()).hasSize(2);
    }

    private List<SocketChannel> connectUntilFull(Process keeper) throws IOException {
        List<SocketChannel> connections = new ArrayList<>();
        for (int open = openFiles(keeper); open < FILES_MAX; open = openFiles(keeper)) {
            int before = open;
            connections.add(SocketChannel.open(UnixDomainSocketAddress.of(socket())));
            await().atMost(Duration.ofMinutes(1)).until(() -> openFiles(keeper) > before);
        }
        return connections;
    }

    private static int openFiles(Process keeper) {
        String[] files =
                Path.of("/proc", Long.toString(keeper.pid()), "fd").toFile().list();
        return files == null ? 0 : files.length;
    }

    /** Each limit lets the start fail at another place: before the process, or once it runs and has no thread to wait for it. */
    @Test
    void noThreadIsLeft_keeperStaysWithItsTasks_andRefusesNewOnes() throws Exception {
        makeLimited();
        start(
                List.of("/bin/sh", "-c", "echo $$ > " + limited + "/cgroup.procs; exec \"$@\"", "limited"),
                Duration.ofMinutes(1));
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        Heard heard = new Heard();
        Keeper agent = open(true);
        agent.listen(heard);
        agent.start(launch("first", "exit 3", false, KeptLaunch.NO_BOUND));
        assertThat(heard.end("first").exitCode()).as("all classes are loaded").isEqualTo(3);
        String withoutFork = "exec sleep 1000";
        agent.start(launch("waits", withoutFork, false, KeptLaunch.NO_BOUND));
        awaited(heard.begun(mark("waits")));

        limit("1");
        agent.start(launch("refused", withoutFork, false, KeptLaunch.NO_BOUND));
        assertThat(catchThrowable(() -> awaited(heard.begun(mark("refused")))))
                .hasMessageContaining("this machine has no thread left for it");
        for (int left = 1; left <= THREADS_OF_A_TASK; left++) {
            limit(Integer.toString(Integer.parseInt(
                            Files.readString(limited.resolve("pids.current")).trim())
                    + left));
            agent.start(launch("next-" + left, withoutFork, false, KeptLaunch.NO_BOUND));
            awaited(heard.begun(mark("next-" + left)).handle((begun, refused) -> refused == null));
        }
        limit("1");
        try (SocketChannel turnedAway = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
            assertThat(turnedAway.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(heard.ended(mark("waits"))).isNotDone();

        limit("max");
        agent.signal(mark("waits"), "KILL");
        assertThat(heard.end("waits").exitCode()).isEqualTo(KILLED);
        agent.leave();
        assertThat(keptEnds()).contains(mark("first") + " EXITED 3", mark("waits") + " EXITED " + KILLED);
    }

    private void makeLimited() {
        try {
            Files.createDirectory(limited);
            limit("max");
        } catch (IOException failure) {
            limited.toFile().delete();
            abort("no control group for the number of processes can be made here: " + failure);
        }
    }

    private void limit(String most) throws IOException {
        Files.writeString(limited.resolve("pids.max"), most, StandardOpenOption.WRITE);
    }

    /** The keeper sees no process before the test lets it, as if podman fetched the image until then. */
    @Test
    void stopSignal_beforeAProcessIsInTheNamespace_isSentOnceOneIs() throws Exception {
        assumeTrue(mayMakeNamespaces(), "SKIPPED, this user may not make namespaces");
        Thread keeper = keepHere(Runnable::run, Runnable::run);
        Path ready = folder.resolve("ready");
        String inside = "trap 'exit 3' TERM; : > %s; while [ -d %s ]; do sleep 0.02; done".formatted(ready, folder);
        KeptLaunch launch = inNamespace("fetched", List.of("unshare", "--pid", "--fork", "sh", "-c", inside));
        Heard heard = new Heard();
        Keeper agent = open(false);
        agent.listen(heard);
        agent.start(launch);
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(ready));
        CompletableFuture<Void> looked = new CompletableFuture<>();
        look = () -> {
            looked.complete(null);
            return new ProcessTable(List.of());
        };
        agent.signal(launch.mark(), "TERM");
        awaited(looked);
        look = ProcessTable::now;
        assertThat(heard.end("fetched")).isEqualTo(new KeptEnd(KeptEnd.Cause.EXITED, 3, true, 0));
        agent.leave();
        awaitEnd(keeper);
    }

    private static boolean mayMakeNamespaces() throws Exception {
        return new ProcessBuilder("unshare", "--pid", "--fork", "true").start().waitFor() == 0;
    }

    private KeptLaunch inNamespace(String name, List<String> command) throws IOException {
        KeptLaunch plain = launch(name, "", false, KeptLaunch.NO_BOUND);
        return new KeptLaunch(
                plain.mark(),
                plain.tag(),
                plain.endsWithAgent(),
                true,
                command,
                plain.environment(),
                plain.directory(),
                plain.work(),
                plain.outputFolder(),
                plain.streamBytesMax(),
                plain.diskBytesMax(),
                plain.group());
    }

    /** A keeper in this process. It leaves with its agent. */
    private Thread keepHere(Executor walks, Executor removals) {
        KeeperMain keeper = new KeeperMain(
                socket(), attempts(), Duration.ofMinutes(1), walks, removals, this::nanoTime, () -> look.get());
        Thread thread = daemon(() -> {
            try {
                keeper.run();
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        });
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        return thread;
    }

    private long nanoTime() {
        if (Thread.currentThread().getName().equals("agent")) {
            askedByAnAgent.complete(null);
        }
        return (isClockStanding ? 0 : System.nanoTime()) + aheadNanos.get();
    }

    private static void awaitEnd(Thread keeper) throws InterruptedException {
        keeper.join(Duration.ofMinutes(1).toMillis());
        assertThat(keeper.isAlive()).isFalse();
    }

    /** The time-out of the class ends no plain join. */
    private static <T> T awaited(CompletableFuture<T> future) {
        return future.copy().orTimeout(1, TimeUnit.MINUTES).join();
    }

    /** Runs what it is given when its gate opens. */
    private static final class Held implements Executor {
        final CompletableFuture<Void> given = new CompletableFuture<>();
        final CompletableFuture<Void> gate = new CompletableFuture<>();

        @Override
        public void execute(Runnable work) {
            daemon(() -> {
                given.complete(null);
                gate.join();
                work.run();
            });
        }
    }

    /** What the keeper says, by mark. */
    private final class Heard implements Keeper.Listener {
        private final Map<String, CompletableFuture<Void>> started = new ConcurrentHashMap<>();
        private final Map<String, CompletableFuture<KeptEnd>> ended = new ConcurrentHashMap<>();

        private CompletableFuture<Void> begun(String mark) {
            return started.computeIfAbsent(mark, unheard -> new CompletableFuture<>());
        }

        private CompletableFuture<KeptEnd> ended(String mark) {
            return ended.computeIfAbsent(mark, unheard -> new CompletableFuture<>());
        }

        @Override
        public void started(String mark) {
            begun(mark).complete(null);
        }

        @Override
        public void refused(String mark, String why) {
            begun(mark).completeExceptionally(new IllegalStateException(why));
        }

        @Override
        public void ended(String mark, KeptEnd end) {
            ended(mark).complete(end);
        }

        KeptEnd end(String name) {
            return awaited(ended(mark(name)));
        }
    }

    /** No other run of these tests on this machine has the same. */
    private String mark(String name) {
        return name + "-" + run;
    }

    private Path output(String name) {
        return attempts().resolve(mark(name));
    }

    private static void createFile(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("file"), "content");
    }

    /** Ends also when the test is over. */
    private static String untilOpen(Path folder) {
        return "while [ -d %1$s ] && [ ! -e %1$s/gate ]; do sleep 0.02; done".formatted(folder);
    }

    /** By an agent that is gone when this returns. */
    private void startTask(String name, String script) throws IOException {
        startTask(launch(name, script, false, KeptLaunch.NO_BOUND));
    }

    private void startTask(KeptLaunch launch) throws IOException {
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        Keeper agent = open(true);
        Heard heard = new Heard();
        agent.listen(heard);
        agent.start(launch);
        awaited(heard.begun(launch.mark()));
        agent.leave();
    }

    private KeptLaunch launch(String name, String script, boolean endsWithAgent, long diskBytesMax) throws IOException {
        return launch(name, script, output(name).resolve("work"), endsWithAgent, diskBytesMax);
    }

    private KeptLaunch launch(String name, String script, Path work, boolean endsWithAgent, long diskBytesMax)
            throws IOException {
        return launch(name, script, work, endsWithAgent, diskBytesMax, Optional.empty());
    }

    /** Ends at once, in that control group. */
    private KeptLaunch launch(String name, Path group) throws IOException {
        TaskGroup its = new TaskGroup(false, List.of(group), List.of(), List.of(group));
        return launch(name, "exit 0", output(name).resolve("work"), false, KeptLaunch.NO_BOUND, Optional.of(its));
    }

    private KeptLaunch launch(
            String name, String script, Path work, boolean endsWithAgent, long diskBytesMax, Optional<TaskGroup> group)
            throws IOException {
        Path output = output(name);
        OwnFiles.createDirectories(output);
        return new KeptLaunch(
                mark(name),
                new byte[] {1, 2},
                endsWithAgent,
                false,
                List.of("/bin/sh", "-c", script),
                Map.of(TaskProcesses.MARK_VARIABLE, mark(name)),
                Path.of("/"),
                work,
                output,
                1 << 20,
                diskBytesMax,
                group);
    }

    /** The keeper that runs answers; none is started. */
    private Keeper open(boolean tasksOutlive) throws IOException {
        return Keeper.open(Path.of("/nowhere"), folder, attempts(), tasksOutlive);
    }

    private List<String> keptEnds() throws IOException {
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        Keeper agent = open(true);
        List<String> ends = agent.kept().stream()
                .map(kept -> kept.mark() + " "
                        + kept.end()
                                .map(end -> end.cause() + " " + end.exitCode())
                                .orElse("runs"))
                .toList();
        agent.leave();
        return ends;
    }

    private void forget(String mark) throws IOException {
        Keeper agent = open(true);
        agent.forget(mark);
        Path ends = folder.resolve("keeper.sock.ends");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.notExists(ends));
        agent.leave();
    }
}
