package dev.cella.cli;

import dev.cella.cli.terminal.TypedCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The set-up of tests that type commands at a cell of scripted answers. */
abstract class OnAScriptedCell {
    @TempDir
    Path home;

    ScriptedCell cell;
    TypedCommand typed;

    @BeforeEach
    final void startCell() throws IOException {
        cell = new ScriptedCell();
        typed = new TypedCommand(home, home, Map.of("CELLA_ADDRESS", cell.address()));
    }

    @AfterEach
    final void stopCell() {
        cell.close();
    }

    final int run(String... arguments) {
        return new CellaCommand(typed.terminal()).run(arguments);
    }
}
