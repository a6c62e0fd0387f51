package dev.cella.state;

import dev.cella.state.web.Security;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The access rules of a server.
 *
 * @param security whether it asks for tokens, and its certificates
 * @param firstToken the file with the first token of a closed cell, which only its owner can read
 * @param keepsFirstToken whether the token in that file is made valid at each start, as {@code cella dev} does for its user;
 *     otherwise only a cell without any token gets one
 */
public record Access(Security security, Optional<Path> firstToken, boolean keepsFirstToken) {
    /** Everybody who reaches the server may give orders. */
    public static final Access OPEN = new Access(Security.OPEN, Optional.empty(), false);

    /** Closed; the first token is in {@code token} of the data directory. */
    public static Access closed(Security security) {
        return new Access(security, Optional.empty(), false);
    }

    /** Closed to everybody but the owner of that file. The file is made if it does not exist. */
    public static Access ofOwner(Security security, Path token) {
        return new Access(security, Optional.of(token), true);
    }
}
