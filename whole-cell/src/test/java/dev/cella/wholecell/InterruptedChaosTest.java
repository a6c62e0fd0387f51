package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C of {@code cella chaos run}: it heals everything, says so, and exits 130. */
@Timeout(400)
class InterruptedChaosTest {
    @TempDir
    Path folder;

    @Test
    void seedsOfTheSimulatedWorld_saysWhichWereNotChecked() {
        CellaProcess run = chaos("run", "swarm", "--seeds", "1000000");
        run.awaitLine("of 1000000 seeds");
        run.interrupt();
        assertThat(run.awaitExit()).as(run::output).isEqualTo(130);
        assertThat(run.output())
                .contains("interrupted after ")
                .containsPattern("the first seed that was not checked: --seed [0-9]+");
    }

    @Test
    void cellOfProcesses_everyProcessHasEnded() throws IOException {
        Path scenario = Files.writeString(folder.resolve("paused.yaml"), """
                name: paused
                replicas: 1
                machines: 1
                safety: 10m
                load: {jobs: 3}
                schedulers: [{name: batch, type: batch}]
                faults: [{fault: replica-pause, on: leader, at: 10ms, for: 10m}]
                """);
        CellaProcess run = chaos("run", scenario.toString(), "--world", "processes", "--no-twin");
        run.awaitLine("faults: ");
        List<ProcessHandle> parts = run.descendants();
        assertThat(parts).hasSizeGreaterThanOrEqualTo(3);
        run.interrupt();
        assertThat(run.awaitExit()).as(run::output).isEqualTo(130);
        await().atMost(CellaProcess.PATIENCE).until(() -> parts.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(run.output()).contains("interrupted: ");
    }

    private CellaProcess chaos(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "chaos";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return CellaProcess.start(
                CellaProcess.INTERRUPTIBLE,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString()),
                all);
    }
}
