package dev.cella.cli.member;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellRestore;
import dev.cella.state.CellRestore.Restored;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella cell restore}: makes an empty directory a lone replica with the content of a backup. */
@Command(
        name = "restore",
        header = "Founds a cell from a backup, in an empty directory.",
        description = {
            "",
            "What happened after the backup is lost. The cell has another incarnation, so nobody mistakes it for the one"
                    + " before.",
            "Start it with cella server --data DIR; add further replicas while it runs.",
            ""
        },
        footer = {"", "Example:", "  cella cell restore cell.backup --data /var/lib/cella"})
public final class CellRestoreCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "what cella cell backup wrote")
    private String file = "";

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "an empty directory, or a new one")
    private String data = "";

    public CellRestoreCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        try {
            Restored restored = CellRestore.restore(
                    terminal.environment().path(file), terminal.environment().path(data));
            terminal.print("restored the cell %s at version %s in %s, incarnation %s, before %s"
                    .formatted(
                            restored.backup().cell(),
                            restored.backup().version(),
                            data,
                            restored.incarnation(),
                            restored.backup().incarnation()));
            terminal.say("next:  cella server --data " + data + " --cell "
                    + restored.backup().cell());
            return ExitCode.DONE.number();
        } catch (DamagedBackupException | DamagedCheckpointException damaged) {
            throw CommandFailure.failed(file + ": " + damaged.getMessage(), "restore another backup");
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + missing.getFile(), missing);
        }
    }
}
