package dev.cella.cli.member;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellRestore.Restored;
import dev.cella.state.CellRevival;
import dev.cella.state.CellRevival.Revived;
import dev.cella.state.core.DamagedBackupException;
import dev.cella.state.core.DamagedCheckpointException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella cell revive}: founds the cell again from one replica, when the majority is lost permanently. */
@Command(
        name = "revive",
        header = "Founds the cell again from the directory of one replica.",
        description = {
            "",
            "For a cell whose majority of replicas is lost permanently. If you have several directories, run cella cell"
                    + " verify on each, and take the one whose log has the newest entry.",
            "",
            "Commands that the lost replicas acknowledged without this one are lost. The cell has another incarnation, so a lost"
                    + " replica that comes back can take no part in it. The old directory stays as it is.",
            ""
        },
        footer = {"", "Example:", "  cella cell revive /var/lib/cella --data /var/lib/cella-revived"})
public final class CellReviveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "the data directory of a stopped replica")
    private String directory = "";

    @Option(names = "--data", required = true, paramLabel = "DIR", description = "an empty directory, or a new one")
    private String data = "";

    public CellReviveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        try {
            Revived revived = CellRevival.revive(
                    terminal.environment().path(directory),
                    terminal.environment().path(data));
            Restored restored = revived.restored();
            terminal.print("revived the cell %s at version %s in %s, incarnation %s, before %s"
                    .formatted(
                            restored.backup().cell(),
                            restored.backup().version(),
                            data,
                            restored.incarnation(),
                            restored.backup().incarnation()));
            terminal.say("lost:  whatever other replicas have after entry "
                    + revived.last().index() + " of term " + revived.last().term());
            terminal.say("next:  cella server --data " + data + " --cell "
                    + restored.backup().cell());
            return ExitCode.DONE.number();
        } catch (DamagedBackupException | DamagedCheckpointException damaged) {
            throw CommandFailure.failed(
                    directory + ": " + damaged.getMessage(), "revive the directory of another replica");
        }
    }
}
