package dev.cella.cli.cell;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.Environment;
import dev.cella.client.CellAddresses;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the address of a command's cell: {@code --address}, otherwise {@code CELLA_ADDRESS}, otherwise the newest {@code cella
 * dev} of this user, otherwise the default address of {@code cella dev}.
 */
public final class CellAddress {
    public static final URI DEFAULT = URI.create("http://127.0.0.1:7070");

    private static final int PORT_MAX = 65_535;

    private CellAddress() {}

    public static CellAddresses choose(Optional<String> flag, String said, Environment environment) {
        if (flag.isPresent()) {
            return parseAll(flag.get(), said);
        }
        Optional<String> variable = environment.variable("CELLA_ADDRESS");
        if (variable.isPresent()) {
            return parseAll(variable.get(), "CELLA_ADDRESS");
        }
        return new RunningDevs(environment)
                .newest()
                .map(RunningDev::addresses)
                .orElseGet(() -> CellAddresses.of(DEFAULT));
    }

    /** The token of the user's own cella dev at that address: nobody else can read the file. */
    static Optional<String> tokenOfDev(CellAddresses chosen, Environment environment) {
        return new RunningDevs(environment)
                .at(chosen.first())
                .map(dev -> dev.data().resolve("token"))
                .filter(Files::isReadable)
                .flatMap(CellAddress::firstLine);
    }

    private static Optional<String> firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst();
        } catch (IOException goneMeanwhile) {
            return Optional.empty();
        }
    }

    /** Parses the addresses of a cell's servers, separated by commas. */
    private static CellAddresses parseAll(String typed, String source) {
        return new CellAddresses(Arrays.stream(typed.split(",", -1))
                .map(one -> parse(one.strip(), source))
                .toList());
    }

    /** Parses {@code http://host:port}, and {@code host:port} as people type it. */
    static URI parse(String typed, String source) {
        if (typed.contains("@")) {
            throw CommandFailure.usage(
                    source + " has a user's name or a password, and a cell takes neither",
                    "--token @FILE says who asks");
        }
        String address = typed.contains("://") ? typed : "http://" + typed;
        try {
            URI uri = new URI(address.endsWith("/") ? address.substring(0, address.length() - 1) : address);
            if (isComplete(uri)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Said below, in the words of the command.
        }
        throw CommandFailure.usage(
                source + " is '" + typed + "', which is no address of a cell", "write it as http://127.0.0.1:7070");
    }

    private static boolean isComplete(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        return (scheme.equals("http") || scheme.equals("https"))
                && uri.getHost() != null
                && uri.getPort() <= PORT_MAX
                && uri.getPath().isEmpty();
    }
}
