package dev.cella.state.web;

import java.time.Duration;

/** What a client can take of this server before it is refused. */
final class ClientLimits {
    /**
     * A body that is larger than the contract allows is still read up to here, for only then every client gets to read why
     * it was refused; one that is larger than this is cut off.
     */
    static final int BODY_BYTES_READ_MAX = 8 << 20;

    static final int CONNECTIONS_MAX = 16_384;

    /** A connection on which no whole request head has come for so long is closed. */
    static final Duration REQUEST_HEAD_MAX = Duration.ofSeconds(10);

    /** A connection without a request under way is closed after this. */
    static final Duration IDLE_MAX = Duration.ofMinutes(1);

    static final int STREAMS_PER_CONNECTION_MAX = 256;
    static final int HEADER_BYTES_MAX = 16 << 10;
    static final int REQUEST_LINE_BYTES_MAX = 8 << 10;

    /** The longest wait that a request may ask for, and something around it. */
    static final Duration REQUEST_MAX = Duration.ofSeconds(75);

    /** Of one principal, over time and at once. */
    static final int REQUESTS_PER_SECOND = 2_000;

    static final int REQUESTS_AT_ONCE = 4_000;

    private ClientLimits() {}
}
