package dev.cella.cli.member;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.state.CellRevival;
import dev.cella.state.CellRevival.Revived;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
                    + " replica that comes back can take no part in it. The checkpoints and the log of DIR stay as they are.",
            "",
            "JSON and YAML are {data, cell, version, incarnation, incarnationBefore, lastTerm, lastIndex}.",
            ""
        },
        footer = {"", "Example:", "  cella cell revive /var/lib/cella --data /var/lib/cella-revived"})
public final class CellReviveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "DIR", description = "the data directory of a stopped replica")
    private String directory = "";

    @Mixin
    private final FoundedDirectory founded = new FoundedDirectory();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellReviveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        output.refuseNames();
        Revived revived = founded.found(
                terminal,
                directory,
                "revive the directory of another replica",
                data -> CellRevival.revive(terminal.environment().path(directory), data));
        output.print(terminal, () -> data(revived), () -> founded.print(terminal, "revived", revived.restored()));
        terminal.say("lost:  whatever other replicas have after entry "
                + revived.last().index() + " of term " + revived.last().term());
        founded.sayNext(terminal, revived.restored());
        return ExitCode.DONE.number();
    }

    private Map<String, Object> data(Revived revived) {
        Map<String, Object> data = founded.data(revived.restored());
        data.put("lastTerm", revived.last().term());
        data.put("lastIndex", revived.last().index());
        return data;
    }
}
