package dev.cella.cli.member;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellVerification;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cella cell verify}: reads all kept files, and names what is damaged. */
@Command(
        name = "verify",
        header = "Reads a data directory or a backup, and names what is damaged.",
        description = {"", "The server of the directory must be stopped. Nothing is changed.", ""},
        footer = {"", "Examples:", "  cella cell verify /var/lib/cella", "  cella cell verify cell.backup"})
public final class CellVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR|FILE", description = "a data directory, or what cella cell backup wrote")
    private String path = "";

    public CellVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        CellVerification.Found found =
                CellVerification.verify(terminal.environment().path(path));
        found.whole().forEach(terminal::print);
        List<String> damage = found.damage();
        damage.forEach(line -> terminal.print("DAMAGED  " + line));
        if (damage.isEmpty()) {
            terminal.print("all of it is whole");
            return ExitCode.DONE.number();
        }
        return ExitCode.FAILED.number();
    }
}
