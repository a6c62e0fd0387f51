package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.chaos.processes.Abilities;
import dev.cella.chaos.processes.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C of {@code cella chaos run}: it heals everything, says so, and exits 130. No process outlives a kill of it either. */
@Timeout(400)
class InterruptedChaosTest {
    @TempDir
    Path folder;

    @Test
    void seedsOfTheSimulatedWorld_saysWhichWereNotChecked() {
        CellaProcess run = chaos(Map.of(), "run", "swarm", "--seeds", "1000000");
        run.awaitLine("of 1000000 seeds");
        run.interrupt();
        assertThat(run.awaitExit()).as(run::output).isEqualTo(130);
        assertThat(run.output())
                .contains("interrupted after ")
                .containsPattern("the first seed that was not checked: --seed [0-9]+");
    }

    @Test
    void cellOfProcesses_everyProcessHasEnded_andItsFilesAreRemoved() throws IOException {
        CellaProcess run = chaos(Map.of(), "run", paused("replica-pause"), "--world", "processes", "--no-twin");
        Path files = Path.of(run.awaitLine("processes in (.+)"));
        run.awaitLine("faults: ");
        List<ProcessHandle> parts = run.descendants();
        assertThat(parts).hasSizeGreaterThanOrEqualTo(3);
        run.interrupt();
        assertThat(run.awaitExit()).as(run::output).isEqualTo(130);
        await().atMost(CellaProcess.PATIENCE).until(() -> parts.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(run.output()).contains("interrupted: ");
        boolean enclosed = Abilities.ofThisMachine().noNamespaces().isEmpty();
        assertThat(Files.exists(enclosed ? files.getParent() : files)).isEqualTo(!enclosed);
    }

    /** A stopped process keeps a signal to end for later. */
    @Test
    void cellWithoutNamespaces_killed_thePausedAgentEndsToo() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        Path unshare = Files.writeString(programs.resolve("unshare"), "#!/bin/sh\nexit 1\n");
        assertThat(unshare.toFile().setExecutable(true)).isTrue();
        Map<String, String> withoutNamespaces = Map.of("PATH", programs + ":" + System.getenv("PATH"));
        CellaProcess run = chaos(withoutNamespaces, "run", paused("slow-agent"), "--world", "processes", "--no-twin");
        run.awaitLine("all parts share this machine's network");
        Path files = Path.of(run.awaitLine("processes in (.+)"));
        run.awaitLine("faults: ");
        List<ProcessHandle> parts = run.descendants();
        await().atMost(CellaProcess.PATIENCE)
                .until(() -> parts.stream().anyMatch(part -> Signals.isPaused(part.pid())));
        run.kill();
        await().atMost(CellaProcess.PATIENCE).until(() -> parts.stream().noneMatch(ProcessHandle::isAlive));
        remove(files);
    }

    private static void remove(Path files) throws IOException {
        try (Stream<Path> left = Files.walk(files)) {
            left.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }

    private String paused(String fault) throws IOException {
        return Files.writeString(folder.resolve("paused.yaml"), """
                        name: paused
                        replicas: 1
                        machines: 1
                        safety: 10m
                        load: {jobs: 3}
                        schedulers: [{name: batch, type: batch}]
                        faults: [{fault: %s, at: 10ms, for: 10m}]
                        """.formatted(fault))
                .toString();
    }

    private CellaProcess chaos(Map<String, String> environment, String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "chaos";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Map<String, String> its = new HashMap<>(environment);
        its.put("XDG_DATA_HOME", folder.resolve("home").toString());
        return CellaProcess.start(CellaProcess.INTERRUPTIBLE, its, all);
    }
}
