package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.transactions.model.PlacementId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HealthChecksTest {
    private static HealthCheck http(String path) {
        return new HealthCheck(HealthCheck.Kind.HTTP, List.of(path), "web", 100, 10_000, 2);
    }

    private static final HealthCheck TCP = new HealthCheck(HealthCheck.Kind.TCP, List.of(), "web", 100, 10_000, 2);

    @Test
    void http_isHealthyByItsStatus() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ok", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.createContext("/bad", exchange -> {
            exchange.sendResponseHeaders(500, -1);
            exchange.close();
        });
        server.start();
        try {
            int port = server.getAddress().getPort();
            assertThat(HealthChecks.isHealthy(http("/ok"), port)).isTrue();
            assertThat(HealthChecks.isHealthy(http("/bad"), port)).isFalse();
            assertThat(HealthChecks.isHealthy(TCP, port)).isTrue();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void failuresInARow_areToldOnce() throws Exception {
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }
        assertThat(HealthChecks.isHealthy(TCP, closedPort)).isFalse();
        CountDownLatch told = new CountDownLatch(1);
        try (HealthChecks checks = new HealthChecks()) {
            checks.begin(new PlacementId(1, 0), TCP, closedPort, told::countDown);
            assertThat(told.await(180, TimeUnit.SECONDS)).isTrue();
            checks.end(new PlacementId(1, 0));
        }
    }
}
