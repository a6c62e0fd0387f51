package dev.cella.client.http;

import dev.cella.client.access.TlsFailure;
import java.net.URI;

/** No cell answers at an address. */
public final class CellUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String TRY_AGAIN =
            "it may be stopped, or have too much to do: try again, or name another of its servers with --address";

    private final URI address;
    private final boolean nothingWasAsked;
    private final String hint;

    CellUnreachable(URI address, String why, Throwable cause) {
        this(address, why, cause, false, startOne(address));
    }

    private CellUnreachable(URI address, String why, Throwable cause, boolean nothingWasAsked, String hint) {
        super("no cell answers at " + address + ": " + why, cause);
        this.address = address;
        this.nothingWasAsked = nothingWasAsked;
        this.hint = hint;
    }

    /** {@code cella dev} serves plain HTTP, so it is no help to somebody who asks over TLS. */
    private static String startOne(URI address) {
        return "https".equals(address.getScheme())
                ? "start its servers (cella server), or name another one of them with --address"
                : "start a cell with cella dev, or name one with --address";
    }

    /** The handshake failed. */
    static CellUnreachable withoutTls(URI address, Throwable cause) {
        TlsFailure failure = TlsFailure.of(cause);
        return new CellUnreachable(address, failure.why(), cause, true, failure.hint());
    }

    static CellUnreachable nothingListens(URI address, Throwable cause) {
        return new CellUnreachable(address, "nothing listens there", cause, true, startOne(address));
    }

    /**
     * The connection broke before the end of a long answer.
     *
     * @param what names the answer
     */
    public static CellUnreachable brokeOff(URI address, String what, Throwable cause) {
        return withoutAnswer(address, "the connection broke while it sent " + what, cause);
    }

    static CellUnreachable noSuchHost(URI address, Throwable cause) {
        return new CellUnreachable(address, "there is no host " + address.getHost(), cause, true, startOne(address));
    }

    /** The request was sent, and asked only. */
    static CellUnreachable withoutAnswer(URI address, String why, Throwable cause) {
        return new CellUnreachable(address, why, cause, false, TRY_AGAIN);
    }

    /** The request was sent, and was to change something. */
    static CellUnreachable mayBeDone(URI address, String why, Throwable cause) {
        return new CellUnreachable(
                address,
                why,
                cause,
                false,
                "the cell may have done it all the same: see what there is now before you repeat the command");
    }

    /** No request was sent, so another address may be tried. */
    boolean nothingWasAsked() {
        return nothingWasAsked;
    }

    /** What a person can do about it. */
    public String hint() {
        return hint;
    }

    public URI address() {
        return address;
    }
}
