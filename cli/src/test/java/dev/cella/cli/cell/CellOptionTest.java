package dev.cella.cli.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.CellAddresses;
import dev.cella.client.access.TlsRole;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** The credentials of a part for its own cell, and for others. */
final class CellOptionTest {
    private static final String OTHER = "http://127.0.0.1:9072";

    @TempDir
    private Path folder;

    @CommandLine.Command(name = "part")
    private static final class Part {
        @Mixin
        private final CellOption cellOption = new CellOption();
    }

    private static CellOption parse(String... arguments) {
        Part part = new Part();
        new CommandLine(part).parseArgs(arguments);
        return part.cellOption;
    }

    private TypedCommand typed(Map<String, String> variables) {
        return new TypedCommand(folder, folder, variables);
    }

    private static OtherCell other(Optional<String> token) {
        return new OtherCell(OTHER, token, Optional.empty(), Optional.empty());
    }

    private CellAddresses addressesOf(CellOption option, OtherCell other, Map<String, String> variables) {
        return option.addressesOf(typed(variables).terminal(), other, "--cell", TlsRole.AGENT, Optional.empty());
    }

    @Test
    void anotherCell_doesNotGetTheTokenOfTheFirst() {
        CellOption option = parse("--address", "http://127.0.0.1:9071", "--token", "of-home");
        Map<String, String> variables = Map.of("CELLA_TOKEN", "of-home-too");

        assertThat(option.addresses(typed(variables).terminal()).access().token())
                .contains("of-home");
        assertThat(addressesOf(option, other(Optional.empty()), variables)
                        .access()
                        .token())
                .isEmpty();
        assertThat(addressesOf(parse(), other(Optional.empty()), variables)
                        .access()
                        .token())
                .isEmpty();
    }

    @Test
    void anotherCell_getsItsOwnToken_alsoFromAFile() throws Exception {
        Files.writeString(folder.resolve("north.token"), "of-north\n");
        CellOption option = parse("--token", "of-home");

        assertThat(addressesOf(option, other(Optional.of("@north.token")), Map.of())
                        .access()
                        .token())
                .contains("of-north");
        assertThat(addressesOf(option, other(Optional.of("of-north")), Map.of())
                        .access()
                        .token())
                .contains("of-north");
    }

    /** Nobody else can read its file. */
    @Test
    void ownCellaDev_asAnotherCell_getsItsToken() throws Exception {
        Files.writeString(folder.resolve("token"), "of-dev\n");
        new RunningDevs(typed(Map.of()).terminal().environment())
                .announce(RunningDev.ofThisProcess(CellAddresses.of(URI.create(OTHER)), folder));

        assertThat(addressesOf(parse("--token", "of-home"), other(Optional.empty()), Map.of())
                        .access()
                        .token())
                .contains("of-dev");
    }

    @Test
    void certificatesOfAnotherCell_areItsOwn_elseThoseOfTheFirst() {
        Optional<String> first = Optional.of("first");
        Optional<String> none = Optional.empty();

        assertThat(new OtherCell(OTHER, none, none, none).tlsOr(first)).contains("first");
        assertThat(new OtherCell(OTHER, none, none, Optional.of("own")).tlsOr(first))
                .contains("own");
        assertThat(new OtherCell(OTHER, none, Optional.of("ca.pem"), none).tlsOr(first))
                .isEmpty();
    }
}
