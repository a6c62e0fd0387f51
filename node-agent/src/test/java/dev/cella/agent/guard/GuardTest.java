package dev.cella.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.agent.guard.TaskProcesses.Leader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards with real processes to kill. What a failed test leaves behind is killed afterwards. */
class GuardTest {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Duration LONG = Duration.ofMinutes(1);

    /** A child in the session, one that left it, and one whose parents are gone. */
    private static final String FAMILY = "sleep 1000 & setsid sleep 1000 & (setsid sleep 1000 &) ; exec sleep 1000";

    private final String mark = "test-" + UUID.randomUUID();

    @TempDir
    Path folder;

    private Optional<Process> agent = Optional.empty();

    @AfterEach
    void cleanUp() {
        agent.ifPresent(Process::destroyForcibly);
        TaskProcesses.kill(List.of(TaskProcesses.expected(mark)), Duration.ofSeconds(5));
    }

    private int alive() {
        ProcessTable table = ProcessTable.now();
        return (int) table.entries().stream()
                .filter(process -> table.mark(process)
                        .filter(found -> found.startsWith(mark))
                        .isPresent())
                .count();
    }

    private Process startMarked(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(TaskProcesses.MARK_VARIABLE, mark);
        return builder.start();
    }

    private static void awaitAtMost(Runnable assertion) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(assertion::run);
    }

    @Test
    void close_killsWhatItWatches() throws Exception {
        Guard guard = Guard.start(SETSID, LONG);
        TaskProcesses task = guard.watch(mark);
        Process process = startMarked("setsid", "sh", "-c", FAMILY);
        guard.led(task, Leader.find(process.pid()).orElseThrow());
        awaitAtMost(() -> assertThat(alive()).isEqualTo(4));
        guard.close();
        awaitAtMost(() -> assertThat(alive()).isZero());
    }

    @Test
    void close_killsAnAnnouncedProcessWhoseNumberItWasNeverTold() throws Exception {
        Guard guard = Guard.start(SETSID, LONG);
        guard.watch(mark);
        startMarked("setsid", "sleep", "1000");
        guard.close();
        awaitAtMost(() -> assertThat(alive()).isZero());
    }

    @Test
    void forget_leavesItAlone() throws Exception {
        Guard guard = Guard.start(SETSID, LONG);
        TaskProcesses task = guard.watch(mark);
        Process process = startMarked("setsid", "sleep", "1000");
        guard.forget(task);
        guard.close();
        assertThat(guard.handle().isAlive()).isFalse();
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void notRenewed_killsWhatItWatches_andGoesOnWhenRenewed() throws Exception {
        try (Guard guard = Guard.start(SETSID, Duration.ofMillis(300))) {
            guard.watch(mark);
            Process process = startMarked("setsid", "sleep", "1000");
            assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(10));
            guard.renew();
            assertThat(guard.watch(mark + "-again").mark()).isEqualTo(mark + "-again");
            assertThat(guard.handle().isAlive()).isTrue();
        }
    }

    @Test
    void killedGuard_isReplacedByOneThatWatchesTheSame() throws Exception {
        Guard guard = Guard.start(SETSID, LONG);
        TaskProcesses task = guard.watch(mark);
        Process process = startMarked("setsid", "sleep", "1000");
        guard.led(task, Leader.find(process.pid()).orElseThrow());
        ProcessHandle first = guard.handle();
        first.destroyForcibly();
        awaitAtMost(() -> assertThat(guard.handle().pid()).isNotEqualTo(first.pid()));
        assertThat(process.isAlive()).isTrue();
        guard.close();
        assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void agentKilled_leavesNoProcessOfItsTasks() throws Exception {
        Process started = startAgent(LONG, FAMILY);
        awaitAtMost(() -> assertThat(alive()).isEqualTo(4));
        started.destroyForcibly();
        awaitAtMost(() -> assertThat(alive()).isZero());
    }

    @Test
    void agentStopped_itsTasksAreKilledAfterTheLease() throws Exception {
        Process started = startAgent(Duration.ofSeconds(1), FAMILY);
        awaitAtMost(() -> assertThat(alive()).isEqualTo(4));
        signal("STOP", started);
        awaitAtMost(() -> assertThat(alive()).isZero());
    }

    @Test
    void agentThatRenews_keepsItsTasksBeyondTheLease() throws Exception {
        Duration lease = Duration.ofMillis(500);
        Process started = startAgent(lease, "exec sleep 1000");
        awaitAtMost(() -> assertThat(alive()).isEqualTo(1));
        await().during(lease.multipliedBy(3)).atMost(lease.multipliedBy(6)).until(() -> alive() == 1);
        started.destroyForcibly();
        awaitAtMost(() -> assertThat(alive()).isZero());
    }

    private Process startAgent(Duration lease, String script) throws IOException {
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GuardedAgentMain.class.getName(),
                        mark,
                        folder.toString(),
                        Long.toString(lease.toMillis()),
                        script)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        agent = Optional.of(started);
        BufferedReader output = started.inputReader();
        assertThat(output.readLine()).isEqualTo("started");
        return started;
    }

    private static void signal(String name, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
