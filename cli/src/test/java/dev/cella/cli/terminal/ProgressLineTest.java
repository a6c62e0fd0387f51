package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final TypedCommand typed = new TypedCommand(Path.of("."));
    private Instant now = Instant.parse("2026-11-20T12:00:00Z");

    private final Terminal terminal = new Terminal(
            typed.terminal().out(),
            typed.terminal().err(),
            typed.terminal().in(),
            new Environment(Map.of(), Path.of("."), Path.of("."), () -> now));

    @Test
    void show_inAPipe_printsTwiceASecondAtMost_andTheLastOfAll() {
        try (ProgressLine line = new ProgressLine(terminal, Screen.PLAIN_PIPE)) {
            for (int tenth = 0; tenth < 13; tenth++) {
                line.show("line " + tenth);
                now = now.plusMillis(100);
            }
        }

        assertThat(typed.err()).isEqualTo("line 0\nline 5\nline 10\nline 12\n");
    }

    @Test
    void show_onATerminal_writesOneLineAgain() {
        try (ProgressLine line = new ProgressLine(terminal, new Screen(true, false, 10, 24))) {
            line.show("one");
            line.show("a line that is too long");
        }

        assertThat(typed.err()).isEqualTo("\r\u001b[Kone\r\u001b[Ka line th\n");
    }
}
