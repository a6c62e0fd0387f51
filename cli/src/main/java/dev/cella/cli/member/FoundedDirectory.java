package dev.cella.cli.member;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellRestore.Restored;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.StartRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option {@code --data} of the commands that found a cell from an earlier one, and what these commands print. */
final class FoundedDirectory {
    @Option(names = "--data", required = true, paramLabel = "DIR", description = "an empty directory, or a new one")
    private String data = "";

    /** How the cell gets into the directory. */
    @FunctionalInterface
    interface Founding<T> {
        T into(Path directory)
                throws IOException, StartRefusedException, DamagedBackupException, DamagedCheckpointException;
    }

    /** Founds the cell from what {@code source} names, or fails with the damage there and that hint. */
    <T> T found(Terminal terminal, String source, String hint, Founding<T> founding)
            throws IOException, StartRefusedException {
        try {
            return founding.into(terminal.environment().path(data));
        } catch (DamagedBackupException | DamagedCheckpointException damaged) {
            throw CommandFailure.failed(source + ": " + damaged.getMessage(), hint);
        }
    }

    Map<String, Object> data(Restored restored) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("data", this.data);
        data.put("cell", restored.backup().cell().text());
        data.put("version", restored.backup().version().number());
        data.put("incarnation", restored.incarnation().toString());
        data.put("incarnationBefore", restored.backup().incarnation().toString());
        return data;
    }

    void print(Terminal terminal, String done, Restored restored) {
        terminal.print("%s the cell %s at version %s in %s, incarnation %s, before %s"
                .formatted(
                        done,
                        restored.backup().cell(),
                        restored.backup().version(),
                        data,
                        restored.incarnation(),
                        restored.backup().incarnation()));
    }

    void sayNext(Terminal terminal, Restored restored) {
        terminal.say("next:  cella server --data " + data + " --cell "
                + restored.backup().cell());
    }
}
