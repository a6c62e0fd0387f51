package dev.cella.cli.member;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.WatchOption;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.MemberList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella cell members}. */
@Command(
        name = "members",
        header = "Lists the replicas that keep the cell.",
        footer = {"", "Examples:", "  cella cell members", "  cella cell members --watch"})
public final class CellMembersCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final WatchOption watch = new WatchOption();

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellMembersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        HttpCell cell = cellOption.open(terminal);
        return watch.run(terminal, page -> {
                    MemberList members = cell.listMembers();
                    output.print(page, members, () -> MemberTable.print(members, page));
                })
                .number();
    }
}
