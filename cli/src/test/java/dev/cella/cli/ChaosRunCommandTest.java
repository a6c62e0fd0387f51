package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosRunCommandTest {
    @TempDir
    private Path home;

    private TypedCommand typed;

    @BeforeEach
    void type() {
        typed = new TypedCommand(home);
    }

    @Test
    void list_namesEveryChecker() {
        assertThat(run("chaos list")).isZero();
        assertThat(typed.out()).containsPattern("checker +C17 .*\nchecker +C18 +The fault-free twin .*\nchecker +C19 ");
    }

    private int run(String command) {
        return new CellaCommand(typed.terminal()).run(command.split(" "));
    }
}
