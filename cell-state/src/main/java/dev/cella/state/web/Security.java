package dev.cella.state.web;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import dev.cella.client.access.Tls;
import dev.cella.client.live.ClientTls;
import dev.cella.client.live.SilentServers;
import java.util.Optional;

/**
 * The access control of a server.
 *
 * @param closed whether every call needs a token
 * @param tls the server's certificates; empty for plain HTTP
 */
public record Security(boolean closed, Optional<Tls> tls) {
    /** Everybody who reaches the server may give orders. */
    public static final Security OPEN = new Security(false, Optional.empty());

    /** With tokens and without TLS: on loopback, to keep out other users of the machine. */
    public static final Security TOKENS = new Security(true, Optional.empty());

    /**
     * A client for calls from this server to others: it trusts the cell's authority and shows the server's certificate.
     */
    ClientFactoryBuilder clients() {
        ClientFactoryBuilder clients = ClientFactory.builder();
        SilentServers.leave(clients);
        tls.ifPresent(own -> ClientTls.set(clients, own));
        return clients;
    }

    /** A client for the log servers of agents. */
    ClientFactoryBuilder clientsOfAgents() {
        ClientFactoryBuilder clients = ClientFactory.builder();
        SilentServers.leave(clients);
        tls.ifPresent(own -> ClientTls.setForAgents(clients, own));
        return clients;
    }

    public static Security ofTls(Tls tls) {
        return new Security(true, Optional.of(tls));
    }
}
