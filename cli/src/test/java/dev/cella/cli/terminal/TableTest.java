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

    /** A label of a job, whose owner is another user. */
    @Test
    void print_controlCharacters_areShownWithoutEffect() {
        Table table = new Table("LABELS", "STATE");
        table.row("a=\u001b[31mred,b=c\nd\te", "RUNNING");

        table.print(typed.terminal());

        assertThat(typed.out()).isEqualTo("""
            LABELS                 STATE
            a=^[[31mred,b=c^Jd^Ie  RUNNING
            """);
    }

    @Test
    void row_withTooFewCells_isRefused() {
        Table table = new Table("NAME", "STATE");

        assertThatThrownBy(() -> table.row("hello")).hasMessageContaining("1 cells in a table of 2 columns");
    }

    @Test
    void print_onANarrowTerminal_leavesOutMinorColumnsFromTheRight() {
        Table table = new Table("NAME", "~TYPE", "STATE", "~SUBMITTED");
        table.row("hello", "batch", "RUNNING", "2026-11-20T12:00:00Z");

        table.print(typed.terminal(), "", new Screen(true, false, 24, 24));
        table.print(typed.terminal(), "", new Screen(true, false, 18, 24));

        assertThat(typed.out()).isEqualTo("""
            NAME   TYPE   STATE
            hello  batch  RUNNING
            NAME   STATE
            hello  RUNNING
            """);
    }

    @Test
    void print_rareColumns_onlyIfARowHasSomethingInThem() {
        for (String work : new String[] {"", "spare"}) {
            Table table = new Table("NAME", "?WORK", "STATE");
            table.row("hello", work, "RUNNING");
            table.row("a", "", "PLACED");
            table.print(typed.terminal());
        }

        assertThat(typed.out()).isEqualTo("""
            NAME   STATE
            hello  RUNNING
            a      PLACED
            NAME   WORK   STATE
            hello  spare  RUNNING
            a      -      PLACED
            """);
    }

    @Test
    void print_wideColumns_onlyInAWideTable() {
        for (boolean wide : new boolean[] {false, true}) {
            Table table = new Table(wide, "NAME", "+>ATTEMPTS");
            table.row("hello", 3);
            table.print(typed.terminal());
        }

        assertThat(typed.out()).isEqualTo("""
            NAME
            hello
            NAME   ATTEMPTS
            hello         3
            """);
    }

    @Test
    void print_states_areColouredWhereTheTerminalTakesColours() {
        Table table = new Table("NAME", "STATE");
        table.row("FAILED", "FAILED");

        table.print(typed.terminal(), "", new Screen(true, true, 80, 24));

        assertThat(typed.out()).isEqualTo("NAME    STATE\nFAILED  \u001b[31mFAILED\u001b[0m\n");
    }
}
