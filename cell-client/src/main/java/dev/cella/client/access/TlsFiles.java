package dev.cella.client.access;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The paths of one side's certificates.
 *
 * @param ca the certificates for checking the other side
 * @param own the certificate and key that this side shows; a client without one is identified by its token only
 */
public record TlsFiles(Path ca, Optional<Own> own) {
    /** The name that {@code cella tls init} gives to the file of the certificate authority. */
    public static final String CA = "ca.pem";

    /** A certificate and its key. */
    public record Own(Path certificate, Path key) {}

    /** The files in a directory that {@code cella tls init} made. */
    public static TlsFiles of(Path directory, TlsRole role) {
        return new TlsFiles(
                directory.resolve(CA),
                Optional.of(new Own(directory.resolve(role.word() + ".pem"), directory.resolve(role.word() + ".key"))));
    }

    /** The files of a client that only checks the server. */
    public static TlsFiles ofClient(Path ca) {
        return new TlsFiles(ca, Optional.empty());
    }
}
