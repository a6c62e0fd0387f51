package dev.cella.cli.access;

import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.RevokeTokenRequest;
import dev.cella.client.proto.TokenRevoked;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cella token revoke}: makes the token invalid. */
@Command(
        name = "revoke",
        header = "Revokes a token: every server refuses it from now on.",
        footer = {"", "Example:", "  cella token revoke alice"})
public final class TokenRevokeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the token")
    private String name = "";

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public TokenRevokeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        TokenRevoked revoked = cellOption
                .open(terminal)
                .revokeToken(RevokeTokenRequest.newBuilder().setName(name).build());
        output.print(terminal, revoked, () -> terminal.print("token " + name + " is revoked"));
        return ExitCode.DONE.number();
    }
}
