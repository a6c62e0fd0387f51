package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    Path folder;

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("journal"), text);
    }

    @Test
    void workFolder_isThatOfTheAttempt() throws Exception {
        Journal.create(folder, Path.of("/work/of it"), "m", List.of(Path.of("/group")))
                .ended(KeptEnd.unknown());
        assertThat(Journal.workFolder(folder)).contains(Path.of("/work/of it"));
        assertThat(Journal.groupFolders(folder)).containsExactly(Path.of("/group"));
        assertThat(Journal.isEnded(folder)).isTrue();
    }

    @Test
    void leftBehind_inTheSameBoot_isTheSessionOfTheLeader() throws Exception {
        led();
        assertThat(sessionLeftBehind()).containsExactly(51L);
    }

    @Test
    void leftBehind_inAnotherBootOrNamespace_isNoSession() throws Exception {
        led();
        String journal = Files.readString(folder.resolve("journal"));
        String[] words = journal.trim().split(" ", -1);
        String boot = words[words.length - 2];
        String namespace = words[words.length - 1];
        for (String elsewhere : List.of(
                journal.replace(boot, "another"),
                journal.replace(namespace, "pid:[1]"),
                journal.replace(" " + boot + " " + namespace, ""))) {
            write(elsewhere);
            assertThat(sessionLeftBehind()).as(elsewhere).isEmpty();
            assertThat(Journal.leftBehind(folder)).contains(TaskProcesses.expected("no-process-has-this"));
        }
    }

    private void led() throws IOException {
        Journal.create(folder, Path.of("/work"), "no-process-has-this", List.of())
                .led(new TaskProcesses.Leader(50, 1_000));
    }

    /** The leader has ended, and a process of its session is there. */
    private List<Long> sessionLeftBehind() {
        ProcessTable table = new ProcessTable(List.of(new ProcessTable.Entry(51, 50, 1_001)));
        return Journal.leftBehind(folder).orElseThrow().members(table).stream()
                .map(ProcessTable.Entry::pid)
                .toList();
    }

    @Test
    void workFolder_ofALineThatIsNotWhole_isNone() throws Exception {
        for (String cut : List.of("work /", "work /\n", "work /\nended UNSTARTED 0\n", "work /a\nb/c\nmark m\n")) {
            write(cut);
            assertThat(Journal.workFolder(folder)).as(cut).isEmpty();
        }
    }

    @Test
    void workFolder_ofAJournalWithoutIt_isNone() throws Exception {
        write("mark m\nled 1 2\n");
        assertThat(Journal.workFolder(folder)).isEmpty();
    }
}
