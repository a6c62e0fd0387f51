package dev.cella.agent.runner;

import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.transactions.model.PlacementId;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Checks the health of running attempts, each at its own pace, and reports once when one has passed its first check, and once
 * when one fails too often in a row.
 *
 * <p>With the usual pace the first check comes ten seconds after the start, and an update waits for it. So each attempt is asked
 * once more, soon after its start. That question counts only if it passes: an attempt has the time before its first check to
 * become ready.
 *
 * <p>One thread waits for the times of all. At most 64 others ask. So 63 attempts that do not answer still delay no other
 * one. An attempt has one question at a time, which ends when its time is up.
 */
final class HealthChecks implements AutoCloseable {
    private static final int THREADS_MAX = 64;
    private static final int IDLE_SECONDS = 1;
    private static final int SOON_MILLIS = 1_000;
    private static final int OK_FIRST = 200;
    private static final int OK_LAST = 399;

    private final Map<PlacementId, Asking> running = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor times =
            new ScheduledThreadPoolExecutor(1, HealthChecks::thread, new ThreadPoolExecutor.DiscardPolicy());
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            HealthChecks::thread,
            new ThreadPoolExecutor.DiscardPolicy());

    HealthChecks() {
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread created = new Thread(work, "task-checks");
        created.setDaemon(true);
        return created;
    }

    /** One check. */
    interface Question {
        /** Returns why the attempt is not healthy; empty if it is. */
        Optional<String> ask();

        /** Returns whether the attempt is so far that it can be asked. */
        default boolean isDue() {
            return true;
        }
    }

    /** Receives what the checks of one attempt show. */
    interface Listener {
        /** The attempt has passed its check for the first time. */
        default void passed() {}

        /** It has failed its check too often in a row. */
        void unhealthy(String why);
    }

    /** The command of a check, to be run as the attempt is. */
    interface Beside {
        ProcessBuilder command() throws NotStartedException;
    }

    /** The checks of one attempt. Its threads come one after the other. */
    private final class Asking {
        final HealthCheck check;
        final Question question;
        final Listener listener;
        final AtomicBoolean hasPassed = new AtomicBoolean();
        int failures;
        volatile boolean ended;

        Asking(HealthCheck check, Question question, Listener listener) {
            this.check = check;
            this.question = question;
            this.listener = listener;
        }

        /** The answer comes before the first check begins. */
        void askSoon() {
            if (SOON_MILLIS + check.timeoutMillis() < check.everyMillis()) {
                ScheduledFuture<?> unused =
                        times.schedule(() -> threads.execute(this::look), SOON_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        void look() {
            if (!ended) {
                note(answer(question));
            }
        }

        void askLater() {
            ScheduledFuture<?> unused = times.schedule(this::begin, check.everyMillis(), TimeUnit.MILLISECONDS);
        }

        /** A machine that has no thread left for it now may have one later. */
        void begin() {
            try {
                threads.execute(this::goOn);
            } catch (OutOfMemoryError noThread) {
                askLater();
            }
        }

        void goOn() {
            try {
                if (!ended) {
                    ask();
                }
            } finally {
                if (!ended) {
                    askLater();
                }
            }
        }

        void ask() {
            Optional<Answer> answer = answer(question);
            note(answer);
            Optional<String> why = answer.flatMap(Answer::why);
            failures = why.isEmpty() ? 0 : failures + 1;
            if (failures == check.failuresMax()) {
                listener.unhealthy(why.orElse("") + ", " + failures + " times in a row");
            }
        }

        void note(Optional<Answer> answer) {
            boolean passes = answer.isPresent() && answer.get().why().isEmpty() && !threads.isShutdown();
            if (passes && hasPassed.compareAndSet(false, true)) {
                listener.passed();
            }
        }
    }

    /** Why the attempt is not healthy; empty if it is. */
    private record Answer(Optional<String> why) {}

    /** Begins the checks. */
    void begin(PlacementId placement, HealthCheck check, Question question, Listener listener) {
        Asking asking = new Asking(check, question, listener);
        running.put(placement, asking);
        asking.askSoon();
        asking.askLater();
    }

    /**
     * The answer, if there is something to ask yet. It would never be asked again after an exception, and the attempt would
     * count as healthy for ever.
     */
    private static Optional<Answer> answer(Question question) {
        try {
            return question.isDue() ? Optional.of(new Answer(question.ask())) : Optional.empty();
        } catch (RuntimeException failure) {
            return Optional.of(new Answer(Optional.of("the agent failed to check it: " + failure)));
        }
    }

    void end(PlacementId placement) {
        Asking asking = running.remove(placement);
        if (asking != null) {
            asking.ended = true;
        }
    }

    /** Asks nothing before the attempt has begun, and no longer looks for that afterwards: a look reads all of {@code /proc}. */
    static Question onceBegun(BooleanSupplier begun, Question question) {
        AtomicBoolean hasBegun = new AtomicBoolean();
        return whileBegun(
                () -> {
                    if (!hasBegun.get()) {
                        hasBegun.set(begun.getAsBoolean());
                    }
                    return hasBegun.get();
                },
                question);
    }

    /** Asks only while that holds. */
    static Question whileBegun(BooleanSupplier begun, Question question) {
        return new Question() {
            @Override
            public boolean isDue() {
                return begun.getAsBoolean();
            }

            @Override
            public Optional<String> ask() {
                return question.ask();
            }
        };
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
        String asked = "GET " + path + " at port " + port;
        return () -> {
            try {
                OptionalInt status = status(path, port, timeoutMillis);
                if (status.isEmpty()) {
                    return Optional.of(asked + " took longer than " + timeoutMillis + " ms");
                }
                return status.getAsInt() >= OK_FIRST && status.getAsInt() <= OK_LAST
                        ? Optional.empty()
                        : Optional.of(asked + " answered " + status.getAsInt());
            } catch (IOException | IllegalArgumentException failure) {
                return Optional.of(asked + ": " + failure.getMessage());
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

    /** Nothing if it took too long. The connection's own limit is for each byte; an answer that is cut off has a status too. */
    private static OptionalInt status(String path, int port, int timeoutMillis) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(timeoutMillis);
        connection.setReadTimeout(timeoutMillis);
        connection.setInstanceFollowRedirects(false);
        connection.connect();
        CompletableFuture<Boolean> late =
                new CompletableFuture<Boolean>().completeOnTimeout(true, timeoutMillis, TimeUnit.MILLISECONDS);
        CompletableFuture<Void> unused = late.thenAccept(isLate -> connection.disconnect());
        try {
            int status = connection.getResponseCode();
            return late.isDone() ? OptionalInt.empty() : OptionalInt.of(status);
        } catch (IOException failure) {
            if (failure instanceof SocketTimeoutException || late.isDone()) {
                return OptionalInt.empty();
            }
            throw failure;
        } finally {
            late.cancel(false);
            connection.disconnect();
        }
    }

    @Override
    public void close() {
        times.shutdownNow();
        threads.shutdownNow();
    }
}
