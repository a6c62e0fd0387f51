package dev.cella.client.live;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.BindableService;
import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** The services of a test behind a real port. */
final class FakeServer implements AutoCloseable {
    private final Server server;

    FakeServer(BindableService service) {
        this.server = Server.builder()
                .http(0)
                .requestTimeoutMillis(0)
                .service(GrpcService.builder().addService(service).build())
                .build();
        server.start().join();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.activeLocalPort());
    }

    /** Begins to stop; its port is not used again, so nobody needs to wait until it has. */
    @Override
    public void close() {
        CompletableFuture<Void> unused = server.stop();
    }
}
