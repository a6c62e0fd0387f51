package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosRunCommandTest {
    private static final String SMALL = """
            name: small
            machines: 2
            safety: 1s
            liveness: 2s
            schedulers: [{name: batch, type: batch}]
            """;

    @TempDir
    private Path home;

    private TypedCommand typed;

    @BeforeEach
    void type() {
        typed = new TypedCommand(home);
    }

    /** Without a task the canary has nothing to be planted in. Each of these runs would keep its history for ever. */
    @Test
    void run_canariesAreMissed_namesTheSeeds_andStopsAfterTen() throws IOException {
        write("load: {jobs: 0}");
        assertThat(run("chaos run small.yaml --seeds 30 --no-twin")).isEqualTo(1);
        assertThat(typed.err())
                .contains("seed 1 failed: the canary was MISSED\n")
                .contains("seed 10 failed: the canary was MISSED\nstopped after 10 failing seeds\n")
                .doesNotContain("seed 11 ");
        assertThat(typed.out())
                .doesNotContain("seeds hold")
                .contains("\ncanary MISSED")
                .endsWith("seed 1\ncella chaos run small.yaml --no-twin --seed 1\n");
    }

    @Test
    void run_noCheckerWouldJudgeIt_isRefused() throws IOException {
        write("load: {jobs: 2}\ncheckers: [C18]");
        assertThat(run("chaos run small.yaml --seeds 2")).isEqualTo(2);
        assertThat(run("chaos run small.yaml --no-twin")).isEqualTo(2);
        assertThat(typed.err()).contains("no checker would judge it: the scenario names C18 alone");
        assertThat(run("chaos run small.yaml")).as(typed.err()).isZero();
    }

    @Test
    void runTwice_theLastLineRunsItTwiceAgain() throws IOException {
        write("load: {jobs: 2}");
        assertThat(run("chaos run small.yaml --twice")).as(typed.err()).isZero();
        assertThat(typed.out()).contains("\nrerun ").endsWith("\ncella chaos run small.yaml --twice --seed 1\n");
    }

    @Test
    void replay_reportThatFailedInASecondRun_isJudgedByItAgain() throws IOException {
        report("C18");
        assertThat(run("chaos replay report.json")).as(typed.err()).isZero();
        assertThat(typed.out()).contains("\nC18 ").doesNotContain("\nrerun ");
        report("rerun");
        assertThat(run("chaos replay report.json")).as(typed.err()).isZero();
        assertThat(typed.out()).contains("\nrerun ");
    }

    /** The runs take hours, and would be lost. */
    @Test
    void run_outThatCannotBeWritten_isRefusedBeforeTheRuns() throws IOException {
        write("load: {jobs: 0}");
        Files.writeString(home.resolve("file"), "");
        assertThat(run("chaos run small.yaml --seeds 2 --no-twin --out file")).isEqualTo(2);
        assertThat(typed.err())
                .contains("error: file is a file", "--out takes a folder that can be written")
                .doesNotContain("seed 1");
    }

    @Test
    void namesOfARun_areRefusedBeforeIt() throws IOException {
        write("load: {jobs: 0}");
        report("rerun");
        assertThat(run("chaos run small.yaml --seeds 2 --no-twin -o name")).isEqualTo(64);
        assertThat(typed.err()).contains("has no names").doesNotContain("seed 1");
        assertThat(run("chaos replay report.json -o name")).isEqualTo(64);
        assertThat(typed.err()).doesNotContain("the digest");
    }

    @Test
    void list_namesEveryChecker() {
        assertThat(run("chaos list")).isZero();
        assertThat(typed.out()).containsPattern("checker +C17 .*\nchecker +C18 +The fault-free twin .*\nchecker +C19 ");
    }

    private int run(String command) {
        return new CellaCommand(typed.terminal()).run(command.split(" "));
    }

    private void write(String more) throws IOException {
        Files.writeString(home.resolve("small.yaml"), SMALL + more + "\n");
    }

    private void report(String failed) throws IOException {
        Files.writeString(home.resolve("report.json"), """
                {"scenario": "small", "world": "simulated", "seed": 1, "digest": "0",
                 "checkers": [{"checker": "C1", "holds": true}, {"checker": "%s", "holds": false}],
                 "replay": {"name": "small", "machines": 2, "safety": "1s", "liveness": "2s", "load": {"jobs": 2},
                            "schedulers": [{"name": "batch", "type": "batch"}]}}
                """.formatted(failed));
    }
}
