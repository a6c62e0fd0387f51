package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cella cell backup} writes another file first and gives it the name that was asked for: not in place of everything. */
class BackupPlaceTest {
    @TempDir
    private Path folder;

    private String refusal(Path place) throws IOException {
        return refusal(ExitCode.FAILED, place.toString());
    }

    private String refusal(ExitCode code, String... arguments) throws IOException {
        try (ScriptedCell cell = new ScriptedCell()) {
            String error = failure(cell, code, arguments);
            assertThat(cell.asked()).isEmpty();
            return error;
        }
    }

    private String failure(ScriptedCell cell, ExitCode code, String... arguments) {
        TypedCommand typed = new TypedCommand(folder, folder, Map.of("CELLA_ADDRESS", cell.address()));
        String[] words =
                Stream.concat(Stream.of("cell", "backup"), Stream.of(arguments)).toArray(String[]::new);
        assertThat(new CellaCommand(typed.terminal()).run(words)).isEqualTo(code.number());
        return typed.err();
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

    @Test
    @Timeout(60)
    void repeatedBackup_isRefusedAtItsStart() throws Exception {
        assertThat(refusal(ExitCode.FAILED, folder.resolve("nosuch/cell.backup").toString(), "--every", "1h"))
                .startsWith("error: there is no directory " + folder.resolve("nosuch"));
        assertThat(refusal(ExitCode.USAGE, folder.resolve("cell.backup").toString(), "--every", "999ms"))
                .startsWith("error: --every is at least 1s\n");
    }

    @Test
    void backup_whoseConnectionBreaks_isOfACellThatCannotBeReached() throws Exception {
        try (ScriptedCell cell = new ScriptedCell()) {
            cell.answer("/v1/backup", ScriptedCell.breaking(Map.of(), "a beginning"));

            assertThat(failure(
                            cell,
                            ExitCode.NO_CELL,
                            folder.resolve("cell.backup").toString()))
                    .startsWith("error: no cell answers at " + cell.address()
                            + ": the connection broke while it sent the backup\n");
        }
    }
}
