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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards with real processes to kill. What a failed test leaves behind is killed afterwards. */
class GuardTest {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Duration LONG = Duration.ofHours(1);

    /** Waited for at most, and long enough for any machine. */
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Tried one after another: on a machine that stands still for longer than the lease a task is killed, and rightly. */
    private static final List<Duration> LEASES =
            List.of(Duration.ofMillis(500), Duration.ofSeconds(4), Duration.ofSeconds(20));

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
        return startMarkedAs(mark, command);
    }

    private static Process startMarkedAs(String mark, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put(TaskProcesses.MARK_VARIABLE, mark);
        return builder.start();
    }

    private static void awaitAtMost(Runnable assertion) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).untilAsserted(assertion::run);
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

    /** Each process is there before its attempt is announced, so that none comes when the guard has killed already. */
    @Test
    void notRenewed_killsWhatItWatches_andWhatIsStartedAfterThat() throws Exception {
        try (Guard guard = Guard.start(SETSID, Duration.ofMillis(300))) {
            for (String attempt : List.of(mark + "-1", mark + "-2")) {
                Process process = startMarkedAs(attempt, "setsid", "sleep", "1000");
                guard.watch(attempt);
                assertThat(process.onExit()).succeedsWithin(SOON);
            }
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
        assertThat(process.onExit()).succeedsWithin(SOON);
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
        for (Duration lease : LEASES) {
            Process started = startAgent(lease, FAMILY);
            if (within(lease, () -> alive() == 4)) {
                signal("STOP", started);
                awaitAtMost(() -> assertThat(alive()).isZero());
                return;
            }
            started.destroyForcibly();
            awaitAtMost(() -> assertThat(alive()).isZero());
        }
        throw new AssertionError("no task lived for a lease, while its agent renewed it");
    }

    @Test
    void agentThatRenews_keepsItsTasksBeyondTheLease() throws Exception {
        for (Duration lease : LEASES) {
            Process started = startAgent(lease, "exec sleep 1000");
            boolean kept = !within(lease.multipliedBy(3), () -> !started.isAlive()) && alive() == 1;
            started.destroyForcibly();
            awaitAtMost(() -> assertThat(alive()).isZero());
            if (kept) {
                return;
            }
        }
        throw new AssertionError("no task lived for three leases, while its agent renewed it");
    }

    /** Whether it comes true before that time is over. */
    private static boolean within(Duration time, BooleanSupplier comesTrue) {
        long end = System.nanoTime() + time.toNanos();
        AtomicBoolean came = new AtomicBoolean();
        await().atMost(SOON).pollInterval(Duration.ofMillis(20)).until(() -> {
            came.set(comesTrue.getAsBoolean());
            return came.get() || System.nanoTime() - end > 0;
        });
        return came.get();
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
