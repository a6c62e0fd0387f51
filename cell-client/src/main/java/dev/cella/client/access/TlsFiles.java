package dev.cella.client.access;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the certificates of one side are.
 *
 * @param ca the certificates that the other side's is checked against
 * @param own the certificate and key that this side shows; a client that shows none is known by its token alone
 */
public record TlsFiles(Path ca, Optional<Own> own) {
    /** What {@code cella tls init} calls the file of the certificate authority. */
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
