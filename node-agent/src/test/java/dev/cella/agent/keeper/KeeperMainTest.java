package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KeeperMainTest {
    private final List<Process> keepers = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws Exception {
        for (Process keeper : keepers) {
            keeper.destroyForcibly().waitFor();
        }
    }

    private Process start(Duration idle) throws IOException {
        Process keeper = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KeeperMain.class.getName(),
                        socket().toString(),
                        attempts().toString(),
                        idle.toString())
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
        assertThat(keptEnds()).containsExactly("waits EXITED 3");
        forget("waits");

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
        createWork("waits", "work");
        keeper.destroyForcibly().waitFor();

        start(Duration.ofMinutes(1));
        awaitOnlyTheJournal("waits");
    }

    @Test
    void keeperThatDiedWhileItRemoved_nextOneRemovesTheRest() throws Exception {
        Path output = attempts().resolve("ended");
        createWork("ended", "work");
        createWork("ended", ".left-by-the-first");
        Journal.create(output, output.resolve("work"), "ended", List.of()).ended(KeptEnd.unknown());

        start(Duration.ofMinutes(1));
        awaitOnlyTheJournal("ended");
    }

    private void createWork(String mark, String name) throws IOException {
        Path below = Files.createDirectories(attempts().resolve(mark).resolve(name).resolve("below"));
        Files.createFile(below.resolve("file"));
    }

    private void awaitOnlyTheJournal(String mark) {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(attempts().resolve(mark).toFile().list())
                        .containsExactly("journal"));
    }

    /** Ends also when the test is over. */
    private static String untilOpen(Path folder) {
        return "while [ -d %1$s ] && [ ! -e %1$s/gate ]; do sleep 0.02; done".formatted(folder);
    }

    /** By an agent that is gone when this returns. */
    private void startTask(String mark, String script) throws IOException {
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        Path output = attempts().resolve(mark);
        OwnFiles.createDirectories(output);
        Keeper agent = open();
        CompletableFuture<String> started = new CompletableFuture<>();
        agent.listen(new Keeper.Listener() {
            @Override
            public void started(String startedMark) {
                started.complete(startedMark);
            }

            @Override
            public void refused(String refusedMark, String why) {
                started.complete(why);
            }

            @Override
            public void ended(String endedMark, KeptEnd end) {}
        });
        agent.start(new KeptLaunch(
                mark,
                new byte[] {1, 2},
                false,
                false,
                List.of("/bin/sh", "-c", script),
                Map.of(),
                Path.of("/"),
                output.resolve("work"),
                output,
                1 << 20,
                KeptLaunch.NO_BOUND,
                Optional.empty()));
        assertThat(started.join()).isEqualTo(mark);
        agent.leave();
    }

    /** The keeper that runs answers; none is started. */
    private Keeper open() throws IOException {
        return Keeper.open(Path.of("/nowhere"), folder, attempts(), true);
    }

    private List<String> keptEnds() throws IOException {
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
        Keeper agent = open();
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
        Keeper agent = open();
        agent.forget(mark);
        Path ends = folder.resolve("keeper.sock.ends");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.notExists(ends));
        agent.leave();
    }
}
