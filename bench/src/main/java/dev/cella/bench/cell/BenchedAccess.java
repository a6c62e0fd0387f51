package dev.cella.bench.cell;

import dev.cella.client.access.CellAccess;
import dev.cella.client.access.CertificateAuthority;
import dev.cella.client.access.Pem;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsFiles;
import dev.cella.client.access.TlsRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The certificates of a measured cell, and its first token. */
final class BenchedAccess {
    private static final Duration VALID = Duration.ofDays(1);
    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost");

    private final Path folder;
    private final Path certificates;

    BenchedAccess(Path folder) throws IOException {
        this.folder = folder;
        this.certificates = Files.createDirectory(folder.resolve("tls"));
        try {
            write(CertificateAuthority.make("cell", Instant.now(), VALID));
        } catch (GeneralSecurityException defect) {
            throw new IOException("no certificate can be made here", defect);
        }
    }

    private void write(CertificateAuthority authority) throws IOException, GeneralSecurityException {
        Files.writeString(certificates.resolve(TlsFiles.CA), Pem.write(authority.certificate()));
        for (TlsRole role : TlsRole.values()) {
            CertificateAuthority.Signed signed = authority.sign(role, LOOPBACK, Instant.now(), VALID);
            Files.writeString(certificates.resolve(role.word() + ".pem"), Pem.write(signed.certificate()));
            Files.writeString(certificates.resolve(role.word() + ".key"), Pem.write(signed.key()));
        }
    }

    /** For {@code cella server --tls}. */
    Path certificates() {
        return certificates;
    }

    /** Waits until one of these replicas has made the first token. Returns the credentials of a scheduler of the cell. */
    CellAccess await(List<Path> data) throws IOException {
        try {
            Optional<String> token = firstToken(data);
            while (token.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(10);
                token = firstToken(data);
            }
            return CellAccess.ofToken(token.get()).withTls(Tls.load(TlsFiles.of(certificates, TlsRole.SCHEDULER)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the first token in " + folder, interrupted);
        }
    }

    private static Optional<String> firstToken(List<Path> data) throws IOException {
        for (Path replica : data) {
            Path token = replica.resolve("token");
            if (Files.exists(token) && !Files.readString(token).isBlank()) {
                return Optional.of(Files.readString(token).strip());
            }
        }
        return Optional.empty();
    }
}
