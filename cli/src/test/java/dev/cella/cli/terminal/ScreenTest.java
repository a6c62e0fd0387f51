package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

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

    private static Screen screen(int columns) {
        return new Screen(true, false, columns, 24);
    }
}
