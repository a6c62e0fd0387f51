package dev.cella.cli.member;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.TransferLeadRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella cell transfer}. */
@Command(
        name = "transfer",
        header = "Hands the lead over to a replica.",
        footer = {"", "Example:", "  cella cell transfer r2"})
public final class CellTransferCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the replica")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellTransferCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        TransferLeadRequest request =
                TransferLeadRequest.newBuilder().setName(name).build();
        HttpCell cell = cellOption.open(terminal);
        MemberList members = MemberChange.untilLed(terminal, () -> cell.transferLead(request));
        output.print(terminal, members, () -> print(members));
        return ExitCode.DONE.number();
    }

    private void print(MemberList members) {
        MemberTable.print(members, terminal);
    }
}
