package dev.cella.cli.pool;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.PoolRemoved;
import dev.cella.client.proto.RemovePoolRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella pool remove}: removes the policy of a pool that nobody uses. */
@Command(
        name = "remove",
        header = "Removes a pool that no live job is in.",
        footer = {"", "Example:", "  cella pool remove research/vision"})
public final class PoolRemoveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "PATH", description = "the pool")
    private String path = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public PoolRemoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        PoolRemoved removed = cellOption
                .open(terminal)
                .removePool(RemovePoolRequest.newBuilder().setName(path).build());
        output.print(terminal, removed, () -> terminal.print("pool " + path + " is removed"));
        return ExitCode.DONE.number();
    }
}
