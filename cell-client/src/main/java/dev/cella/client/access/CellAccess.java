package dev.cella.client.access;

import java.util.Optional;

/**
 * The credentials for a cell.
 *
 * @param token the secret that identifies the caller; empty for an open server
 * @param tls how to check the server, and perhaps a certificate to show; empty for plain HTTP
 */
public record CellAccess(Optional<String> token, Optional<Tls> tls) {
    /** For an open server on loopback. */
    public static final CellAccess NONE = new CellAccess(Optional.empty(), Optional.empty());

    public static CellAccess ofToken(String token) {
        return new CellAccess(Optional.of(token), Optional.empty());
    }

    public CellAccess withTls(Tls with) {
        return new CellAccess(token, Optional.of(with));
    }

    /** The header of a request. */
    public Optional<String> authorization() {
        return token.map(secret -> "Bearer " + secret);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return (token.isPresent() ? "with a token" : "without a token") + (tls.isPresent() ? ", over TLS" : "");
    }
}
