package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KeeperTest {
    private final UUID run = UUID.randomUUID();

    @TempDir
    Path folder;

    /** Otherwise the agent would go on, and hear of no start and no end. */
    @Test
    void listenerThatFails_isToldToTheOwnerOfTheKeeper() throws Exception {
        try (ServerSocketChannel door = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            door.bind(UnixDomainSocketAddress.of(folder.resolve("keeper.sock")));
            CompletableFuture<Void> said = CompletableFuture.runAsync(() -> sayThatATaskHasStarted(door));
            Keeper agent = Keeper.open(Path.of("setsid"), folder, folder, true);
            agent.listen(new FailingListener());
            assertThat(awaited(agent.failed())).endsWith("no such attempt");
            awaited(said);
            agent.leave();
        }
    }

    /** The time-out of the class ends no plain join. */
    private static <T> T awaited(CompletableFuture<T> future) {
        return future.copy().orTimeout(1, TimeUnit.MINUTES).join();
    }

    private static void sayThatATaskHasStarted(ServerSocketChannel door) {
        try (SocketChannel agent = door.accept()) {
            SocketStreams.input(agent).readByte();
            DataOutputStream out = SocketStreams.output(agent);
            out.writeByte(Wire.KEPT);
            out.writeInt(Wire.VERSION);
            out.writeInt(0);
            out.writeByte(Wire.STARTED);
            out.writeUTF("task");
            out.flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static final class FailingListener implements Keeper.Listener {
        @Override
        public void started(String mark) {
            throw new IllegalStateException("no such attempt");
        }

        @Override
        public void refused(String mark, String why) {}

        @Override
        public void ended(String mark, KeptEnd end) {}
    }

    private Path longPath() {
        return folder.resolve("d".repeat(90));
    }

    private static Path inVarTmp(Path socket) {
        assertThat(socket.toString()).startsWith("/var/tmp/cella-keeper-");
        return Objects.requireNonNull(socket.getParent());
    }

    @Test
    void dataDirectoryWithALongPath_hasItsSocketInAShorterOne() throws Exception {
        Path socket = Keeper.socket(longPath());
        Path there = inVarTmp(socket);
        try {
            assertThat(Files.getPosixFilePermissions(there)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(Keeper.socket(longPath())).isEqualTo(socket);
        } finally {
            Files.delete(there);
        }
    }

    /** The kernel counts bytes. */
    @Test
    void dataDirectoryWithAPathOfLongLetters_hasItsSocketInAShorterOne() throws Exception {
        assumeTrue(JvmEncoding.own().isUtf8(), "SKIPPED, this locale has no such letters");
        Files.delete(inVarTmp(Keeper.socket(folder.resolve("\u0431".repeat(45)))));
    }

    /** Its owner could put a socket of his own there, and would get the variables of all tasks. */
    @Test
    void shorterFolderThatIsALink_isRefused() throws Exception {
        Path there = inVarTmp(Keeper.socket(longPath()));
        Files.delete(there);
        Files.createSymbolicLink(there, folder);
        try {
            assertThatThrownBy(() -> Keeper.socket(longPath()))
                    .hasMessage(there + " belongs to somebody else: remove it");
        } finally {
            Files.delete(there);
        }
    }

    /** Starts a keeper as {@code setsid} does, unless it is told to fail; says which process it becomes. */
    private Path starter() throws IOException {
        String script = """
                #!/bin/sh
                cd %s
                echo $$ >> starts
                while [ -e held ]; do sleep 0.02; done
                [ ! -e broken ] || { echo 'no memory for it' >&2; exit 7; }
                exec "$@"
                """.formatted(folder);
        Path starter = Files.writeString(folder.resolve("starter"), script);
        Files.setPosixFilePermissions(starter, PosixFilePermissions.fromString("rwx------"));
        return starter;
    }

    private List<Long> starts() throws IOException {
        Path starts = folder.resolve("starts");
        return Files.exists(starts)
                ? Files.readAllLines(starts).stream().map(Long::valueOf).toList()
                : List.of();
    }

    private Keeper open() throws IOException {
        return Keeper.open(starter(), folder, folder.resolve("attempts"), false, Duration.ofMillis(1));
    }

    /** No other run of these tests on this machine has the same. */
    private String mark(String name) {
        return name + "-" + run;
    }

    /** From now on its starts neither wait nor fail. */
    private void letStart() throws IOException {
        Files.deleteIfExists(folder.resolve("held"));
        Files.deleteIfExists(folder.resolve("broken"));
    }

    private KeptLaunch launch(String name, String script) throws IOException {
        String mark = mark(name);
        Path output = folder.resolve("attempts").resolve(mark);
        OwnFiles.createDirectories(output);
        return new KeptLaunch(
                mark,
                new byte[] {1},
                false,
                false,
                List.of("/bin/sh", "-c", script),
                Map.of(TaskProcesses.MARK_VARIABLE, mark),
                Path.of("/"),
                output.resolve("work"),
                output,
                1 << 20,
                KeptLaunch.NO_BOUND,
                Optional.empty());
    }

    /** The ends that it was told. */
    private static final class Ends implements Keeper.Listener {
        private final Map<String, CompletableFuture<KeptEnd>> ended = new ConcurrentHashMap<>();

        private CompletableFuture<KeptEnd> of(String mark) {
            return ended.computeIfAbsent(mark, unheard -> new CompletableFuture<>());
        }

        @Override
        public void started(String mark) {}

        @Override
        public void refused(String mark, String why) {
            of(mark).completeExceptionally(new IllegalStateException(why));
        }

        @Override
        public void ended(String mark, KeptEnd end) {
            of(mark).complete(end);
        }
    }

    @Test
    void shorterFolderOfAnotherUser_isRefused() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "SKIPPED, only root makes files of another user");
        Path there = inVarTmp(Keeper.socket(longPath()));
        Files.setAttribute(there, "unix:uid", 65_534);
        try {
            assertThatThrownBy(() -> Keeper.socket(longPath()))
                    .hasMessage(there + " belongs to somebody else: remove it");
        } finally {
            Files.delete(there);
        }
    }

    @Test
    void noOtherKeeperCanBeStarted_itIsNotThereAndHoldsNoCaller_untilOneAnswers_andThenTheEndsAreTold()
            throws Exception {
        try (Keeper agent = open()) {
            try {
                outlastTheKeeper(agent);
            } finally {
                letStart();
            }
        }
    }

    private void outlastTheKeeper(Keeper agent) throws IOException {
        Ends ends = new Ends();
        agent.listen(ends);
        agent.start(launch("lost", "sleep 1000"));
        Files.createFile(folder.resolve("broken"));
        Files.createFile(folder.resolve("held"));
        ProcessHandle.of(starts().get(0)).ifPresent(ProcessHandle::destroyForcibly);

        // It may reach the dying one's door once more, and then it starts two.
        await().atMost(Duration.ofMinutes(1)).until(() -> starts().size() >= 2);
        assertThat(agent.isThere()).isFalse();
        awaited(CompletableFuture.runAsync(() -> agent.renew(1_000)));
        assertThatThrownBy(() -> agent.start(launch("meanwhile", "exit 3"))).isInstanceOf(IOException.class);
        Files.delete(folder.resolve("held"));
        await().atMost(Duration.ofMinutes(1)).until(() -> starts().size() >= 4);
        assertThat(ends.of(mark("lost"))).isNotDone();

        letStart();
        assertThat(awaited(ends.of(mark("lost")))).isEqualTo(KeptEnd.unknown());
        assertThat(awaited(ends.of(mark("meanwhile")))).isEqualTo(KeptEnd.unknown());
        assertThat(agent.isThere()).isTrue();
        agent.start(launch("later", "exit 3"));
        assertThat(awaited(ends.of(mark("later"))).exitCode()).isEqualTo(3);
        assertThat(agent.failed()).isNotDone();
    }

    @Test
    void keeperThatEndsAtItsStart_isNotWaitedFor_andWhatItSaidIsTold() throws Exception {
        Files.createFile(folder.resolve("broken"));
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the keeper did not start, exit code 7: no memory for it (");
    }

    /** For instance because the program was replaced while this agent ran. */
    @Test
    void newKeeperOfAnotherVersionToo_isAFailureAndNotTheNextStart() throws Exception {
        Files.createFile(folder.resolve("held"));
        Files.createFile(folder.resolve("broken"));
        CompletableFuture<Void> said = CompletableFuture.runAsync(this::answerTwiceInAnotherVersion);
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(folder.resolve("keeper.sock")));
        assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("another version");
        awaited(said);
        assertThat(starts()).hasSize(1);
        Files.delete(folder.resolve("held"));
    }

    /** The second one is there when the process has begun that was to become it. */
    private void answerTwiceInAnotherVersion() {
        Path socket = folder.resolve("keeper.sock");
        try (ServerSocketChannel first = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                ServerSocketChannel second = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            first.bind(UnixDomainSocketAddress.of(socket));
            sayAnotherVersion(first);
            Files.delete(socket);
            await().atMost(Duration.ofMinutes(1)).until(() -> starts().size() == 1);
            second.bind(UnixDomainSocketAddress.of(socket));
            sayAnotherVersion(second);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void sayAnotherVersion(ServerSocketChannel door) throws IOException {
        try (SocketChannel agent = door.accept()) {
            DataInputStream in = SocketStreams.input(agent);
            assertThat(in.readByte()).isEqualTo(Wire.HELLO);
            assertThat(in.readInt()).isEqualTo(Wire.VERSION);
            in.readBoolean();
            DataOutputStream out = SocketStreams.output(agent);
            out.writeByte(Wire.KEPT);
            out.writeInt(Wire.VERSION + 1);
            out.flush();
            assertThat(in.readByte()).isEqualTo(Wire.STOP);
        }
    }

    @Test
    void argumentWithAnyLetters_underAnAgentWhoseLocaleIsAscii_reachesItsTaskAsItIs() throws Exception {
        ProcessBuilder agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintingAgentMain.class.getName(),
                        folder.toString())
                .inheritIO();
        agent.environment().put("LC_ALL", "C");
        assertThat(agent.start().waitFor()).isZero();
        assertThat(Files.readString(folder.resolve("attempt/stdout.0"))).isEqualTo(PrintingAgentMain.TEXT);
    }
}
