package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cella.cli.terminal.TypedCommand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the tab key gives where {@code cella completion} has been read by the shell. */
final class CompletionTest {
    @TempDir
    private Path home;

    @ParameterizedTest
    @CsvSource({"job r, run restart revert", "scheduler --con, --config", "completio, completion"})
    void tabKeyInBash_completesCommandsAndOptions(String typed, String completed) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash here: completions were not tried");
        TypedCommand completion = new TypedCommand(home);
        assertThat(new CellaCommand(completion.terminal()).run("completion", "bash"))
                .isZero();
        Path script = Files.writeString(
                home.resolve("try"),
                completion.out() + "\nCOMP_WORDS=(cella " + typed + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                        + "_complete_cella\necho ${COMPREPLY[@]}\n");

        Process bash = new ProcessBuilder("/bin/bash", script.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD) // bash misses the tab key
                .start();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo(completed);
    }
}
