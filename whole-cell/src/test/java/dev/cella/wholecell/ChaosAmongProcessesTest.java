package dev.cella.wholecell;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cella.chaos.processes.Abilities;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

    /** The token of the command's user. The cells of chaos have none, and no report may tell it. */
    private static final String TOKEN = "cella_chaosUserSecret_0123456789abcdefghijklmnopqrstuv";

    @TempDir
    Path folder;

    /** One cell for the faults of replicas and of callers: they overlap, as they would outside. */
    @Test
    void leaderOfAClosedCellPausedAndThenKilled_memberChanged_anAgentLies_strangersKnock_andEveryCheckerHolds() {
        assertHolds("""
                name: leader-loss
                schedulers: [{name: batch, type: batch}]
                faults:
                  - {fault: lying-agent, on: any, at: 10ms, for: 1s}
                  - {fault: bad-credentials, at: 10ms, for: 3s}
                  - {fault: replica-pause, on: leader, at: 500ms, for: 2500ms}
                  - {fault: replica-kill, on: leader, at: 3500ms, for: 1s}
                  - {fault: member-change, on: follower, at: 4800ms, for: 1s}
                """);
    }

    /** As {@code replay} does it: with the faults of a report. */
    @Test
    void schedulersKilledAndPaused_theirJobsArePlaced_andEveryCheckerHolds() {
        Path report = write("report.json", """
                {"scenario": "scheduler-crash", "world": "processes", "seed": 7, "digest": "0",
                 "checkers": [{"checker": "C4", "holds": false}, {"checker": "C5", "holds": true}],
                 "replay": {
                   "name": "scheduler-crash", "replicas": 1, "machines": 1, "safety": "6s", "liveness": "30s",
                   "load": {"jobs": 24, "runTime": "500ms"},
                   "schedulers": [{"name": "batch", "type": "batch"},
                                  {"name": "quick", "type": "batch", "decision": "5ms"}],
                   "faults": [{"fault": "lost-replies", "on": "any", "at": "10ms", "for": "6s"},
                              {"fault": "hoarder", "on": "any", "at": "500ms", "for": "5s"},
                              {"fault": "scheduler-kill", "on": "batch", "at": "1s", "for": "1s"},
                              {"fault": "zombie-session", "on": "quick", "at": "1s", "for": "4s"}]}}
                """);
        String said = assertHolds(List.of(), "replay", report.toString());
        assertThat(said).contains("in the report C4 failed, and in this run every checker holds");
    }

    /** The disk is as fast as before while it has no power. */
    @Test
    void disksAndClocksFail_nothingIsLost_andEveryCheckerHolds() {
        assumeTrue(
                Abilities.ofThisMachine()
                        .missing(List.of(
                                new PlannedFault(FaultKind.POWER_LOSS, "all", 1, 1),
                                new PlannedFault(FaultKind.SLOW_DISK, "all", 1, 1)))
                        .isEmpty(),
                "this machine cannot break disks: cella chaos run power-loss --world processes says what it lacks");
        assertHolds("""
                name: disks
                replicas: 1
                schedulers: [{name: batch, type: batch}]
                faults:
                  - {fault: slow-disk, on: all, at: 500ms, for: 4500ms}
                  - {fault: clock-jump, on: leader, at: 500ms, for: 4s}
                  - {fault: power-loss, on: all, at: 4800ms, for: 500ms}
                """);
    }

    /** The scenario comes from standard input. */
    private void assertHolds(String scenario) {
        Path file = write("scenario.yaml", scenario + SMALL);
        Path reports = folder.resolve("reports");
        List<String> piped = List.of("sh", "-c", "exec \"$@\" < " + file, "sh");
        String said = assertHolds(piped, "run", "-", "--world", "processes", "--no-twin", "--out", reports.toString());
        assertThat(scenario).startsWith("name: " + report(said).path("scenario").asText() + "\n");
        assertAreWithoutToken(reports);
    }

    private static JsonNode report(String said) {
        return OutsideClient.parse(said.substring(said.indexOf("{\n")));
    }

    /** Returns everything that the command said. */
    private String assertHolds(List<String> launcher, String... arguments) {
        try (CellaProcess run = chaos(launcher, arguments)) {
            assertThat(run.awaitExit()).as(run::output).isZero();
            JsonNode report = report(run.output());
            assertThat(report.path("world").asText()).isEqualTo("processes");
            assertThat(report.path("canary").asText()).isEqualTo("SEEN");
            assertThat(report.path("faults"))
                    .isNotEmpty()
                    .allSatisfy(fault -> assertThat(fault.path("bit").asBoolean())
                            .as(fault::toString)
                            .isTrue());
            assertThat(report.path("twin").path("withFaults").path("placements").asLong())
                    .as(run.output())
                    .isPositive();
            assertThat(run.output().contains(TOKEN))
                    .as("the output has the token")
                    .isFalse();
            return run.output();
        }
    }

    private CellaProcess chaos(List<String> launcher, String... arguments) {
        List<String> all = new ArrayList<>(List.of("chaos"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("-o", "json"));
        return CellaProcess.start(
                launcher,
                Map.of("XDG_DATA_HOME", folder.resolve("home").toString(), "CELLA_TOKEN", TOKEN),
                all.toArray(String[]::new));
    }

    private static void assertAreWithoutToken(Path reports) {
        try (Stream<Path> files = Files.walk(reports)) {
            List<Path> written = files.filter(Files::isRegularFile).toList();
            assertThat(written).hasSizeGreaterThanOrEqualTo(2);
            for (Path report : written) {
                assertThat(new String(Files.readAllBytes(report), ISO_8859_1).contains(TOKEN))
                        .as("%s has the token", report)
                        .isFalse();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path write(String name, String content) {
        try {
            return Files.writeString(folder.resolve(name), content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
