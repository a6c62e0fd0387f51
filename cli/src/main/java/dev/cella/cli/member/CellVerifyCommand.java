package dev.cella.cli.member;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellVerification;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella cell verify}: reads all kept files, and names what is damaged. */
@Command(
        name = "verify",
        header = "Reads a data directory or a backup, and names what is damaged.",
        description = {
            "",
            "The server of the directory must be stopped. Nothing is changed. JSON and YAML are {path, whole[], damage[]}.",
            ""
        },
        footer = {"", "Examples:", "  cella cell verify /var/lib/cella", "  cella cell verify cell.backup"})
public final class CellVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR|FILE", description = "a data directory, or what cella cell backup wrote")
    private String path = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        output.refuseNames();
        CellVerification.Found found =
                CellVerification.verify(terminal.environment().path(path));
        output.print(terminal, () -> data(found), () -> print(found));
        return (found.damage().isEmpty() ? ExitCode.DONE : ExitCode.FAILED).number();
    }

    private Map<String, Object> data(CellVerification.Found found) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("path", path);
        data.put("whole", found.whole());
        data.put("damage", found.damage());
        return data;
    }

    private void print(CellVerification.Found found) {
        found.whole().forEach(terminal::print);
        found.damage().forEach(line -> terminal.print("DAMAGED  " + line));
        if (found.damage().isEmpty()) {
            terminal.print("all of it is whole");
        }
    }
}
