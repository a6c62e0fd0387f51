package dev.cella.cli.member;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellRestore;
import dev.cella.state.CellRestore.Restored;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "JSON and YAML are {data, cell, version, incarnation, incarnationBefore}.",
            ""
        },
        footer = {"", "Example:", "  cella cell restore cell.backup --data /var/lib/cella"})
public final class CellRestoreCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "what cella cell backup wrote")
    private String file = "";

    @Mixin
    private final FoundedDirectory founded = new FoundedDirectory();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellRestoreCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        output.refuseNames();
        try {
            Restored restored = founded.found(
                    terminal,
                    file,
                    "restore another backup",
                    data -> CellRestore.restore(terminal.environment().path(file), data));
            output.print(terminal, () -> founded.data(restored), () -> founded.print(terminal, "restored", restored));
            founded.sayNext(terminal, restored);
            return ExitCode.DONE.number();
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + missing.getFile(), missing);
        }
    }
}
