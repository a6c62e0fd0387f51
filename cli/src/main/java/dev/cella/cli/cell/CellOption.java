package dev.cella.cli.cell;

import dev.cella.cli.terminal.Terminal;
import dev.cella.client.CellAddresses;
import dev.cella.client.http.HttpCell;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag of every command that asks a cell. */
public final class CellOption {
    @Option(
            names = "--address",
            paramLabel = "URL",
            description = "the cell to ask; of several servers all, by commas (default: CELLA_ADDRESS, else your newest"
                    + " cella dev, else http://127.0.0.1:7070)")
    private @Nullable String address;

    public CellAddresses addresses(Terminal terminal) {
        return addresses(terminal, "--address");
    }

    /** For a command that has a file too, and says where its address was said. */
    public CellAddresses addresses(Terminal terminal, String said) {
        return CellAddress.choose(Optional.ofNullable(address), said, terminal.environment());
    }

    public HttpCell open(Terminal terminal) {
        return new HttpCell(addresses(terminal));
    }
}
