package dev.cella.state.web;

import com.linecorp.armeria.server.ServerBuilder;
import dev.cella.client.access.Tls;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import java.net.InetSocketAddress;

/**
 * Opens a port over TLS, or over plain HTTP if the server has no certificates.
 *
 * <p>A client need not show a certificate, because browsers and people's commands have none. A certificate that is shown must
 * be signed by the cell's authority; otherwise the handshake fails.
 */
final class ServerTls {
    private ServerTls() {}

    static ServerBuilder listen(ServerBuilder builder, InetSocketAddress address, Security security) {
        if (security.tls().isEmpty()) {
            return builder.http(address);
        }
        Tls tls = security.tls().get();
        return builder.https(address)
                .tls(new KeyManagerFactoryWrapper(tls.keyManager()))
                .tlsCustomizer(
                        context -> context.clientAuth(ClientAuth.OPTIONAL).trustManager(tls.trustManager()));
    }

    static String scheme(Security security) {
        return security.tls().isPresent() ? "https://" : "http://";
    }
}
