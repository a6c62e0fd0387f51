package dev.cella.agent.logs;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Serves the output of the agent's tasks on one port of one address.
 *
 * <p>Loopback does not protect against browsers: a request is refused if its {@code Host} is not this server's, or if a page
 * of another origin sent it.
 */
public final class LogServer implements AutoCloseable {
    private static final Duration CLOSE_PATIENCE = Duration.ofMillis(200);

    private final Server server;
    private final LogAddress address;

    private LogServer(Server server, LogAddress address) {
        this.server = server;
        this.address = address;
    }

    /** Serves at that address. Fails if the address is taken or not this machine's. */
    public static LogServer start(LogAddress address, OutputStore store) throws IOException {
        Server server = Server.builder()
                .http(address.socket())
                .service(LogService.PATH, new LogService(store))
                .decorator((service, context, request) -> refuseStrangers(address, service, context, request))
                .requestTimeout(Duration.ZERO)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .build();
        try {
            server.start().join();
        } catch (CompletionException failure) {
            throw new IOException(
                    "cannot serve logs at " + address.host() + ":" + address.port() + ": " + why(failure), failure);
        }
        return new LogServer(server, address);
    }

    private static String why(CompletionException failure) {
        Throwable cause = failure.getCause();
        return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
    }

    private static HttpResponse refuseStrangers(
            LogAddress address, HttpService service, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        Set<String> own = ownAuthorities(address, context);
        String authority = String.valueOf(request.authority()).toLowerCase(Locale.ROOT);
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        boolean isOwnPage = origin == null || own.stream().anyMatch(mine -> origin.equalsIgnoreCase("http://" + mine));
        if (!own.contains(authority) || !isOwnPage) {
            return HttpResponse.of(
                    HttpStatus.FORBIDDEN, MediaType.PLAIN_TEXT_UTF_8, "this server does not go by that name\n");
        }
        return service.serve(context, request);
    }

    private static Set<String> ownAuthorities(LogAddress address, ServiceRequestContext context) {
        InetSocketAddress local = context.localAddress();
        String port = ":" + local.getPort();
        return local.getAddress().isLoopbackAddress()
                ? Set.of("127.0.0.1" + port, "localhost" + port, "[::1]" + port)
                : Set.copyOf(List.of(
                        local.getAddress().getHostAddress() + port,
                        address.host().toLowerCase(Locale.ROOT) + port));
    }

    /** The address as registered with the cell: {@code http://host:port}. */
    public String address() {
        return "http://" + address.host() + ":" + port(server);
    }

    private static int port(Server server) {
        return server.activePorts().keySet().iterator().next().getPort();
    }

    /** Stops answering. Its threads end a little later, and nobody waits for them. */
    @Override
    public void close() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        CompletableFuture<?> unused = server.stop().whenComplete((done, failure) -> stopped.complete(null));
        stopped.completeOnTimeout(null, CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
