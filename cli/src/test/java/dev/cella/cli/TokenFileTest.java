package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --token @FILE}: the option reads the file, and nothing else takes the file's words as arguments. */
class TokenFileTest {
    /** Nothing listens there. */
    private static final String NOWHERE = "http://127.0.0.1:1";

    @TempDir
    private Path folder;

    private String refusal(String... arguments) {
        TypedCommand typed = new TypedCommand(folder);
        assertThat(new CellaCommand(typed.terminal()).run(arguments)).isEqualTo(ExitCode.USAGE.number());
        return typed.err();
    }

    @Test
    void emptyFile_isRefusedInWords() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "\n");
        assertThat(refusal("status", "--address", NOWHERE, "--token", "@" + file))
                .contains("no token is in " + file);
    }

    @Test
    void fileThatIsNotThere_isRefusedInWords() {
        Path file = folder.resolve("token");
        assertThat(refusal("status", "--address", NOWHERE, "--token", "@" + file))
                .contains("cannot read the token in " + file);
    }

    @Test
    void wordsOfAFile_areNoArguments() throws Exception {
        Path file = Files.writeString(folder.resolve("words"), "status --no-such-option");
        assertThat(refusal("@" + file)).doesNotContain("--no-such-option").contains("@" + file);
    }
}
