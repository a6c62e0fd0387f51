package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.keeper.ProcessTable.Entry;
import dev.cella.agent.keeper.TaskProcesses.Leader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskProcessesTest {
    @TempDir
    Path folder;

    private static final TaskProcesses TASK =
            TaskProcesses.expected("no-process-has-this").ledBy(new Leader(50, 1_000));

    private static List<Long> members(Entry... entries) {
        return TASK.members(new ProcessTable(List.of(entries))).stream()
                .map(Entry::pid)
                .toList();
    }

    @Test
    void members_areTheLeadersSession() {
        assertThat(members(new Entry(50, 50, 1_000), new Entry(51, 50, 1_001), new Entry(60, 60, 1_002)))
                .containsExactly(50L, 51L);
    }

    @Test
    void members_whenTheLeaderIsGone_areStillItsSession() {
        assertThat(members(new Entry(51, 50, 1_001))).containsExactly(51L);
    }

    @Test
    void members_whenTheNumberIsUsedAgain_areNone() {
        assertThat(members(new Entry(50, 50, 9_000), new Entry(51, 50, 9_001))).isEmpty();
    }

    @Test
    void members_areNeverOlderThanTheLeader() {
        assertThat(members(new Entry(49, 50, 999))).isEmpty();
    }

    @Test
    void stat_withBlanksAndParenthesesInTheCommand_isRead() {
        String stat = "50 (a ) b (c) S 1 50 50 0 -1 4194560 3058 56454 0 11 2 1 67 275 20 0 1 0 71771 5124096 969\n";
        assertThat(ProcessTable.parse(50, stat)).contains(new Entry(50, 50, 71_771));
    }

    @Test
    void stat_ofAZombie_isNothing() {
        String stat = "50 (a) Z 1 50 50 0 -1 4194560 3058 56454 0 11 2 1 67 275 20 0 1 0 71771 5124096 969\n";
        assertThat(ProcessTable.parse(50, stat)).isEmpty();
    }

    /** A link to itself cannot be opened, like the environment of a thread of the kernel. */
    @Test
    void read_ofAFileThatCannotBeOpened_isNothing_unlessNoFileCan() throws Exception {
        Path link = folder.resolve("environ");
        Files.createSymbolicLink(link, link);
        assertThat(ProcessTable.read(link, Files.createFile(folder.resolve("own"))))
                .isEmpty();
        assertThat(ProcessTable.read(folder.resolve("stat"), link)).as("gone").isEmpty();
        assertThatThrownBy(() -> ProcessTable.read(link, link)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void mark_withBlanks_isRefused() {
        assertThatThrownBy(() -> TaskProcesses.expected("a b")).isInstanceOf(IllegalArgumentException.class);
    }
}
