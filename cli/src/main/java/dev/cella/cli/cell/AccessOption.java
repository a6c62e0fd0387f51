package dev.cella.cli.cell;

import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.FileWords;
import dev.cella.cli.terminal.Terminal;
import dev.cella.client.CellAddresses;
import dev.cella.client.access.CellAccess;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsFilesException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The credentials of a command, and the authority that it trusts. */
public final class AccessOption {
    private static final String WHOLE_SECRET = "give the secret alone, as cella token create printed it";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "the token that says who asks; @FILE reads it from a file, which other users of the machine do"
                            + " not see (default: CELLA_TOKEN, else that of your cella dev)")
    private @Nullable String token;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "the certificate of the cell's authority, for an address that begins with https"
                    + " (default: CELLA_CA, else those that Java trusts)")
    private @Nullable String ca;

    /** The addresses with these credentials. */
    public CellAddresses with(CellAddresses chosen, Terminal terminal) {
        return chosen.with(access(chosen, or(token, "CELLA_TOKEN", terminal), Optional.empty(), terminal));
    }

    /** The addresses of another cell, with its own credentials. */
    CellAddresses withOwn(CellAddresses chosen, OtherCell other, Terminal terminal) {
        return chosen.with(access(chosen, other.token(), other.ca(), terminal));
    }

    private CellAccess access(
            CellAddresses chosen, Optional<String> said, Optional<String> authority, Terminal terminal) {
        Optional<Tls> tls = authority
                .or(() -> or(ca, "CELLA_CA", terminal))
                .map(file -> load(TlsFiles.ofClient(terminal.environment().path(file))));
        return new CellAccess(secret(chosen, said, terminal), tls);
    }

    private static Optional<String> or(@Nullable String typed, String variable, Terminal terminal) {
        return Optional.ofNullable(typed).or(() -> terminal.environment().variable(variable));
    }

    private static Optional<String> secret(CellAddresses chosen, Optional<String> token, Terminal terminal) {
        return token.map(said ->
                        said.startsWith("@") ? read(terminal.environment().path(said.substring(1))) : said.strip())
                .map(AccessOption::checked)
                .or(() -> CellAddress.tokenOfDev(chosen, terminal.environment()));
    }

    private static String read(Path file) {
        String token;
        try {
            token = Files.readString(file).strip();
        } catch (CharacterCodingException notText) {
            throw CommandFailure.usage("cannot read the token in " + file + ": it is no text", WHOLE_SECRET);
        } catch (IOException unreadable) {
            throw CommandFailure.usage(
                    "cannot read the token in " + file + ": "
                            + (Files.isDirectory(file) ? "it is a directory" : FileWords.reason(unreadable)),
                    "name a file that this user may read");
        }
        if (token.isEmpty()) {
            throw CommandFailure.usage("no token is in " + file, "the file is empty: write the token's secret into it");
        }
        return token;
    }

    /** A secret has letters, digits and signs. The header of a request takes no line end, and the failure would print it all. */
    private static String checked(String token) {
        token.chars().filter(each -> each <= ' ' || each > '~').findFirst().ifPresent(strange -> {
            throw CommandFailure.usage(
                    "the token has a character that no token has: U+%04X".formatted(strange), WHOLE_SECRET);
        });
        return token;
    }

    static Tls load(TlsFiles files) {
        try {
            return Tls.load(files);
        } catch (TlsFilesException refused) {
            throw CommandFailure.failed(String.valueOf(refused.getMessage()), refused.hint());
        }
    }
}
