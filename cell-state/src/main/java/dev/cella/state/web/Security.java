package dev.cella.state.web;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import dev.cella.client.access.Tls;
import dev.cella.client.live.ClientTls;
import java.util.Optional;

/**
 * How a server is closed.
 *
 * @param closed whether every call needs a token
 * @param tls the server's certificates; nothing where it speaks plain HTTP
 */
public record Security(boolean closed, Optional<Tls> tls) {
    /** Whoever reaches the server may give orders. */
    public static final Security OPEN = new Security(false, Optional.empty());

    /** With tokens, and without TLS: on loopback, where other users of the machine are kept out. */
    public static final Security TOKENS = new Security(true, Optional.empty());

    /** Of this server when it asks others: it trusts the cell's authority, and shows its own certificate. */
    ClientFactoryBuilder clients() {
        ClientFactoryBuilder clients = ClientFactory.builder();
        tls.ifPresent(own -> ClientTls.set(clients, own));
        return clients;
    }

    public static Security ofTls(Tls tls) {
        return new Security(true, Optional.of(tls));
    }
}
