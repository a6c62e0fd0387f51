package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KeeperTest {
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
