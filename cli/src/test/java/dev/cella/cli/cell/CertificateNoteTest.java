package dev.cella.cli.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CertificateNoteTest {
    private static final Instant NOW = Instant.parse("2026-11-23T00:00:00Z");

    @Test
    void certificate_isAnnouncedTwoWeeksAhead() {
        assertThat(CertificateNote.of(NOW.plus(Duration.ofDays(15)), NOW)).isEmpty();
        assertThat(CertificateNote.of(NOW.plus(Duration.ofDays(14)), NOW))
                .contains("note:  the server's certificate expires in 14 days; renew it with cella tls init DIR");
        assertThat(CertificateNote.of(NOW.plus(Duration.ofDays(1)), NOW))
                .hasValueSatisfying(note -> assertThat(note).contains("in 1 day;"));
        assertThat(CertificateNote.of(NOW.minus(Duration.ofDays(1)), NOW))
                .contains("note:  the server's certificate expired at 2026-11-22T00:00:00Z, and nobody can connect;"
                        + " renew it with cella tls init DIR");
    }
}
