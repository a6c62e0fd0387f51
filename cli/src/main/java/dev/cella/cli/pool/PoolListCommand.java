package dev.cella.cli.pool;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.cell.Pages;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.PoolList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella pool list}: the limit, use, demand and fair share of each pool. */
@Command(
        name = "list",
        header =
                "Lists the pools: weight, minimum and limit, what is used and asked, the fair share and what lacks of it.",
        footer = {"", "Examples:", "  cella pool list", "  cella pool list --watch"})
public final class PoolListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public PoolListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    PoolList pools = Pages.pools(cell);
                    output.print(page, pools, () -> print(pools, page));
                })
                .number();
    }

    private static void print(PoolList pools, Terminal page) {
        if (pools.getPoolsCount() == 0) {
            page.say(
                    "no pool is defined, and no job is in one: define one with cella pool set PATH --limit cpuMilli=4000");
            return;
        }
        PoolTable.print(pools.getPoolsList(), page);
    }
}
