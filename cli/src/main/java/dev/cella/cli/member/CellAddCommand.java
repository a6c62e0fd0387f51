package dev.cella.cli.member;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.AddMemberRequest;
import dev.cella.client.proto.MemberList;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella cell add}. */
@Command(
        name = "add",
        header = "Takes a further replica into the cell.",
        description = {
            "",
            "The replica is started first, on an empty directory, with its row in the file; it waits until this"
                    + " command says that",
            "the cell takes it. It counts once it has caught up.",
            ""
        },
        footer = {"", "Example:", "  cella cell add r4 --log 10.0.0.4:7171 --address http://10.0.0.4:7070"})
public final class CellAddCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the replica")
    private String name = "";

    @Option(
            names = "--log",
            required = true,
            paramLabel = "HOST:PORT",
            description = "where the other replicas find its log")
    private String log = "";

    @Option(names = "--address", required = true, paramLabel = "URL", description = "where everybody finds its doors")
    private String address = "";

    @Mixin
    private final CellToAsk cellToAsk = new CellToAsk();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellAddCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        AddMemberRequest request = AddMemberRequest.newBuilder()
                .setName(name)
                .setLog(log)
                .setAddress(address)
                .build();
        HttpCell cell = cellToAsk.open(terminal);
        MemberList members = MemberChange.untilLed(terminal, () -> cell.addMember(request));
        output.print(terminal, members, () -> print(members));
        return ExitCode.DONE.number();
    }

    private void print(MemberList members) {
        MemberTable.print(members, terminal);
    }
}
