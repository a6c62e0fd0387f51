package dev.cella.wholecell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scenarios of {@code cella chaos run --world processes}, short: the faults bite, and every checker holds. */
@Timeout(400)
class ChaosAmongProcessesTest {
    private static final String SMALL = """
            machines: 1
            safety: 6s
            liveness: 30s
            load: {jobs: 24, runTime: 500ms}
            """;

    @TempDir
    Path folder;

    @Test
    void leaderKilled_nothingIsLost_andEveryCheckerHolds() {
        assertHolds("""
                name: leader-loss
                schedulers: [{name: batch, type: batch}]
                faults: [{fault: replica-kill, on: leader, at: 1s, for: 2s}]
                """);
    }

    @Test
    void leaderPausedForLongerThanAnElection_anotherLeads_andEveryCheckerHolds() {
        assertHolds("""
                name: paused-leader
                schedulers: [{name: batch, type: batch}]
                faults: [{fault: replica-pause, on: leader, at: 1s, for: 4s}]
                """);
    }

    @Test
    void schedulersKilledAndPaused_theirJobsArePlaced_andEveryCheckerHolds() {
        assertHolds("""
                name: scheduler-crash
                replicas: 1
                schedulers: [{name: batch, type: batch}, {name: quick, type: batch, decision: 5ms}]
                faults:
                  - {fault: scheduler-kill, on: batch, at: 1s, for: 1s}
                  - {fault: zombie-session, on: quick, at: 1s, for: 4s}
                """);
    }

    private void assertHolds(String scenario) {
        Path file = write(scenario + SMALL);
        try (CellaProcess run = chaos("run", file.toString(), "--world", "processes", "--no-twin", "-o", "json")) {
            assertThat(run.awaitExit()).as(run::output).isZero();
            JsonNode report =
                    OutsideClient.parse(run.output().substring(run.output().indexOf("{\n")));
            assertThat(report.path("world").asText()).isEqualTo("processes");
            assertThat(report.path("canary").asText()).isEqualTo("SEEN");
            assertThat(report.path("faults"))
                    .isNotEmpty()
                    .allSatisfy(fault -> assertThat(fault.path("bit").asBoolean())
                            .as(fault::toString)
                            .isTrue());
            assertThat(report.path("twin").path("withFaults").path("placements").asLong())
                    .as(run::output)
                    .isPositive();
        }
    }

    private CellaProcess chaos(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "chaos";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return CellaProcess.start(Map.of("XDG_DATA_HOME", folder.resolve("home").toString()), all);
    }

    private Path write(String scenario) {
        try {
            return Files.writeString(folder.resolve("scenario.yaml"), scenario);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
