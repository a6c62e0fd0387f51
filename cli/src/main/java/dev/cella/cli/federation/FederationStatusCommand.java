package dev.cella.cli.federation;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.Federation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella federation status}. */
@Command(
        name = "status",
        header = "Lists the cells that schedulers plan on together with this one.",
        description = {
            "",
            "AGE is the age of the view that schedulers plan on. INCONSISTENT counts their claims that the cell refused"
                    + " because the view was no longer true. REPARTITIONS counts tasks that went to machines on which"
                    + " another instance plans first.",
            "",
            "A cell is READY if schedulers plan on it and its machine in this cell is ready. Otherwise:",
            "  AWAY         no scheduler reaches it",
            "  DOWN         this cell has given up the tasks there",
            "  DRAINING     its machine here is drained",
            "  NOT_OFFERED  no machine here stands for it: cella agent --cell URL makes it one",
            "  NOT_PLANNED  no scheduler plans on it: cella scheduler --cell URL does",
            ""
        },
        footer = {"", "Examples:", "  cella federation status", "  cella federation status --watch"})
public final class FederationStatusCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public FederationStatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    Federation federation = cell.getFederation();
                    output.print(page, federation, () -> FederationTable.print(federation, page));
                })
                .number();
    }
}
