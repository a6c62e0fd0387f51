package dev.cella.agent.logs;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.access.Tls;
import dev.cella.client.access.TlsRole;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * Serves the output of the agent's tasks on one port of one address.
 *
 * <p>Loopback does not protect against browsers: a request is refused if its {@code Host} is not this server's, or if a page
 * of another origin sent it.
 *
 * <p>In a cell with TLS it shows the agent's certificate, and answers only who shows that of a server of the cell.
 */
public final class LogServer implements AutoCloseable {
    private static final Duration CLOSE_PATIENCE = Duration.ofMillis(200);

    private final Server server;
    private final LogAddress address;
    private final String scheme;

    private LogServer(Server server, LogAddress address, String scheme) {
        this.server = server;
        this.address = address;
        this.scheme = scheme;
    }

    /**
     * Serves at that address. Fails if the address is taken or not this machine's.
     *
     * @param tls the agent's certificates; empty for plain HTTP
     */
    public static LogServer start(LogAddress address, OutputStore store, Optional<Tls> tls) throws IOException {
        return start(address, new LogService(store), tls);
    }

    /** Serves what the service answers under {@link LogService#PATH}. */
    public static LogServer start(LogAddress address, HttpService logs, Optional<Tls> tls) throws IOException {
        String scheme = tls.isPresent() ? "https://" : "http://";
        Server server = listen(address, tls)
                .service(LogService.PATH, logs)
                .decorator((service, context, request) -> refuseStrangers(address, scheme, service, context, request))
                .requestTimeout(Duration.ZERO)
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .build();
        try {
            server.start().join();
        } catch (CompletionException failure) {
            throw new IOException(
                    "cannot serve logs at " + address.host() + ":" + address.port() + ": " + why(failure), failure);
        }
        return new LogServer(server, address, scheme);
    }

    private static ServerBuilder listen(LogAddress address, Optional<Tls> tls) {
        if (tls.isEmpty()) {
            return Server.builder().http(address.socket());
        }
        return Server.builder()
                .https(address.socket())
                .tls(new KeyManagerFactoryWrapper(tls.get().keyManager()))
                .tlsCustomizer(context -> context.clientAuth(ClientAuth.REQUIRE)
                        .trustManager(tls.get().trustManager(TlsRole.SERVER)));
    }

    private static String why(CompletionException failure) {
        Throwable cause = failure.getCause();
        return String.valueOf(cause == null ? failure.getMessage() : cause.getMessage());
    }

    private static HttpResponse refuseStrangers(
            LogAddress address, String scheme, HttpService service, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        Set<String> own = ownAuthorities(address, context);
        String authority = String.valueOf(request.authority()).toLowerCase(Locale.ROOT);
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        boolean isOwnPage = origin == null || own.stream().anyMatch(mine -> origin.equalsIgnoreCase(scheme + mine));
        if (!own.contains(authority) || !isOwnPage) {
            return HttpResponse.of(
                    HttpStatus.FORBIDDEN, MediaType.PLAIN_TEXT_UTF_8, "this server does not go by that name\n");
        }
        return service.serve(context, request);
    }

    private static Set<String> ownAuthorities(LogAddress address, ServiceRequestContext context) {
        InetSocketAddress local = context.localAddress();
        String port = ":" + local.getPort();
        Set<String> own = new HashSet<>();
        own.add(local.getAddress().getHostAddress() + port);
        own.add(address.host().toLowerCase(Locale.ROOT) + port);
        if (local.getAddress().isLoopbackAddress()) {
            own.addAll(List.of("127.0.0.1" + port, "localhost" + port, "[::1]" + port));
        }
        return own;
    }

    /** The address as registered with the cell: {@code http://host:port}, or https. */
    public String address() {
        return scheme + address.host() + ":" + port(server);
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
