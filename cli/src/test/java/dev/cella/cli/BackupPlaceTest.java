package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cella cell backup} writes another file first and gives it the name that was asked for: not in place of everything. */
class BackupPlaceTest {
    @TempDir
    private Path folder;

    private String refusal(Path place) throws IOException {
        try (ScriptedCell cell = new ScriptedCell()) {
            TypedCommand typed = new TypedCommand(folder, folder, Map.of("CELLA_ADDRESS", cell.address()));
            assertThat(new CellaCommand(typed.terminal()).run("cell", "backup", place.toString()))
                    .isEqualTo(ExitCode.FAILED.number());
            assertThat(cell.asked()).isEmpty();
            return typed.err();
        }
    }

    @Test
    void device_isNotReplaced() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("stdout"), Path.of("/dev/null"));

        assertThat(refusal(link)).startsWith("error: " + link + " is a link or a device");
        assertThat(refusal(Path.of("/dev/null"))).startsWith("error: /dev/null is a link or a device");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void directory_isNotReplaced() throws Exception {
        assertThat(refusal(folder))
                .isEqualTo("error: " + folder + " is a directory\nhint:  name a file in it, such as " + folder
                        + "/cell.backup\n");
        assertThat(refusal(Path.of("/"))).startsWith("error: / is a directory");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void directoryThatIsNotThere_isNamed() throws Exception {
        assertThat(refusal(folder.resolve("nosuch/cell.backup")))
                .startsWith("error: there is no directory " + folder.resolve("nosuch"));
    }
}
