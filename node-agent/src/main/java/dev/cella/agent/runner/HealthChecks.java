package dev.cella.agent.runner;

import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.transactions.model.PlacementId;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Checks the health of running attempts, each at its own pace, and reports once when one fails too often in a row.
 */
final class HealthChecks implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int OK_FIRST = 200;
    private static final int OK_LAST = 399;

    private final Map<PlacementId, ScheduledFuture<?>> running = new ConcurrentHashMap<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, work -> {
        Thread created = new Thread(work, "task-checks");
        created.setDaemon(true);
        return created;
    });

    /** Begins the checks. The port is the attempt's number on this machine. */
    void begin(PlacementId placement, HealthCheck check, int port, Runnable unhealthy) {
        int[] failures = {0};
        Runnable ask = () -> {
            failures[0] = isHealthy(check, port) ? 0 : failures[0] + 1;
            if (failures[0] == check.failuresMax()) {
                unhealthy.run();
            }
        };
        ScheduledFuture<?> asking =
                threads.scheduleWithFixedDelay(ask, check.everyMillis(), check.everyMillis(), TimeUnit.MILLISECONDS);
        running.put(placement, asking);
    }

    void end(PlacementId placement) {
        ScheduledFuture<?> asking = running.remove(placement);
        if (asking != null) {
            asking.cancel(false);
        }
    }

    static boolean isHealthy(HealthCheck check, int port) {
        try {
            return switch (check.kind()) {
                case TCP -> connects(port, (int) check.timeoutMillis());
                case HTTP -> answers(check.what().get(0), port, (int) check.timeoutMillis());
            };
        } catch (IOException | IllegalArgumentException failure) {
            return false;
        }
    }

    private static boolean connects(int port, int timeoutMillis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
            return true;
        }
    }

    private static boolean answers(String path, int port, int timeoutMillis) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(timeoutMillis);
        connection.setReadTimeout(timeoutMillis);
        connection.setInstanceFollowRedirects(false);
        try {
            int status = connection.getResponseCode();
            return status >= OK_FIRST && status <= OK_LAST;
        } finally {
            connection.disconnect();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
