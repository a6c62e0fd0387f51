package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code cella cell backup} writes another file first and gives it the name that was asked for: not in place of everything. */
class BackupPlaceTest extends OnAScriptedCell {
    private String refusal(Path place) {
        return refusal(ExitCode.FAILED, place.toString());
    }

    private String refusal(ExitCode code, String... arguments) {
        String error = failure(code, arguments);
        assertThat(cell.asked()).isEmpty();
        return error;
    }

    private String failure(ExitCode code, String... arguments) {
        String before = typed.err();
        String[] words =
                Stream.concat(Stream.of("cell", "backup"), Stream.of(arguments)).toArray(String[]::new);
        assertThat(run(words)).isEqualTo(code.number());
        return typed.err().substring(before.length());
    }

    @Test
    void device_isNotReplaced() throws Exception {
        Path link = Files.createSymbolicLink(home.resolve("stdout"), Path.of("/dev/null"));

        assertThat(refusal(link)).startsWith("error: " + link + " is a link or a device");
        assertThat(refusal(Path.of("/dev/null"))).startsWith("error: /dev/null is a link or a device");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void directory_isNotReplaced() throws Exception {
        assertThat(refusal(home))
                .isEqualTo("error: " + home + " is a directory\nhint:  name a file in it, such as " + home
                        + "/cell.backup\n");
        assertThat(refusal(Path.of("/"))).startsWith("error: / is a directory");
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void directoryThatIsNotThere_isNamed() throws Exception {
        assertThat(refusal(home.resolve("nosuch/cell.backup")))
                .startsWith("error: there is no directory " + home.resolve("nosuch"));
    }

    @Test
    @Timeout(60)
    void repeatedBackup_isRefusedAtItsStart() throws Exception {
        assertThat(refusal(ExitCode.FAILED, home.resolve("nosuch/cell.backup").toString(), "--every", "1h"))
                .startsWith("error: there is no directory " + home.resolve("nosuch"));
        assertThat(refusal(ExitCode.USAGE, home.resolve("cell.backup").toString(), "--every", "999ms"))
                .startsWith("error: --every is at least 1s\n");
    }

    @Test
    void backup_whoseConnectionBreaks_isOfACellThatCannotBeReached() {
        cell.answer("/v1/backup", ScriptedCell.breaking(Map.of(), "a beginning"));

        assertThat(failure(ExitCode.NO_CELL, home.resolve("cell.backup").toString()))
                .startsWith("error: no cell answers at " + cell.address()
                        + ": the connection broke while it sent the backup\n");
    }
}
