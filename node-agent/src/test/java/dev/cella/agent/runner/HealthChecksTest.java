package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.transactions.model.PlacementId;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HealthChecksTest {
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
            assertThat(HealthChecks.answers("/ok", port, 10_000).ask()).isEmpty();
            assertThat(HealthChecks.answers("/bad", port, 10_000).ask())
                    .contains("GET /bad at port " + port + " answered 500");
            assertThat(HealthChecks.connects(port, 10_000).ask()).isEmpty();
        } finally {
            server.stop(0);
        }
    }

    private static Optional<String> command(String... command) {
        return HealthChecks.succeeds(() -> new ProcessBuilder(command), command[0], 180_000)
                .ask();
    }

    @Test
    void command_isHealthyByItsExitCode() {
        assertThat(command("true")).isEmpty();
        assertThat(command("false")).contains("false ended with exit code 1");
        assertThat(command("/no/such").orElseThrow()).startsWith("/no/such cannot be run");
        assertThat(HealthChecks.succeeds(() -> new ProcessBuilder("sleep", "1000"), "sleep", 1)
                        .ask())
                .contains("sleep took longer than 1 ms");
    }

    @Test
    void attemptThatHasNotBegun_isNotAsked() {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        HealthChecks.Question question = HealthChecks.onceBegun(
                () -> {
                    looks.incrementAndGet();
                    return begun.get();
                },
                () -> Optional.of("nothing listens"));
        assertThat(question.isDue()).isFalse();
        begun.set(true);
        assertThat(question.isDue()).isTrue();
        begun.set(false);
        assertThat(question.isDue()).isTrue();
        assertThat(looks).hasValue(2);
    }

    @Test
    void checkThatThrows_isAFailure_andIsAskedAgain() throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        try (HealthChecks checks = new HealthChecks()) {
            HealthChecks.Question throwing = () -> {
                throw new IllegalStateException("no such letter");
            };
            checks.begin(new PlacementId(1, 0), TCP, throwing, told::complete);
            assertThat(told.get(180, TimeUnit.SECONDS))
                    .contains("no such letter")
                    .endsWith("2 times in a row");
        }
    }

    @Test
    void failuresInARow_areToldOnce_andWhy() throws Exception {
        int closedPort;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closedPort = socket.getLocalPort();
        }
        CompletableFuture<String> told = new CompletableFuture<>();
        try (HealthChecks checks = new HealthChecks()) {
            checks.begin(new PlacementId(1, 0), TCP, HealthChecks.connects(closedPort, 10_000), told::complete);
            assertThat(told.get(180, TimeUnit.SECONDS))
                    .startsWith("nothing listens at port " + closedPort)
                    .endsWith("2 times in a row");
            checks.end(new PlacementId(1, 0));
        }
    }

    /** Receives what checks show. */
    private static final class Heard implements HealthChecks.Listener {
        final CompletableFuture<Void> passed = new CompletableFuture<>();
        final CompletableFuture<String> unhealthy = new CompletableFuture<>();
        final AtomicInteger passes = new AtomicInteger();

        @Override
        public void passed() {
            passes.incrementAndGet();
            passed.complete(null);
        }

        @Override
        public void unhealthy(String why) {
            unhealthy.complete(why);
        }
    }

    @Test
    void firstCheckThatPasses_isToldOnce_alsoIfItFailsLater() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Heard heard = new Heard();
        try (HealthChecks checks = new HealthChecks()) {
            HealthChecks.Question changing = () -> {
                int number = asked.incrementAndGet();
                return number == 2 || number == 3 ? Optional.empty() : Optional.of("not ready");
            };
            checks.begin(new PlacementId(1, 0), TCP, changing, heard);
            assertThat(heard.unhealthy.get(180, TimeUnit.SECONDS)).startsWith("not ready");
            assertThat(heard.passed).isCompleted();
            assertThat(heard.passes).hasValue(1);
        }
    }

    @Test
    void attemptThatHasNotBegun_hasNotPassed() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Heard heard = new Heard();
        try (HealthChecks checks = new HealthChecks()) {
            HealthChecks.Question later =
                    HealthChecks.onceBegun(() -> looks.incrementAndGet() > 3, () -> Optional.of("not ready"));
            checks.begin(new PlacementId(1, 0), TCP, later, heard);
            assertThat(heard.unhealthy.get(180, TimeUnit.SECONDS)).startsWith("not ready");
            assertThat(heard.passed).isNotCompleted();
        }
    }

    /** The usual check comes after ten seconds; this one after an hour. */
    @Test
    void attemptIsAskedSoonAfterItsStart_andAFailureThenDoesNotCount() throws Exception {
        HealthCheck slow = new HealthCheck(HealthCheck.Kind.TCP, List.of(), "http", 3_600_000, 2_000, 1);
        CompletableFuture<Void> failed = new CompletableFuture<>();
        Heard well = new Heard();
        Heard sick = new Heard();
        try (HealthChecks checks = new HealthChecks()) {
            checks.begin(
                    new PlacementId(1, 0),
                    slow,
                    () -> {
                        failed.complete(null);
                        return Optional.of("not ready");
                    },
                    sick);
            failed.get(180, TimeUnit.SECONDS);
            checks.begin(new PlacementId(2, 0), slow, Optional::empty, well);
            well.passed.get(180, TimeUnit.SECONDS);
        }
        assertThat(sick.unhealthy).isNotCompleted();
        assertThat(sick.passed).isNotCompleted();
    }

    /** Each byte comes in time, and the answer never. */
    @Test
    void http_thatSendsItsAnswerByteByByte_isNotWaitedFor() throws Exception {
        ScheduledExecutorService bytes = Executors.newSingleThreadScheduledExecutor();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = server.getLocalPort();
            CompletableFuture<Optional<String>> answer = CompletableFuture.supplyAsync(
                    () -> HealthChecks.answers("/", port, 500).ask());
            try (Socket connection = server.accept()) {
                OutputStream out = connection.getOutputStream();
                out.write("HTTP/1.1 200 OK\r\nA: ".getBytes(StandardCharsets.US_ASCII));
                Future<?> unused = bytes.scheduleWithFixedDelay(() -> send('x', out), 0, 10, TimeUnit.MILLISECONDS);
                assertThat(answer.get(180, TimeUnit.SECONDS))
                        .contains("GET / at port " + port + " took longer than 500 ms");
            }
        } finally {
            bytes.shutdownNow();
        }
    }

    private static void send(char letter, OutputStream out) {
        try {
            out.write(letter);
        } catch (IOException closed) {
            throw new UncheckedIOException("nobody reads it any longer", closed);
        }
    }

    @Test
    void questionsThatHang_delayNoOthers() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        CompletableFuture<Void> asked = new CompletableFuture<>();
        try (HealthChecks checks = new HealthChecks()) {
            for (int index = 1; index <= 8; index++) {
                CompletableFuture<Void> hangs = new CompletableFuture<>();
                HealthChecks.Question hanging = () -> {
                    hangs.complete(null);
                    return untilOpen(hang);
                };
                checks.begin(new PlacementId(index, 0), TCP, hanging, why -> {});
                hangs.get(180, TimeUnit.SECONDS);
            }
            HealthChecks.Question other = () -> {
                asked.complete(null);
                return Optional.empty();
            };
            checks.begin(new PlacementId(9, 0), TCP, other, why -> {});
            asked.get(180, TimeUnit.SECONDS);
        } finally {
            hang.countDown();
        }
    }

    private static Optional<String> untilOpen(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }
}
