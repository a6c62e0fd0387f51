package dev.cella.cli.cell;

import dev.cella.cli.terminal.Words;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Warns two weeks before a server's certificate expires, and from then on. */
public final class CertificateNote {
    private static final Duration AHEAD = Duration.ofDays(14);
    private static final String RENEW = "; renew it with cella tls init DIR";

    private CertificateNote() {}

    public static Optional<String> of(Instant end, Instant now) {
        Duration left = Duration.between(now, end);
        if (left.compareTo(AHEAD) > 0) {
            return Optional.empty();
        }
        return Optional.of(
                left.isNegative()
                        ? "note:  the server's certificate expired at " + end + ", and nobody can connect" + RENEW
                        : "note:  the server's certificate expires in " + Words.plural(left.toDays(), "day") + RENEW);
    }
}
