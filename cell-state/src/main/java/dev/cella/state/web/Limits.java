package dev.cella.state.web;

import java.time.Duration;

/** What a client can take of this server before it is refused. */
final class Limits {
    /**
     * A body that is larger than the contract allows is still read up to here, for only then every client gets to read why
     * it was refused; one that is larger than this is cut off.
     */
    static final int BODY_BYTES_READ_MAX = 8 << 20;

    static final int CONNECTIONS_MAX = 1_024;
    static final int STREAMS_PER_CONNECTION_MAX = 256;
    static final int HEADER_BYTES_MAX = 16 << 10;
    static final int REQUEST_LINE_BYTES_MAX = 8 << 10;

    /** The longest wait that a request may ask for, and something around it. */
    static final Duration REQUEST_MAX = Duration.ofSeconds(75);

    private Limits() {}
}
