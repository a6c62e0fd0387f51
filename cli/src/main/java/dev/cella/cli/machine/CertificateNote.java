package dev.cella.cli.machine;

import dev.cella.cli.terminal.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Warns two weeks before a server's certificate expires. */
final class CertificateNote {
    private static final Duration AHEAD = Duration.ofDays(14);

    private CertificateNote() {}

    static Optional<String> of(Instant end, Instant now) {
        Duration left = Duration.between(now, end);
        return left.compareTo(AHEAD) > 0
                ? Optional.empty()
                : Optional.of("note:  the server's certificate expires in " + Words.plural(left.toDays(), "day")
                        + "; renew it with cella tls init DIR");
    }
}
