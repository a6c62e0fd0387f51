package dev.cella.cli.cell;

import dev.cella.cli.terminal.Terminal;
import dev.cella.client.CellAddresses;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsRole;
import dev.cella.client.http.HttpCell;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of every command that asks a cell: its address, the token, and the trusted authority. */
public final class CellOption {
    @Option(
            names = "--address",
            paramLabel = "URL",
            description = "the cell to ask; of several servers all, by commas (default: CELLA_ADDRESS, else your newest"
                    + " cella dev, else http://127.0.0.1:7070)")
    private @Nullable String address;

    @Mixin
    private final AccessOption access = new AccessOption();

    public CellAddresses addresses(Terminal terminal) {
        return addresses(terminal, "--address");
    }

    /** For a command that also has a file, and names the place where its address was given. */
    public CellAddresses addresses(Terminal terminal, String said) {
        CellAddresses chosen = CellAddress.choose(Optional.ofNullable(address), said, terminal.environment());
        return access.with(chosen, terminal);
    }

    /** The same for a part of the cell, which shows the certificate of its role. */
    public CellAddresses addresses(Terminal terminal, String said, TlsRole role, Optional<String> tls) {
        return shown(addresses(terminal, said), terminal, role, tls);
    }

    /** The same for one more cell, with its own token. */
    public CellAddresses addressesOf(
            Terminal terminal, OtherCell other, String said, TlsRole role, Optional<String> tls) {
        CellAddresses chosen = CellAddress.choose(Optional.of(other.address()), said, terminal.environment());
        return shown(access.withOwn(chosen, other, terminal), terminal, role, other.tlsOr(tls));
    }

    private static CellAddresses shown(CellAddresses chosen, Terminal terminal, TlsRole role, Optional<String> tls) {
        return tls.map(folder ->
                        AccessOption.load(TlsFiles.of(terminal.environment().path(folder), role)))
                .map(own -> chosen.with(chosen.access().withTls(own)))
                .orElse(chosen);
    }

    public HttpCell open(Terminal terminal) {
        return new HttpCell(addresses(terminal));
    }
}
