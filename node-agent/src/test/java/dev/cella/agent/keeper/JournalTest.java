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
