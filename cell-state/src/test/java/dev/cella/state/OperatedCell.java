package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.state.BuiltReplica.Row;
import dev.cella.state.BuiltReplica.Start;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.web.FoundingDoor;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Replicas of one cell in this process, which an operator stops, starts, adds, removes and replaces. Each start may use another
 * build of the program.
 */
final class OperatedCell implements AutoCloseable {
    static final Duration SOON = Duration.ofMinutes(3);

    private static final int MEMBERS_MAX = 5;
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private final Path folder;
    private final int foundingLevel;
    private final List<Row> all;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, BuiltReplica> running = new ConcurrentSkipListMap<>();
    private final Map<String, Throwable> refused = new ConcurrentSkipListMap<>();
    private final List<Thread> starting = new CopyOnWriteArrayList<>();
    private volatile Build build = Build.NEWEST;

    OperatedCell(Path folder, int foundingLevel) throws IOException {
        this.folder = folder;
        this.foundingLevel = foundingLevel;
        List<Integer> ports = FreePorts.find(2 * MEMBERS_MAX, new Random());
        this.all = IntStream.range(0, MEMBERS_MAX)
                .mapToObj(number -> new Row(
                        "r" + (number + 1),
                        "127.0.0.1:" + ports.get(2 * number),
                        "http://127.0.0.1:" + ports.get(2 * number + 1)))
                .toList();
    }

    /** Each replica that starts from now on is of that build. */
    void startsWith(Build other) {
        build = other;
    }

    /** The first replicas found it together. */
    void found(int replicas) {
        all.subList(0, replicas).forEach(member -> startInBackground(member.name(), all.subList(0, replicas)));
        all.subList(0, replicas).forEach(member -> awaitReady(member.name()));
    }

    Set<String> names() {
        return new HashSet<>(running.keySet());
    }

    Path data(String name) {
        return folder.resolve(name);
    }

    void stop(String name) throws IOException {
        BuiltReplica server = running.remove(name);
        if (server != null) {
            server.close();
        }
    }

    void loseDirectory(String name) throws IOException {
        DurableFiles.removeTree(data(name));
    }

