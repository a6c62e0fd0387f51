package dev.cella.cli.member;

import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.ReplaceMemberRequest;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella cell replace}. */
@Command(
        name = "replace",
        header = "Takes an empty directory in place of one that is lost.",
        description = {
            "",
            "The server is started first, on an empty directory; it waits until this command says that the cell takes"
                    + " it. What the",
            "lost directory knew is fetched from the others. The lost directory never counts again, even if it is"
                    + " found.",
            ""
        },
        footer = {"", "Example:", "  cella cell replace r3"})
public final class CellReplaceCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the replica")
    private String name = "";

    @Option(
            names = "--log",
            paramLabel = "HOST:PORT",
            description = "where its log is from now on (default: as before)")
    private @Nullable String log;

    @Option(
            names = "--address",
            paramLabel = "URL",
            description = "where its doors are from now on (default: as before)")
    private @Nullable String address;

    @Mixin
    private final CellToAsk cellToAsk = new CellToAsk();

    @Mixin
    private final OutputOption output = new OutputOption();

    public CellReplaceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        ReplaceMemberRequest.Builder request = ReplaceMemberRequest.newBuilder().setName(name);
        Optional.ofNullable(log).ifPresent(request::setLog);
        Optional.ofNullable(address).ifPresent(request::setAddress);
        HttpCell cell = cellToAsk.open(terminal);
        MemberList members = MemberChange.untilLed(terminal, () -> cell.replaceMember(request.build()));
        output.print(terminal, members, () -> print(members));
        return ExitCode.DONE.number();
    }

    private void print(MemberList members) {
        MemberTable.print(members, terminal);
    }
}
