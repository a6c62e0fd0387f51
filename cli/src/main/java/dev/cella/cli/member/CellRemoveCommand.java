package dev.cella.cli.member;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.RemoveMemberRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella cell remove}. */
@Command(
        name = "remove",
        header = "Takes a replica out of the cell.",
        description = {"", "Its server leaves by itself. The last replica cannot be removed.", ""},
        footer = {"", "Example:", "  cella cell remove r4"})
public final class CellRemoveCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the replica")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellRemoveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        RemoveMemberRequest request =
                RemoveMemberRequest.newBuilder().setName(name).build();
        HttpCell cell = cellOption.open(terminal);
        MemberList members = MemberChange.untilLed(terminal, () -> cell.removeMember(request));
        output.print(terminal, members, () -> print(members));
        return ExitCode.DONE.number();
    }

    private void print(MemberList members) {
        MemberTable.print(members, terminal);
    }
}
