package dev.cella.client.access;

import java.util.Optional;

/**
 * What lets one into a cell.
 *
 * @param token the secret that says who asks; nothing at an open server
 * @param tls how the server is checked, and perhaps what certificate is shown to it; nothing where it speaks plain HTTP
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

    /** As a request carries it. */
    public Optional<String> authorization() {
        return token.map(secret -> "Bearer " + secret);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return (token.isPresent() ? "with a token" : "without a token") + (tls.isPresent() ? ", over TLS" : "");
    }
}