    /** Starts one that knows its cell, and returns when it is ready; or returns why it does not start. */
    Optional<Throwable> start(String name) throws IOException {
        Thread thread = startInBackground(name, all);
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> refused.containsKey(name) || isReady(name));
        return refused.containsKey(name) ? Optional.of(left(name, thread)) : Optional.empty();
    }

    /** Starts one that cannot go on for long, and returns why. */
    Throwable startUntilItLeaves(String name) throws IOException {
        Thread thread = startInBackground(name, all);
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> refused.containsKey(name));
        return left(name, thread);
    }

    /** It may leave while its start is still under way, and must not answer for the one that takes its place. */
    private Throwable left(String name, Thread start) throws IOException {
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> !start.isAlive());
        stop(name);
        return Objects.requireNonNull(refused.remove(name));
    }

    /** Starts a lone replica, and returns when it is ready. */
    void startAlone(String name) {
        startInBackground(name, List.of());
        awaitReady(name);
    }

    /** On an empty directory it waits until the cell takes it. */
    void startWaiting(String name) {
        startInBackground(name, all);
    }

    /** Returns when the replica can be asked about its directory. */
    void awaitAnswer(String name) {
        HttpRequest asked = HttpRequest.newBuilder(URI.create(row(name).address() + FoundingDoor.IDENTITY_PATH))
                .build();
        await().atMost(SOON)
                .pollInterval(LOOK_EVERY)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> http.send(asked, BodyHandlers.ofString()).statusCode() == 200);
    }

    private Thread startInBackground(String name, List<Row> rows) {
        Build started = build;
        Thread thread = new Thread(() -> {
            try {
                awaitFreePorts(row(name));
                running.put(name, started.starter().start(start(name, rows)));
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (Exception refusal) {
                refused.putIfAbsent(name, refusal);
            }
        });
        starting.add(thread);
        thread.start();
        return thread;
    }

    /** A process frees its ports when it ends. A server that is closed within a process may do so a moment later. */
    private static void awaitFreePorts(Row row) {
        for (String address : List.of(row.address(), "http://" + row.log())) {
            int port = URI.create(address).getPort();
            await().atMost(SOON)
                    .pollInterval(LOOK_EVERY)
                    .ignoreExceptionsInstanceOf(BindException.class)
                    .until(() -> isFree(port));
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        }
    }

    private void depart(String name, String message, Throwable cause) {
        refused.putIfAbsent(name, new IllegalStateException(message, cause));
    }

    private Start start(String name, List<Row> rows) {
        int port = URI.create(row(name).address()).getPort();
        return new Start(data(name), name, port, rows, foundingLevel, (message, cause) -> depart(name, message, cause));
    }

    private Row row(String name) {
        return all.stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    }

    void awaitReady(String name) {
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> {
            assertThat(refused.get(name)).as(name).isNull();
            return isReady(name);
        });
    }

    private boolean isReady(String name) {
        BuiltReplica server = running.get(name);
        return server != null
                && send(server, "GET", "/readyz", "")
                        .filter(answer -> answer.statusCode() == 200)
                        .isPresent();
    }

    // ---- the operator

    void add(String name) {
        startWaiting(name);
        decided("adding " + name, () -> {
            checkIsNotRefused(name);
            return sendAdd(name);
        });
        awaitReady(name);
    }

    /** One that does not even wait never answers. */
    private void checkIsNotRefused(String name) {
        Throwable refusal = refused.get(name);
        if (refusal != null) {
            throw new IllegalStateException(name + " does not start", refusal);
        }
    }

    private Optional<HttpResponse<String>> sendAdd(String name) {
        Row member = row(name);
        return send(
                "POST",
                "/v1/members",
                "{\"name\": \"%s\", \"log\": \"%s\", \"address\": \"%s\"}"
                        .formatted(name, member.log(), member.address()));
    }

    void remove(String name) throws IOException {
        decided("DELETE", "/v1/members/" + name, "");
        stop(name);
        refused.remove(name);
        loseDirectory(name);
    }

    /** Replaces a stopped replica. One that is no member any more was replaced by half, and is added, as the answer says. */
    void replace(String name) throws IOException {
        loseDirectory(name);
        startWaiting(name);
        decided("replacing " + name, () -> {
            checkIsNotRefused(name);
            Optional<HttpResponse<String>> answer = send("POST", "/v1/members/" + name + ":replace", "{}");
            return answer.map(HttpResponse::statusCode).orElse(0) == 404 ? sendAdd(name) : answer;
        });
        awaitReady(name);
    }

    /** Asks until it is done: a change is refused while the leader changes, and while a replica starts. */
    String decided(String method, String path, String body) {
        return decided(method + " " + path, () -> send(method, path, body));
    }

    private static String decided(String what, Supplier<Optional<HttpResponse<String>>> asked) {
        String[] done = {""};
        await().atMost(SOON).pollInterval(LOOK_EVERY).untilAsserted(() -> {
            Optional<HttpResponse<String>> answer = asked.get();
            String text = answer.map(HttpResponse::body).orElse("no answer");
            assertThat(answer.map(HttpResponse::statusCode).orElse(0) == 200
                            || text.contains("is a member already")
                            || text.contains("answers and has its directory"))
                    .as("%s: %s", what, text)
                    .isTrue();
            done[0] = text;
        });
        return done[0];
    }

    /** Asks until it is refused for a reason that does not pass. */
    void refused(String method, String path, String body) {
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> {
            int status = send(method, path, body).map(HttpResponse::statusCode).orElse(503);
            assertThat(status).as("%s %s %s", method, path, body).isNotEqualTo(200);
            return status < 500;
        });
    }

    /** At any running replica. Empty if the connection broke. */
    Optional<HttpResponse<String>> send(String method, String path, String body) {
        List<BuiltReplica> servers = new ArrayList<>(running.values());
        return servers.isEmpty()
                ? Optional.empty()
                : send(servers.get((int) (System.nanoTime() % servers.size())), method, path, body);
    }

    private Optional<HttpResponse<String>> send(BuiltReplica server, String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            return Optional.of(http.send(request, BodyHandlers.ofString()));
        } catch (IOException broken) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    byte[] backup() throws IOException, InterruptedException {
        BuiltReplica any = running.values().iterator().next();
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(URI.create(any.address() + "/v1/backup")).build(), BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    /** As soon as all running replicas show one version. */
    void assertSameDigests() {
        await().atMost(SOON)
                .pollInterval(LOOK_EVERY)
                .until(() -> everywhere(BuiltReplica::version).size() == 1);
        assertThat(everywhere(BuiltReplica::digest)).hasSize(1);
    }

    private <T> Set<T> everywhere(Function<BuiltReplica, T> reading) {
        return running.values().stream().map(reading).collect(Collectors.toSet());
    }

    BuiltReplica replica(String name) {
        return Objects.requireNonNull(running.get(name));
    }

    @Override
    public void close() throws IOException {
        starting.forEach(Thread::interrupt);
        for (BuiltReplica server : running.values()) {
            server.close();
        }
    }
}
