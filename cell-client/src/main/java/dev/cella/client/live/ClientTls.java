package dev.cella.client.live;

import com.linecorp.armeria.client.ClientFactoryBuilder;
import dev.cella.client.access.Tls;

/** Sets the certificates of a side in Armeria's clients. */
public final class ClientTls {
    private ClientTls() {}

    public static void set(ClientFactoryBuilder factory, Tls tls) {
        factory.tlsCustomizer(context -> {
            context.trustManager(tls.trustManager());
            if (tls.expiresAt().isPresent()) {
                context.keyManager(tls.keyManager());
            }
        });
    }
}
