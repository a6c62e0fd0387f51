package dev.cella.client.live;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.BindableService;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The services of a test behind a real port. */
final class FakeServer implements AutoCloseable {
    /** What callers have shown to be let in; empty text where one showed nothing. */
    final Set<String> authorizations = ConcurrentHashMap.newKeySet();

    private final Server server;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    FakeServer(BindableService... services) {
        this.server = Server.builder()
                .http(0)
                .workerGroup(1)
                .requestTimeoutMillis(0)
                .service(GrpcService.builder().addServices(services).build())
                .decorator((delegate, context, request) -> {
                    authorizations.add(request.headers().get(HttpHeaderNames.AUTHORIZATION, ""));
                    return delegate.serve(context, request);
                })
                .build();
        server.start().join();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.activeLocalPort());
    }

    /** Blocks its only thread until the end of the test, so it sends nothing any more, also no answers to pings. */
    void hang() {
        server.config().workerGroup().execute(end::join);
    }

    /** Begins to stop; its port is not used again, so nobody needs to wait until it has. */
    @Override
    public void close() {
        end.complete(null);
        CompletableFuture<Void> unused = server.stop();
    }
}
