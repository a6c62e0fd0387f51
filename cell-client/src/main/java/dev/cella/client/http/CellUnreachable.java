package dev.cella.client.http;

import java.net.URI;

/** No cell answers at an address. */
public final class CellUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final URI address;
    private final boolean nothingWasAsked;

    CellUnreachable(URI address, String why, Throwable cause) {
        this(address, why, cause, false);
    }

    private CellUnreachable(URI address, String why, Throwable cause, boolean nothingWasAsked) {
        super("no cell answers at " + address + ": " + why, cause);
        this.address = address;
        this.nothingWasAsked = nothingWasAsked;
    }

    static CellUnreachable nothingListens(URI address, Throwable cause) {
        return new CellUnreachable(address, "nothing listens there", cause, true);
    }

    static CellUnreachable noSuchHost(URI address, Throwable cause) {
        return new CellUnreachable(address, "there is no host " + address.getHost(), cause, true);
    }

    /** No request was sent, so another address may be tried. */
    boolean nothingWasAsked() {
        return nothingWasAsked;
    }

    public URI address() {
        return address;
    }
}
