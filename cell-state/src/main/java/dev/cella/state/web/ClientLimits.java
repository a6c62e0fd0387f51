package dev.cella.state.web;

import java.time.Duration;

/** The limits of what one client can use of this server. */
final class ClientLimits {
    /**
     * A body larger than the contract allows is still read up to this size, because only then every client gets to read the
     * refusal. A larger body is cut off.
     */
    static final int BODY_BYTES_READ_MAX = 8 << 20;

    static final int CONNECTIONS_MAX = 16_384;

    /** A connection without a whole request head after this time is closed. */
    static final Duration REQUEST_HEAD_MAX = Duration.ofSeconds(10);

    /** A connection without a request under way is closed after this time. */
    static final Duration IDLE_MAX = Duration.ofMinutes(1);

    static final int STREAMS_PER_CONNECTION_MAX = 256;
    static final int HEADER_BYTES_MAX = 16 << 10;
    static final int REQUEST_LINE_BYTES_MAX = 8 << 10;

    /** The longest wait that a request may ask for, with some margin. */
    static final Duration REQUEST_MAX = Duration.ofSeconds(75);

    /** Per principal, over time and at once. */
    static final int REQUESTS_PER_SECOND = 2_000;

    static final int REQUESTS_AT_ONCE = 4_000;

    private ClientLimits() {}
}
