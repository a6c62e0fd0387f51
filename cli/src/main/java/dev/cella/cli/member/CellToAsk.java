package dev.cella.cli.member;

import dev.cella.cli.cell.AccessOption;
import dev.cella.cli.cell.CellAddress;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.http.HttpCell;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The address of the cell, for a command whose {@code --address} is that of a replica. */
final class CellToAsk {
    @Option(
            names = "--cell",
            paramLabel = "URL",
            description = "the cell to ask; of several servers all, by commas (default: CELLA_ADDRESS, else your newest"
                    + " cella dev, else http://127.0.0.1:7070)")
    private @Nullable String cell;

    @Mixin
    private final AccessOption access = new AccessOption();

    HttpCell open(Terminal terminal) {
        return new HttpCell(
                access.with(CellAddress.choose(Optional.ofNullable(cell), "--cell", terminal.environment()), terminal));
    }
}
