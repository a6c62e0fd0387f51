package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.chaos.processes.FaultGuard;
import dev.cella.chaos.processes.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cella chaos inject} on a server that was started with {@code --chaos}, and on one that was not. The flag {@code
 * -Dcella.chaos.kills=100} sets the number of kills of the command.
 */
@Timeout(1_200)
class InjectedFaultTest {
    private static final int KILLS = Integer.getInteger("cella.chaos.kills", 3);
    private static final Duration HEALED_MAX = FaultGuard.LEASE.plusSeconds(5);

    @TempDir
    private static Path folder;

    private static CellaProcess server;
    private static String address;

    @BeforeAll
    static void startServer() {
        server = cella("server", "--chaos", "--data", folder.resolve("store").toString(), "--port", "0");
        address = server.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void commandKilled_theFaultIsHealedSoonAfterItsLease() {
        for (int kill = 0; kill < KILLS; kill++) {
            CellaProcess command = inject("replica-pause", "--on", "leader", "--for", "10m");
            command.awaitLine("replica-pause on");
            await().atMost(CellaProcess.PATIENCE).until(() -> Signals.isPaused(server.pid()));
            command.kill();
            await().atMost(HEALED_MAX).until(() -> !Signals.isPaused(server.pid()));
        }
    }

    @Test
    void timeOver_theFaultIsHealed_andTheCommandSaysSo() {
        try (CellaProcess command = inject("replica-pause", "--for", "1s")) {
            assertThat(command.awaitExit()).as(command::output).isZero();
            assertThat(command.output()).contains("healed: it continues");
        }
        assertThat(Signals.isPaused(server.pid())).isFalse();
    }

    @Test
    void timeOver_theCommandSaysSoToPrograms() {
        try (CellaProcess command = inject("replica-pause", "--for", "1s", "-o", "json")) {
            assertThat(command.awaitExit()).as(command::output).isZero();
            assertThat(command.output())
                    .startsWith("{\n  \"fault\": \"replica-pause\"")
                    .contains("\"outcome\": \"HEALED\"");
        }
    }

    @Test
    void interrupted_theFaultIsHealed_andTheCodeIs130() {
        CellaProcess command = inject("squeeze", "--for", "10m");
        command.awaitLine("squeeze on");
        command.interrupt();
        assertThat(command.awaitExit()).isEqualTo(130);
        assertThat(command.output()).contains("interrupted: squeeze on").contains("is healed");
        assertThat(Signals.isPaused(server.pid())).isFalse();
    }

    @Test
    void conditionIsMet_theFaultIsHealedAtOnce() {
        try (CellaProcess command = inject("squeeze", "--for", "10m", "--abort-if", "pending < 1 for 1s")) {
            assertThat(command.awaitExit()).as(command::output).isEqualTo(1);
            assertThat(command.output()).contains("healed early: pending < 1 for 1s");
        }
    }

    @Test
    void conditionIsMetAlready_nothingIsInjected() {
        try (CellaProcess command = inject("replica-pause", "--for", "10m", "--abort-if", "pending < 1")) {
            assertThat(command.awaitExit()).as(command::output).isEqualTo(2);
            assertThat(command.output()).contains("'pending < 1' is so already").doesNotContain("replica-pause on");
        }
    }

    @Test
    void noServerAnswers_theCommandSaysThatConditionsWereNotLookedAt() {
        try (CellaProcess command = inject("replica-pause", "--for", "3s", "--abort-if", "pending > 100")) {
            assertThat(command.awaitExit()).as(command::output).isZero();
            assertThat(command.output()).contains(" looks for --abort-if: meanwhile no condition could end the fault");
        }
    }

    /** As paused servers do, the others take connections and answer nothing: one look at the cell outlasts a lease. */
    @Test
    void serversThatDoNotAnswer_areAskedForTheCondition_andTheFaultLastsItsTime() throws IOException {
        List<ServerSocket> silent = new ArrayList<>();
        try {
            StringBuilder addresses = new StringBuilder(address);
            for (int server = 0; server < 2 * FaultGuard.LEASE.toSeconds(); server++) {
                ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                silent.add(one);
                addresses.append(",http://127.0.0.1:").append(one.getLocalPort());
            }
            try (CellaProcess command =
                    injectAt(addresses.toString(), "replica-pause", "--for", "10s", "--abort-if", "pending > 100")) {
                command.awaitLine("replica-pause on");
                await().during(FaultGuard.LEASE.plusSeconds(1)).until(() -> Signals.isPaused(server.pid()));
                assertThat(command.awaitExit()).as(command::output).isZero();
                assertThat(command.output()).contains("healed: it continues");
            }
        } finally {
            for (ServerSocket one : silent) {
                one.close();
            }
        }
    }

    @Test
    void commandStandsStill_itsFaultIsHealed_andItDoesNotSayThatItSucceeded() {
        try (CellaProcess command = inject("replica-pause", "--for", "10m")) {
            command.awaitLine("replica-pause on");
            await().atMost(CellaProcess.PATIENCE).until(() -> Signals.isPaused(server.pid()));
            command.hang();
            await().atMost(HEALED_MAX).until(() -> !Signals.isPaused(server.pid()));
            command.goOn();
            assertThat(command.awaitExit()).as(command::output).isEqualTo(2);
            assertThat(command.output()).contains("not 10 min 0 s: its lease was not renewed");
        }
    }

    @Test
    void executorKilled_theCommandHealsTheFault_andSaysThatItEndedEarly() {
        try (CellaProcess command = inject("replica-pause", "--for", "10m")) {
            command.awaitLine("replica-pause on");
            await().atMost(CellaProcess.PATIENCE).until(() -> Signals.isPaused(server.pid()));
            command.descendants().forEach(ProcessHandle::destroyForcibly);
            assertThat(command.awaitExit()).as(command::output).isEqualTo(2);
            assertThat(command.output()).contains("is healed, and ended before its time");
        }
        assertThat(Signals.isPaused(server.pid())).isFalse();
    }

    @Test
    void executorToldToStop_healsTheFault_andTheCommandSaysThatItEndedEarly() {
        try (CellaProcess command = inject("replica-pause", "--for", "10m")) {
            command.awaitLine("replica-pause on");
            await().atMost(CellaProcess.PATIENCE).until(() -> Signals.isPaused(server.pid()));
            command.descendants().forEach(ProcessHandle::destroy);
            assertThat(command.awaitExit()).as(command::output).isEqualTo(2);
            assertThat(command.output()).contains("its lease was not renewed");
        }
        assertThat(Signals.isPaused(server.pid())).isFalse();
    }

    @Test
    void killedServer_startsAgain_andTheCommandSaysAsWhat() {
        try (CellaProcess other =
                cella("server", "--chaos", "--data", folder.resolve("killed").toString(), "--port", "0")) {
            String its = other.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
            try (CellaProcess command = cella("chaos", "inject", "replica-kill", "--for", "1s", "--address", its)) {
                String again = command.awaitLine("runs again as process (\\d+): its output is lost");
                ProcessHandle.of(Long.parseLong(again)).orElseThrow().destroyForcibly();
                assertThat(command.awaitExit()).as(command::output).isZero();
                assertThat(command.output()).contains("healed: it starts again on its disk");
            }
        }
    }

    @Test
    void serverWithoutChaos_isRefused() {
        try (CellaProcess other =
                cella("server", "--data", folder.resolve("other").toString(), "--port", "0")) {
            String its = other.awaitLine("(http://127\\.0\\.0\\.1:\\d+)");
            try (CellaProcess command = cella("chaos", "inject", "replica-pause", "--for", "1s", "--address", its)) {
                assertThat(command.awaitExit()).isEqualTo(2);
                assertThat(command.output()).contains("allows faults").contains("with --chaos");
            }
        }
    }

    @Test
    void wrongWords_areAnsweredWithTheNearest() {
        assertRefused("did you mean replica-pause?", "replica-paus", "--for", "1s");
        assertRefused("did you mean pending?", "replica-pause", "--for", "1s", "--abort-if", "pendin > 3");
        assertRefused("these can: replica-kill", "hoarder", "--for", "1s");
    }

    private static void assertRefused(String hint, String... arguments) {
        try (CellaProcess command = inject(arguments)) {
            assertThat(command.awaitExit()).as(command::output).isEqualTo(2);
            assertThat(command.output()).contains(hint);
        }
    }

    private static CellaProcess inject(String... arguments) {
        return injectAt(address, arguments);
    }

    private static CellaProcess injectAt(String addresses, String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "chaos";
        all[1] = "inject";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        all[all.length - 2] = "--address";
        all[all.length - 1] = addresses;
        return cella(all);
    }

    private static CellaProcess cella(String... arguments) {
        return CellaProcess.start(
                CellaProcess.INTERRUPTIBLE,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                arguments);
    }
}
