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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

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

    /** One check. Returns why the attempt is not healthy; empty if it is. */
    interface Question {
        Optional<String> ask();
    }

    /** The command of a check, to be run as the attempt is. */
    interface Beside {
        ProcessBuilder command() throws NotStartedException;
    }

    /** Begins the checks. */
    void begin(PlacementId placement, HealthCheck check, Question question, Consumer<String> unhealthy) {
        int[] failures = {0};
        Runnable ask = () -> {
            Optional<String> why = answer(question);
            failures[0] = why.isEmpty() ? 0 : failures[0] + 1;
            if (failures[0] == check.failuresMax()) {
                unhealthy.accept(why.orElse("") + ", " + failures[0] + " times in a row");
            }
        };
        ScheduledFuture<?> asking =
                threads.scheduleWithFixedDelay(ask, check.everyMillis(), check.everyMillis(), TimeUnit.MILLISECONDS);
        running.put(placement, asking);
    }

    /** The executor would never ask again after an exception, and the attempt would count as healthy for ever. */
    private static Optional<String> answer(Question question) {
        try {
            return question.ask();
        } catch (RuntimeException failure) {
            return Optional.of("the agent failed to check it: " + failure);
        }
    }

    void end(PlacementId placement) {
        ScheduledFuture<?> asking = running.remove(placement);
        if (asking != null) {
            asking.cancel(false);
        }
    }

    /** The port is the number that the attempt listens at, on this machine. */
    static Question connects(int port, int timeoutMillis) {
        return () -> {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
                return Optional.empty();
            } catch (IOException failure) {
                return Optional.of("nothing listens at port " + port + " (" + failure.getMessage() + ")");
            }
        };
    }

    static Question answers(String path, int port, int timeoutMillis) {
        return () -> {
            try {
                int status = status(path, port, timeoutMillis);
                return status >= OK_FIRST && status <= OK_LAST
                        ? Optional.empty()
                        : Optional.of("GET " + path + " at port " + port + " answered " + status);
            } catch (IOException | IllegalArgumentException failure) {
                return Optional.of("GET " + path + " at port " + port + ": " + failure.getMessage());
            }
        };
    }

    /** Runs a command, which is asked for each time. */
    static Question succeeds(Beside beside, String name, long timeoutMillis) {
        return () -> {
            try {
                OptionalInt code = exitCode(beside.command(), timeoutMillis);
                if (code.isEmpty()) {
                    return Optional.of(name + " took longer than " + timeoutMillis + " ms");
                }
                return code.getAsInt() == 0
                        ? Optional.empty()
                        : Optional.of(name + " ended with exit code " + code.getAsInt());
            } catch (IOException | NotStartedException failure) {
                return Optional.of(name + " cannot be run: " + failure.getMessage());
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        };
    }

    /** Nothing if it took too long: then it is killed, with what it started. */
    private static OptionalInt exitCode(ProcessBuilder builder, long timeoutMillis)
            throws IOException, InterruptedException {
        Process process = builder.start();
        try {
            return process.waitFor(timeoutMillis, TimeUnit.MILLISECONDS)
                    ? OptionalInt.of(process.exitValue())
                    : OptionalInt.empty();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static int status(String path, int port, int timeoutMillis) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(timeoutMillis);
        connection.setReadTimeout(timeoutMillis);
        connection.setInstanceFollowRedirects(false);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
