package dev.cella.cli.member;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.MemberList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cella cell members}. */
@Command(
        name = "members",
        header = "Lists the replicas that keep the cell.",
        footer = {"", "Example:", "  cella cell members"})
public final class CellMembersCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellMembersCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        MemberList members = cellOption.open(terminal).listMembers();
        output.print(terminal, members, () -> MemberTable.print(members, terminal));
        return ExitCode.DONE.number();
    }
}
