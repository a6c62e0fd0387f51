package dev.cella.client.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of a renewal come one after the other. */
class TlsReloadTest {
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir
    Path folder;

    private CertificateAuthority authority;
    private TlsFiles files;
    private Path certificate;
    private Path key;
    private long writes;

    @BeforeEach
    void write() throws Exception {
        authority = CertificateAuthority.make("cell", Instant.now(), YEAR);
        files = TlsFiles.of(folder, TlsRole.SERVER);
        certificate = files.own().orElseThrow().certificate();
        key = files.own().orElseThrow().key();
        write(files.ca(), Pem.write(authority.certificate()));
        CertificateAuthority.Signed first = sign();
        write(certificate, Pem.write(first.certificate()));
        write(key, Pem.write(first.key()));
    }

    private CertificateAuthority.Signed sign() throws GeneralSecurityException {
        return authority.sign(TlsRole.SERVER, List.of("localhost"), Instant.now(), YEAR);
    }

    /** Each write has a later time than those before it. */
    private void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        writes++;
        Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH.plusSeconds(writes)));
    }

    @Test
    void keyWithoutItsCertificate_isNotUsed_untilTheCertificateIsThere() throws Exception {
        Tls tls = Tls.load(files, 0);
        CertificateAuthority.Signed renewed = sign();
        write(key, Pem.write(renewed.key()));
        assertShows(tls, false, renewed);
        assertThat(tls.hasOwn()).isTrue();

        write(certificate, Pem.write(renewed.certificate()));

        assertShows(tls, true, renewed);
    }

    @Test
    void certificateWithoutItsKey_isNotUsed_untilTheKeyIsThere() throws Exception {
        Tls tls = Tls.load(files, 0);
        CertificateAuthority.Signed renewed = sign();
        write(certificate, Pem.write(renewed.certificate()));
        assertShows(tls, false, renewed);

        write(key, Pem.write(renewed.key()));

        assertShows(tls, true, renewed);
    }

    private static void assertShows(Tls tls, boolean shows, CertificateAuthority.Signed renewed) {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) tls.keyManager();
        assertThat(renewed.key().equals(keys.getPrivateKey("any"))).isEqualTo(shows);
        assertThat(renewed.certificate().equals(keys.getCertificateChain("any")[0]))
                .isEqualTo(shows);
    }

    @Test
    void start_withAKeyOfAnotherCertificate_isRefused() throws Exception {
        write(key, Pem.write(sign().key()));
        assertThatThrownBy(() -> Tls.load(files)).isInstanceOfSatisfying(TlsFilesException.class, refused -> {
            assertThat(refused).hasMessage(key + " is not the key of " + certificate);
            assertThat(refused.hint()).contains("both files");
        });
    }

    @Test
    void clientWithoutACertificate_isLoaded() {
        assertThat(Tls.load(new TlsFiles(files.ca(), Optional.empty())).hasOwn())
                .isFalse();
    }
}
