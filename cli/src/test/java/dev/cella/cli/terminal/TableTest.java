package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class TableTest {
    private final TypedCommand typed = new TypedCommand(Path.of("."));

    @Test
    void print_alignsTextLeftAndNumbersRight_andEndsNoLineInBlanks() {
        Table table = new Table("NAME", ">TASKS", "STATE");
        table.row("hello", 3, "RUNNING");
        table.row("a", 1200, "");

        table.print(typed.terminal());

        assertThat(typed.out()).isEqualTo("""
                        NAME   TASKS  STATE
                        hello      3  RUNNING
                        a       1200  -
                        """);
    }

    @Test
    void row_withTooFewCells_isRefused() {
        Table table = new Table("NAME", "STATE");

        assertThatThrownBy(() -> table.row("hello")).hasMessageContaining("1 cells in a table of 2 columns");
    }
}
