package dev.cella.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two commits beside each other. */
class BenchCompareTest {
    @TempDir
    private Path folder;

    private TypedCommand typed;

    @BeforeEach
    void type() {
        typed = new TypedCommand(folder);
    }

    @Test
    void compare_tellsWhatLiesApart_fromWhatLiesWithinTheSpread() throws IOException {
        for (int turn = 0; turn < 3; turn++) {
            keep("a", turn, 100 + turn, 50 - turn);
            keep("b", turn, 102 + turn, 40 - turn);
        }
        assertThat(compare()).isZero();
        assertThat(typed.out())
                .contains("cella bench plan")
                .containsPattern("rate +101 \\(100 to 102\\) +103 \\(102 to 104\\) +\\+2 % +within the spread")
                .containsPattern("took\\.p50 +49 .*39 .*-20 % +less")
                .containsPattern("peers\\[name=etcd\\]\\.rate .*within the spread")
                .doesNotContain("machines", "processors", "loadAverage");
    }

    @Test
    void compare_withTooFewRuns_saysSo_andNamesCommandsOfOneCommitOnly() throws IOException {
        keep("a", 0, 100, 50);
        keep("b", 0, 200, 50);
        Files.writeString(folder.resolve("a/odd.json"), "{\"bench\": \"feed\", \"command\": \"cella bench feed\"}");
        assertThat(compare()).isZero();
        assertThat(typed.out())
                .containsPattern("rate +100 +200 +\\+100 % +fewer than 3 runs")
                .contains("ran at one commit only: cella bench feed");
    }

    @Test
    void compare_withoutRuns_saysWhatToDo() throws IOException {
        assertThatThrownBy(this::compare).isInstanceOf(CommandFailure.class).hasMessageContaining("no folder of runs");
        Files.createDirectories(folder.resolve("a"));
        Files.createDirectories(folder.resolve("b"));
        assertThatThrownBy(this::compare)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("no command ran at both commits");
    }

    /** The script on a repository whose program says which commit runs. */
    @Test
    void script_runsBothCommitsByTurns_andRemovesItsWorkTrees() throws Exception {
        Path repository = folder.resolve("repository");
        Files.createDirectories(repository.resolve("bench"));
        Files.copy(Path.of("../bench/compare"), repository.resolve("bench/compare"));
        commit(repository, "one");
        commit(repository, "two");
        String said = run(repository, "sh", "bench/compare", "HEAD~1", "HEAD", "2", "bench plan", "bench feed");
        assertThat(Files.readAllLines(folder.resolve("order")))
                .containsExactly(
                        "one bench plan --json",
                        "two bench plan --json",
                        "one bench feed --json",
                        "two bench feed --json",
                        "two bench plan --json",
                        "one bench plan --json",
                        "two bench feed --json",
                        "one bench feed --json");
        assertThat(said).containsPattern("compared 4 4\\n").contains("the runs are in ");
        assertThat(run(repository, "git", "worktree", "list").lines()).hasSize(1);
        assertThat(run(repository, "sh", "bench/compare", "HEAD~1", "HEAD")).contains("bench/compare BEFORE AFTER");
    }

    private void commit(Path repository, String name) throws Exception {
        Path program = repository.resolve("cella");
        Files.writeString(program, """
                #!/bin/sh
                if [ "$2" = compare ]; then echo compared $(ls "$3" | wc -l) $(ls "$4" | wc -l); rm -r "$(dirname "$3")"; exit; fi
                echo %s "$@" >> %s
                echo '{"bench": "x"}'
                """.formatted(name, folder.resolve("order")));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String git : List.of("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm " + name)) {
            run(repository, ("git " + git).split(" ", -1));
        }
    }

    private static String run(Path repository, String... words) throws Exception {
        Process process = new ProcessBuilder(words)
                .directory(repository.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    private void keep(String commit, int turn, int rate, int p50) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(commit)).resolve(turn + ".json"), """
                {"bench": "plan", "command": "cella bench plan", "processors": 2, "loadAverage": %1$d, "machines": 10,
                 "rate": %1$d, "took": {"p50": %2$d}, "peers": [{"name": "etcd", "rate": %3$d}]}
                """.formatted(
                        rate, p50, turn));
    }

    private int compare() throws IOException {
        return CommandLine.populateCommand(new BenchCompareCommand(typed.terminal()), "a", "b")
                .call();
    }
}
