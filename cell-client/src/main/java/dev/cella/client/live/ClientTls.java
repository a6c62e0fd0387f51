package dev.cella.client.live;

import com.linecorp.armeria.client.ClientFactoryBuilder;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsRole;
import javax.net.ssl.TrustManager;

/** Sets the certificates of a side in Armeria's clients. */
public final class ClientTls {
    private ClientTls() {}

    public static void set(ClientFactoryBuilder factory, Tls tls) {
        set(factory, tls, tls.trustManager());
    }

    /** For a server's calls to agents: the other side must be an agent of the cell, at whatever address. */
    public static void setForAgents(ClientFactoryBuilder factory, Tls tls) {
        set(factory, tls, tls.trustManagerAnywhere(TlsRole.AGENT));
    }

    private static void set(ClientFactoryBuilder factory, Tls tls, TrustManager trust) {
        factory.tlsCustomizer(context -> {
            context.trustManager(trust);
            if (tls.hasOwn()) {
                context.keyManager(tls.keyManager());
            }
        });
    }
}
