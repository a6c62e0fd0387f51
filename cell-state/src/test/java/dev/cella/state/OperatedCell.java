package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.transactions.cell.CellView;
import java.io.IOException;
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
import java.util.stream.IntStream;

/** Replicas of one cell in this process, which an operator stops, starts, adds, removes and replaces. Small files. */
final class OperatedCell implements AutoCloseable {
    static final Duration SOON = Duration.ofMinutes(3);

    private static final int MEMBERS_MAX = 5;
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private final Path folder;
    private final int foundingLevel;
    private final List<Member> all;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, CellServer> running = new ConcurrentSkipListMap<>();
    private final Map<String, Throwable> refused = new ConcurrentSkipListMap<>();
    private final List<Thread> starting = new CopyOnWriteArrayList<>();

    OperatedCell(Path folder, int foundingLevel) throws IOException {
        this.folder = folder;
        this.foundingLevel = foundingLevel;
        List<Integer> ports = FreePorts.find(2 * MEMBERS_MAX, new Random());
        this.all = IntStream.range(0, MEMBERS_MAX)
                .mapToObj(number -> new Member(
                        "r" + (number + 1),
                        "127.0.0.1:" + ports.get(2 * number),
                        URI.create("http://127.0.0.1:" + ports.get(2 * number + 1))))
                .toList();
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
        CellServer server = running.remove(name);
        if (server != null) {
            server.close();
        }
    }

    void loseDirectory(String name) throws IOException {
        DurableFiles.removeTree(data(name));
    }

    /** Starts one that knows its cell, and returns when it is ready; or returns why it does not start. */
    Optional<Throwable> start(String name) {
        startInBackground(name, all);
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> refused.containsKey(name) || isReady(name));
        return Optional.ofNullable(refused.remove(name));
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

    private void startInBackground(String name, List<Member> rows) {
        Thread thread = new Thread(() -> {
            try {
                running.put(
                        name, CellServer.start(options(name, rows), (message, cause) -> depart(name, message, cause)));
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (IOException | StartRefusedException | RuntimeException refusal) {
                refused.put(name, refusal);
            }
        });
        starting.add(thread);
        thread.start();
    }

    private void depart(String name, String message, Throwable cause) {
        refused.put(name, new IllegalStateException(message, cause));
    }

    private CellServerOptions options(String name, List<Member> rows) {
        return CellServerOptions.defaults(data(name))
                .withPort(member(name).address().getPort())
                .withFreeBytesMin(0)
                .withReplica(ReplicaOptions.defaults()
                        .withLog(RatisOptions.defaults()
                                .withElectionTimeoutMin(Duration.ofMillis(500))
                                .withSegmentBytes(32 << 10))
                        .withFoundingLevel(foundingLevel)
                        .withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(16 << 10))
                        .withMembership(rows.isEmpty() ? Membership.alone() : new Membership(name, rows)));
    }

    private Member member(String name) {
        return all.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    void awaitReady(String name) {
        await().atMost(SOON).pollInterval(LOOK_EVERY).until(() -> {
            assertThat(refused.get(name)).as(name).isNull();
            return isReady(name);
        });
    }

    private boolean isReady(String name) {
        CellServer server = running.get(name);
        return server != null
                && send(server, "GET", "/readyz", "")
                        .filter(answer -> answer.statusCode() == 200)
                        .isPresent();
    }

    // ---- the operator

    void add(String name) {
        startWaiting(name);
        Member member = member(name);
        decided(
                "POST",
                "/v1/members",
                "{\"name\": \"%s\", \"log\": \"%s\", \"address\": \"%s\"}"
                        .formatted(name, member.log(), member.address()));
        awaitReady(name);
    }

    void remove(String name) throws IOException {
        decided("DELETE", "/v1/members/" + name, "");
        stop(name);
        refused.remove(name);
        loseDirectory(name);
    }

    /** Replaces a stopped replica. */
    void replace(String name) throws IOException {
        loseDirectory(name);
        startWaiting(name);
        decided("POST", "/v1/members/" + name + ":replace", "{}");
        awaitReady(name);
    }

    /** Asks until it is done: a change is refused while the leader changes, and while a replica starts. */
    String decided(String method, String path, String body) {
        String[] done = {""};
        await().atMost(SOON).pollInterval(LOOK_EVERY).untilAsserted(() -> {
            Optional<HttpResponse<String>> answer = send(method, path, body);
            String text = answer.map(HttpResponse::body).orElse("no answer");
            assertThat(answer.map(HttpResponse::statusCode).orElse(0) == 200
                            || text.contains("is a member already")
                            || text.contains("answers and has its directory"))
                    .as("%s %s: %s", method, path, text)
                    .isTrue();
            done[0] = text;
        });
        return done[0];
    }

    /** At any running replica. Empty if the connection broke. */
    Optional<HttpResponse<String>> send(String method, String path, String body) {
        List<CellServer> servers = new ArrayList<>(running.values());
        return servers.isEmpty()
                ? Optional.empty()
                : send(servers.get((int) (System.nanoTime() % servers.size())), method, path, body);
    }

    private Optional<HttpResponse<String>> send(CellServer server, String method, String path, String body) {
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
        CellServer any = running.values().iterator().next();
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(URI.create(any.address() + "/v1/backup")).build(), BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    /** As soon as all running replicas show one version. */
    void assertSameDigests() {
        await().atMost(SOON)
                .pollInterval(LOOK_EVERY)
                .until(() -> everywhere(CellView::version).size() == 1);
        assertThat(everywhere(CellView::digests)).hasSize(1);
    }

    private <T> Set<T> everywhere(Function<CellView, T> reading) {
        Set<T> read = new HashSet<>();
        running.values().forEach(server -> read.add(server.<T>read(reading)));
        return read;
    }

    <T> T read(String name, Function<CellView, T> reading) {
        return Objects.requireNonNull(running.get(name)).<T>read(reading);
    }

    @Override
    public void close() throws IOException {
        starting.forEach(Thread::interrupt);
        for (CellServer server : running.values()) {
            server.close();
        }
    }
}
