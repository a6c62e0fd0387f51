package dev.cella.client.http;

import java.net.URI;

/** Nothing that speaks like a cell answers at an address. */
public final class CellUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final URI address;

    CellUnreachable(URI address, String why, Throwable cause) {
        super("no cell answers at " + address + ": " + why, cause);
        this.address = address;
    }

    public URI address() {
        return address;
    }
}
