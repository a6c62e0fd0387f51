package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cella.cli.terminal.ExitCode;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.access.CertificateAuthority;
import dev.cella.client.access.Pem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsInitTest {
    @TempDir
    private Path folder;

    private TypedCommand typed;

    @BeforeEach
    void type() {
        typed = new TypedCommand(folder);
    }

    private int run(String... arguments) {
        return new CellaCommand(typed.terminal()).run(arguments);
    }

    private X509Certificate server() {
        return Pem.readCertificates(folder.resolve("tls/server.pem")).get(0);
    }

    private List<String> names() throws Exception {
        return server().getSubjectAlternativeNames().stream()
                .map(name -> String.valueOf(name.get(1)))
                .toList();
    }

    @Test
    void init_saysToProgramsWhatItMade() throws Exception {
        assertThat(run("tls", "init", "tls", "-o", "json")).isZero();
        JsonNode made = new ObjectMapper().readTree(typed.out());
        assertThat(made.get("renewed").asBoolean()).isFalse();
        assertThat(Path.of(made.get("ca").asText())).exists();
        assertThat(Instant.parse(made.get("validUntil").asText())).isAfter(Instant.now());
    }

    @Test
    void again_keepsTheNames_andAddsThoseThatAreGiven() throws Exception {
        assertThat(run("tls", "init", "tls", "--host", "10.0.0.1", "--host", "r1.example"))
                .isZero();
        X509Certificate before = server();
        assertThat(run("tls", "init", "tls")).isZero();
        assertThat(names())
                .containsExactlyInAnyOrder("10.0.0.1", "r1.example", "localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(server()).isNotEqualTo(before);
        server().verify(Pem.readCertificates(folder.resolve("tls/ca.pem"))
                .get(0)
                .getPublicKey());

        assertThat(run("tls", "init", "tls", "--host", "r2.example")).isZero();
        assertThat(names()).contains("10.0.0.1", "r1.example", "r2.example").doesNotHaveDuplicates();
    }

    /** All machines share one certificate: with a name of a server, any of them could answer in its place. */
    @Test
    void agentsAndSchedulers_haveNoNames() throws Exception {
        assertThat(run("tls", "init", "tls", "--host", "10.0.0.1")).isZero();
        assertThat(run("tls", "init", "tls")).isZero();
        for (String role : List.of("agent", "scheduler")) {
            X509Certificate certificate =
                    Pem.readCertificates(folder.resolve("tls/" + role + ".pem")).get(0);
            assertThat(certificate.getSubjectAlternativeNames()).as(role).isNull();
        }
    }

    @Test
    void certificates_endWithTheirAuthority_andNoneIsMadeAfterIt() throws Exception {
        Instant ends = authorityUntil(Instant.now().plus(Duration.ofDays(5)));
        assertThat(run("tls", "init", "tls")).isZero();
        assertThat(server().getNotAfter().toInstant()).isEqualTo(ends);

        authorityUntil(Instant.now().minus(Duration.ofMinutes(5)));
        assertThat(run("tls", "init", "tls")).isEqualTo(ExitCode.FAILED.number());
        assertThat(typed.err()).contains("the authority's own certificate has expired");
    }

    private Instant authorityUntil(Instant end) throws Exception {
        Instant ends = end.truncatedTo(ChronoUnit.SECONDS);
        Instant made = ends.minus(Duration.ofDays(100));
        CertificateAuthority authority = CertificateAuthority.make("cell", made, Duration.between(made, ends));
        Files.createDirectories(folder.resolve("tls"));
        Files.writeString(folder.resolve("tls/ca.pem"), Pem.write(authority.certificate()));
        Files.writeString(folder.resolve("tls/ca.key"), Pem.write(authority.key()));
        return ends;
    }

    @Test
    void validForNoTime_isRefused_beforeAnythingIsWritten() {
        assertThat(run("tls", "init", "tls", "--valid", "0s")).isEqualTo(ExitCode.USAGE.number());
        assertThat(typed.err()).startsWith("error: --valid is above 0s\n");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"my cell, test", "a=b", "a\"b", "a\\b", "a;b", "a+b", "a<b>", "a#b"})
    void nameThatACertificateCannotHave_isRefused_beforeAnythingIsWritten(String name) {
        assertThat(run("tls", "init", "tls", "--cell", name)).isEqualTo(ExitCode.USAGE.number());
        assertThat(typed.err())
                .startsWith("error: --cell is a name without any of ")
                .contains("not " + name + "\n");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nameOfSeveralWords_isTaken() {
        assertThat(run("tls", "init", "tls", "--cell", "My cell (old)"))
                .as(typed.err())
                .isZero();
        assertThat(server().getSubjectX500Principal().getName()).contains("O=Cella cell My cell (old)");
    }
}
