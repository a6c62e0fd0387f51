package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                .contains("cannot read the token in " + file + ": there is no such file");
        assertThat(refusal("status", "--address", NOWHERE, "--token", "@" + folder))
                .contains("cannot read the token in " + folder + ": it is a directory");
    }

    /** The failure of the request would print the header, with the secret. */
    @ParameterizedTest
    @ValueSource(strings = {"status", "scheduler", "agent --data x --name m"})
    void tokenWithALineEndOrBlank_isRefused_andNotPrinted(String command) {
        for (String token : List.of("hunter\n2", "hunter\r2", "hunter 2", "\ufeffhunter", "hunt\u00e9r")) {
            List<String> typed = new ArrayList<>(List.of(command.split(" ")));
            typed.addAll(List.of("--address", NOWHERE, "--token", token));
            assertThat(refusal(typed.toArray(String[]::new)))
                    .contains("the token has a character that no token has: U+")
                    .doesNotContain("hunt");
        }
    }

    @Test
    void lineEndBehindAToken_isLeftOut() {
        TypedCommand typed = new TypedCommand(folder);
        assertThat(new CellaCommand(typed.terminal()).run("status", "--address", NOWHERE, "--token", "secret\n"))
                .isEqualTo(ExitCode.NO_CELL.number());
    }

    @Test
    void wordsOfAFile_areNoArguments() throws Exception {
        Path file = Files.writeString(folder.resolve("words"), "status --no-such-option");
        assertThat(refusal("@" + file)).doesNotContain("--no-such-option").contains("@" + file);
    }
}
