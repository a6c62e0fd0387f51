package dev.cella.state.ratis;

import java.net.InetSocketAddress;

/** The address of a member's log, {@code host:port}. */
record PeerAddress(String host, int port) {
    static PeerAddress of(String text) {
        int colon = text.lastIndexOf(':');
        return new PeerAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    /** Asks for the host's address. */
    InetSocketAddress resolved() {
        return new InetSocketAddress(host, port);
    }
}
