package dev.cella.cli.access;

import com.google.protobuf.util.Timestamps;
import dev.cella.cli.cell.CellOption;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.OutputOption;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.proto.CreateTokenRequest;
import dev.cella.client.proto.TokenCreated;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cella token create}: the only moment at which a secret is shown. */
@Command(
        name = "create",
        header = "Makes a token and prints its secret, this once.",
        description = {
            "",
            "Scopes: read (sees everything), submit (changes jobs of its pools), schedule:NAME (is that scheduler),",
            "machine:NAME (is the agent of that machine), operate (everything). A NAME may end in *.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  cella token create alice --scope submit --pool research --expires 30d",
            "  cella token create batch --scope schedule:batch > batch.token",
            "  cella token create rack1 --scope 'machine:rack1-*'"
        })
public final class TokenCreateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "NAME", description = "the name of its owner in the audit")
    private String name = "";

    @Option(names = "--scope", paramLabel = "SCOPE", required = true, description = "a permission; may be given again")
    private List<String> scopes = List.of();

    @Option(
            names = "--pool",
            paramLabel = "POOL",
            description = "a pool that it may submit to, with all below it; may be given again (default: all pools)")
    private List<String> pools = List.of();

    @Option(names = "--expires", paramLabel = "DURATION", description = "how long it is valid (default: until revoked)")
    private @Nullable Duration expires;

    @Mixin
    private final CellOption cellOption = new CellOption();

    @Mixin
    private final OutputOption output = new OutputOption();

    public TokenCreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        // The name is known, and the secret would be lost.
        output.refuseNames();
        CreateTokenRequest.Builder request = CreateTokenRequest.newBuilder()
                .setName(name)
                .addAllScopes(scopes)
                .addAllPools(pools);
        if (expires != null) {
            request.setExpiresAt(Timestamps.fromMillis(
                    terminal.environment().clock().instant().plus(expires).toEpochMilli()));
        }
        TokenCreated created = cellOption.open(terminal).createToken(request.build());
        output.print(terminal, created, () -> {
            terminal.print(created.getSecret());
            terminal.say("this is the only time that the secret is shown; CELLA_TOKEN or --token @FILE takes it");
        });
        return ExitCode.DONE.number();
    }
}
