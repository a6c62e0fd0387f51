package dev.cella.cli.member;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Level;
import dev.cella.client.proto.RaiseLevelRequest;
import dev.cella.client.proto.ReplicaLevel;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella cell level}. */
@Command(
        name = "level",
        header = "Shows the feature level of the cell, or raises it.",
        description = {
            "",
            "The level says which commands the log may have. A replica whose program does not know the level stops, so the"
                    + " cell is raised only when all of them know it. Nothing lowers it again: raise it when you are sure"
                    + " that you keep the newer program.",
            ""
        },
        footer = {"", "Examples:", "  cella cell level", "  cella cell level 4"})
public final class CellLevelCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "LEVEL", description = "the level to raise the cell to")
    private @Nullable Integer raised;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellLevelCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        HttpCell cell = cellOption.open(terminal);
        Level level = raised == null
                ? cell.level()
                : cell.raiseLevel(
                        RaiseLevelRequest.newBuilder().setLevel(raised).build());
        output.print(terminal, level, () -> print(level));
        return ExitCode.DONE.number();
    }

    private void print(Level level) {
        terminal.print("the cell is at feature level " + level.getLevel());
        level.getReplicasList().forEach(replica -> terminal.print("  " + replica.getName() + " " + knows(replica)));
    }

    private static String knows(ReplicaLevel replica) {
        return replica.hasKnows() ? "knows level " + replica.getKnows() : "does not answer";
    }
}
