package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flags of {@code cella agent} and {@code cella scheduler} for another cell, where they are wrong. */
final class OtherCellFlagsTest {
    @TempDir
    private Path folder;

    private String refusal(String... arguments) {
        TypedCommand typed = new TypedCommand(folder);
        assertThat(new CellaCommand(typed.terminal()).run(arguments)).isEqualTo(ExitCode.USAGE.number());
        assertThat(typed.err()).doesNotContain("SECRET");
        return typed.err();
    }

    @Test
    void agent_flagOfAnotherCellWithoutOne_isRefused() {
        assertThat(refusal("agent", "--data", "x", "--cell-token", "SECRET"))
                .contains("--cell-token is for the cell of --cell, which is not given")
                .contains("there is --token");
    }

    /** Faults are on the agents of machines. */
    @Test
    void agent_faultsAllowedOnTheAgentOfAnotherCell_isRefused() {
        assertThat(refusal("agent", "--data", "x", "--cell", "http://a:1", "--chaos"))
                .contains("--chaos is about this machine, and --cell offers another cell instead");
    }

    @Test
    void scheduler_tokenForACellThatItDoesNotWorkOn_isRefused() {
        assertThat(refusal("scheduler", "--cell", "http://a:1", "--cell-token", "http://b:1=SECRET"))
                .contains("--cell-token is for http://b:1, which --cell does not list");
    }

    @Test
    void scheduler_tokenWithoutItsCell_isNotPrinted() {
        assertThat(refusal("scheduler", "--cell", "http://a:1", "--cell-token", "SECRET"))
                .contains("--cell-token is written URL=TOKEN");
    }

    @Test
    void scheduler_tokensInAFile_areThoseOfItsCells() throws Exception {
        Files.writeString(folder.resolve("scheduler.yaml"), """
                cells: ["http://a:1"]
                cellTokens: {"http://a:1": "@none.token"}
                """);
        assertThat(refusal("scheduler", "--config", "scheduler.yaml"))
                .contains("cannot read the token in " + folder.resolve("none.token"));
    }
}
