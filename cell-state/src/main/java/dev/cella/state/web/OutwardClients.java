package dev.cella.state.web;

import com.linecorp.armeria.client.ClientFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * By what this server asks others: the leader, or the agents whose tasks' output is read.
 *
 * <p>The first factory of clients in a process makes contexts for TLS too, which takes the better part of a second, compilers and
 * all. Whoever waits for a server to come back must not wait for that: a factory is made once the doors are open, or for the first
 * who needs it. Guarded by its own monitor.
 */
final class OutwardClients implements AutoCloseable {
    private final Supplier<ClientFactory> maker;
    private @Nullable ClientFactory factory;
    private boolean closed;

    OutwardClients(Supplier<ClientFactory> maker) {
        this.maker = maker;
    }

    /** A closed one for who comes after the end. */
    synchronized ClientFactory factory() {
        if (factory == null) {
            factory = maker.get();
            if (closed) {
                factory.close();
            }
        }
        return factory;
    }

    /** So that nobody waits for it later. */
    synchronized void makeReady() {
        if (!closed) {
            var unused = factory();
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
