package dev.cella.client;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of problems of a call. The name of each is its address under {@code /problems/}. */
public enum ProblemType {
    BAD_REQUEST(400, "The request is not understood"),
    UNAUTHORIZED(401, "the caller is not known"),
    FORBIDDEN(403, "This may not be asked"),
    NOT_FOUND(404, "There is no such thing"),
    METHOD_NOT_ALLOWED(405, "This cannot be done with it"),
    CONFLICT(409, "The state of the cell does not allow it"),
    GONE(410, "It is no longer there"),
    TOO_LARGE(413, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body is not JSON"),
    RATE_LIMITED(429, "Too many requests"),
    INTERNAL(500, "The server failed"),
    NO_LEADER(503, "The cell has no leader at the moment"),
    OVERLOADED(503, "The cell has too much to do at the moment"),
    UNAVAILABLE(503, "Another part of the cell does not answer"),
    VERSION_NOT_REACHED(503, "The cell has not reached this version in time");

    private static final String ADDRESS_PREFIX = "/problems/";

    private final int status;
    private final String title;

    ProblemType(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The status over HTTP. */
    public int status() {
        return status;
    }

    /** The title that all problems of this type share. */
    public String title() {
        return title;
    }

    /** {@code /problems/no-leader}. */
    public String address() {
        return ADDRESS_PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The type of that address; empty for one that only a newer cell knows. */
    public static Optional<ProblemType> find(String address) {
        return Arrays.stream(values())
                .filter(type -> type.address().equals(address))
                .findFirst();
    }

    /** The most likely type of an answer that has only a status. */
    public static ProblemType ofStatus(int status) {
        if (status > INTERNAL.status) {
            return UNAVAILABLE;
        }
        return Arrays.stream(values())
                .filter(type -> type.status == status)
                .findFirst()
                .orElse(BAD_REQUEST);
    }
}
