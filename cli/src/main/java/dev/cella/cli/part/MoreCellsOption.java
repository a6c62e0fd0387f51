package dev.cella.cli.part;

import dev.cella.cli.cell.OtherCell;
import dev.cella.cli.terminal.CommandFailure;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;

/** Further cells of a scheduler, each with its own token: the secret of one cell is not valid in another. */
final class MoreCellsOption {
    @Option(
            names = "--cell",
            paramLabel = "URL",
            description =
                    "one more cell to work on, at its servers' addresses; may be given again. Plans see the cell of"
                            + " --address first")
    private List<String> cells = List.of();

    @Option(
            names = "--cell-token",
            paramLabel = "URL=TOKEN",
            description = "the token for a cell of --cell, or URL=@FILE (default: none; that of --address is not sent"
                    + " there)")
    private Map<String, String> tokens = Map.of();

    @Option(
            names = "--cell-ca",
            paramLabel = "URL=FILE",
            description = "the certificate of the authority of a cell of --cell (default: as for --address)")
    private Map<String, String> authorities = Map.of();

    @Option(
            names = "--cell-tls",
            paramLabel = "URL=DIR",
            description = "the certificates for a cell of --cell (default: as for --address)")
    private Map<String, String> certificates = Map.of();

    /** The cells in their order. */
    List<OtherCell> get(ConfigurationOption<?> configuration) {
        Set<String> listed = new HashSet<>();
        for (String cell : cells) {
            if (!listed.add(cell)) {
                throw CommandFailure.usage(
                        configuration.said("--cell") + " lists " + cell + " twice", "list each cell once");
            }
        }
        refuseOthers(configuration.said("--cell-token"), tokens, listed);
        refuseOthers(configuration.said("--cell-ca"), authorities, listed);
        refuseOthers(configuration.said("--cell-tls"), certificates, listed);
        return cells.stream()
                .map(cell -> new OtherCell(cell, of(cell, tokens), of(cell, authorities), of(cell, certificates)))
                .toList();
    }

    private static void refuseOthers(String said, Map<String, String> given, Set<String> listed) {
        given.keySet().stream()
                .filter(cell -> !listed.contains(cell))
                .findFirst()
                .ifPresent(other -> {
                    throw CommandFailure.usage(
                            said + " is for " + other + ", which --cell does not list",
                            "write the address as in --cell");
                });
    }

    private static Optional<String> of(String cell, Map<String, String> given) {
        return Optional.ofNullable(given.get(cell));
    }
}
