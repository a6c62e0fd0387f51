package dev.cella.state.web;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients with which this server calls others: the leader, and agents whose tasks' output is read.
 *
 * <p>The first factory of clients in a process also makes TLS contexts, which takes almost a second with class loading and
 * compilation. Callers that wait for a server to come back must not wait for that. So a factory is made once the doors are
 * open, or on first use. Guarded by its own monitor.
 */
final class OutwardClients implements AutoCloseable {
    private final Supplier<ClientFactory> maker;
    private @Nullable ClientFactory factory;
    private boolean closed;

    OutwardClients(Supplier<ClientFactory> maker) {
        this.maker = maker;
    }

    /** Returns a closed factory after the end. */
    synchronized ClientFactory factory() {
        if (factory == null) {
            factory = maker.get();
            if (closed) {
                factory.close();
            }
        }
        return factory;
    }

    /**
     * Makes the factory and a client, so that no later caller waits for them. The first client of a process needs Armeria's
     * default factory, which Armeria closes as soon as the process is asked to stop. A leader that hands over then could not
     * forward its first request.
     */
    synchronized void makeReady() {
        if (!closed) {
            var unused =
                    WebClient.builder("http://127.0.0.1").factory(factory()).build();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (factory != null) {
            factory.close();
        }
    }
}
