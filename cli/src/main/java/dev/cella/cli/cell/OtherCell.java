package dev.cella.cli.cell;

import java.util.Optional;

/**
 * One more cell of a part that works for several, as it was given.
 *
 * @param address its servers
 * @param token its token, or {@code @FILE}. A secret is valid in the cell that made it, and no other cell may learn it, so
 *     that of {@code --address} is never used here
 * @param ca the certificate of its authority; that of {@code --address} if there is neither this nor {@code tls}
 * @param tls the directory with the certificates for it
 */
public record OtherCell(String address, Optional<String> token, Optional<String> ca, Optional<String> tls) {
    /** The directory to take certificates from, for a part that has the given one for {@code --address}. */
    Optional<String> tlsOr(Optional<String> ofAddress) {
        return tls.isPresent() || ca.isPresent() ? tls : ofAddress;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return address;
    }
}
