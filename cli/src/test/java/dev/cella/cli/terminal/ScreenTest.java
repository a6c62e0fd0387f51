package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTest {
    @Test
    void wrapped_breaksBetweenWords_andIndentsWhatFollows() {
        assertThat(screen(20).wrapped("  store     1 replica, Raft log", 12))
                .containsExactly("  store     1", "     replica, Raft", "     log");
        assertThat(screen(40).wrapped("  store     1 replica, Raft log with fsync", 8))
                .containsExactly("  store     1 replica, Raft log with", "        fsync");
        assertThat(screen(16).wrapped("          web planned at version 3", 12))
                .containsExactly("    web planned", "    at version 3");
    }

    @Test
    void wrapped_leavesWhatFits_andWordsThatAreLongerThanALine() {
        assertThat(screen(20).wrapped("ready in 3.2 s", 4)).containsExactly("ready in 3.2 s");
        assertThat(screen(20).wrapped("", 4)).containsExactly("");
        assertThat(screen(10).wrapped("in /tmp/cella-demo-12345 removed", 2))
                .containsExactly("in", "  /tmp/cella-demo-12345", "  removed");
        assertThat(screen(10).wrapped("/tmp/cella-demo-12345", 2)).containsExactly("/tmp/cella-demo-12345");
    }

    @Test
    void cut_leavesRoomForThePromptBelow() {
        assertThat(new Screen(true, true, 4, 3).cut(List.of("123456", "12", "3", "4")))
                .containsExactly("1234", "12");
    }

    @Test
    void cut_leavesOutColumnsThatDoNotFitWhole() {
        assertThat(screen(18).cut(List.of("NAME   STATE  FAILED", "hello  DONE   120000", "hello  DONE        7")))
                .containsExactly("NAME   STATE", "hello  DONE", "hello  DONE");
        assertThat(screen(12).cut(List.of("NAME   STATE  FAILED"))).containsExactly("NAME   STATE");
        assertThat(screen(11).cut(List.of("NAME   STATE  FAILED"))).containsExactly("NAME");
    }

    /** Said by a process whose standard output is a terminal, or a pipe. */
    static final class Said {
        public static void main(String[] arguments) {
            Screen screen = Screen.of(Environment.ofThisProcess());
            System.out.println("said " + screen.isTerminal() + " " + screen.isColoured() + " " + screen.columns());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "script -qec 'stty cols 50; %s' /dev/null, xterm, '', true true 50",
        "script -qec 'stty cols 50; %s' /dev/null, xterm, 1, true false 50",
        "script -qec 'stty cols 50; %s' /dev/null, dumb, '', false false 50",
        "%s, xterm, '', false false 10000"
    })
    void of_aTerminal_isColouredUnlessNoColorIsSet_andAPipeNever(
            String command, String terminal, String noColour, String expected) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "there is no script(1) here: no terminal was tried");
        String java = Path.of(System.getProperty("java.home"), "bin", "java")
                + " -XX:TieredStopAtLevel=1 -cp \"$CLASSES\" \"$MAIN\"";
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", command.formatted(java));
        shell.environment()
                .putAll(Map.of(
                        "TERM",
                        terminal,
                        "NO_COLOR",
                        noColour,
                        "CLASSES",
                        System.getProperty("java.class.path"),
                        "MAIN",
                        Said.class.getName()));
        shell.environment().keySet().removeAll(List.of("COLUMNS", "LINES"));
        String said = new String(shell.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said.strip()).endsWith("said " + expected);
    }

    private static Screen screen(int columns) {
        return new Screen(true, false, columns, 24);
    }
}
