package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.proto.ScenarioFile;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plug-in with a bug is found, its run made smaller, and repeated, as docs/chaos.md says. */
class ChaosPluginTest {
    private static final String SCENARIO = """
            name: small
            machines: 4
            safety: 6s
            liveness: 20s
            load: {jobs: 8, tasksMax: 4}
            schedulers: [{name: batch, type: batch}]
            faults:
              - {fault: hoarder, at: 1s, for: 3s}
              - {fault: node-loss, at: 2s, for: 2s}
              - {fault: slow-disk, at: 3s, for: 1s}
            """;

    @TempDir
    private static Path home;

    private static TypedCommand found;
    private static int code;

    @BeforeAll
    static void runIt() throws IOException {
        ForgetfulPlugin.jar(home);
        Files.writeString(home.resolve("small.yaml"), SCENARIO);
        found = new TypedCommand(home);
        code = run(found, "chaos run small.yaml --plugin mine.jar --scheduler mine --seed 1 --seeds 3 --out report");
    }

    @Test
    void bugIsFound_andTheLastLineRunsItAgain() {
        assertThat(code).as(found.err()).isEqualTo(1);
        assertThat(found.err()).contains("seed 1 failed: ");
        assertThat(found.out())
                .contains("C17 at the end: ")
                .contains("waits for scheduler mine, and there is room")
                .endsWith("seed 1\ncella chaos run small.yaml --plugin mine.jar --scheduler mine --seed 1\n");
        assertThat(home.resolve("report/small-1.html")).exists();
    }

    @Test
    void manySeeds_areSummedUp() {
        assertThat(found.out())
                .containsPattern("FAULT +TIMES +BIT")
                .containsPattern("C17 +3 +[123] +At the end everything is placed that is wanted");
    }

    @Test
    void shrunkRun_isSmaller_andReplaysBitForBit() throws IOException, BadInput {
        TypedCommand typed = new TypedCommand(home);
        assertThat(run(typed, "chaos shrink report/small-1.json --plugin mine.jar"))
                .as(typed.err())
                .isEqualTo(1);
        assertThat(typed.err()).contains(": still fails C17");
        String replay = "cella chaos replay report/small/small-1.json --plugin mine.jar";
        assertThat(typed.out()).contains(replay + "\n", "as a scenario file, after ");
        String yaml = typed.out().substring(typed.out().indexOf("\nname: ") + 1);
        ScenarioFile smaller = new JsonCodec()
                .readLocated(ScenarioFile.getDefaultInstance(), Source.yaml(yaml))
                .message();
        assertThat(smaller.getFaultsCount()).isLessThan(3);
        assertThat(smaller.getLoad().getJobs()).isLessThan(8);

        TypedCommand again = new TypedCommand(home);
        assertThat(run(again, replay.substring("cella ".length())))
                .as(again.err())
                .isEqualTo(1);
        assertThat(again.err()).contains("the digest is the report's: it is the same run");
    }

    @Test
    void reportOfAPlugin_withoutItsJar_isRefusedInWords() {
        assertRefused(
                "replay.schedulers[0].type: there is no scheduler type mine",
                "--plugin JAR",
                "chaos replay report/small-1.json");
    }

    @Test
    void smallerRunBesideItsReport_isRefused_becauseItWouldOverwriteIt() {
        assertRefused(
                "--out report is the folder of report/small-1.json",
                "name another folder",
                "chaos shrink report/small-1.json --plugin mine.jar --out report");
    }

    @Test
    void runThatHolds_isNotShrunk() {
        TypedCommand typed = new TypedCommand(home);
        assertThat(run(typed, "chaos run small.yaml --seed 1 --out sound"))
                .as(typed.out())
                .isZero();
        assertRefused("holds: there is nothing to shrink", "cella chaos replay", "chaos shrink sound/small-1.json");
        assertThat(home.resolve("sound/small")).doesNotExist();
    }

    private static void assertRefused(String error, String hint, String command) {
        TypedCommand typed = new TypedCommand(home);
        assertThat(run(typed, command)).isEqualTo(2);
        assertThat(typed.err()).contains(error).contains(hint);
    }

    private static int run(TypedCommand typed, String command) {
        return new CellaCommand(typed.terminal()).run(command.split(" "));
    }
}
