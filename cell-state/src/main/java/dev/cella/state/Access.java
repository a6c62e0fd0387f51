package dev.cella.state;

import dev.cella.state.web.Security;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Who is let into a server.
 *
 * @param security whether it asks for tokens, and its certificates
 * @param firstToken where the first token of a closed cell is kept, which only the owner of the file can read
 * @param keepsFirstToken whether the token of that file is made valid at each start, as {@code cella dev} has it for its user;
 *     else only a cell without any token gets one
 */
public record Access(Security security, Optional<Path> firstToken, boolean keepsFirstToken) {
    /** Whoever reaches the server may give orders. */
    public static final Access OPEN = new Access(Security.OPEN, Optional.empty(), false);

    /** Closed; the first token is in {@code token} of the data directory. */
    public static Access closed(Security security) {
        return new Access(security, Optional.empty(), false);
    }

    /** Closed to everybody but the owner of that file, which is made where it does not exist. */
    public static Access ofOwner(Security security, Path token) {
        return new Access(security, Optional.of(token), true);
    }
}
