package dev.cella.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.cella.state.core.DurableFiles;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.RatisOptions;
import dev.cella.state.web.service.MemberDoors;
import dev.cella.transactions.codec.EntryCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas join and leave while the cell runs and gets commands. */
@Timeout(600)
class MembersTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CAPACITY = "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4096}}";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, CellServer> running = new ConcurrentHashMap<>();
    private final List<Thread> starting = new CopyOnWriteArrayList<>();
    private final List<String> departures = new CopyOnWriteArrayList<>();
    private final List<Member> all = new ArrayList<>();

    @BeforeEach
    void choosePorts() throws IOException {
        List<Integer> ports = FreePorts.find(10, new Random());
        for (int number = 0; number < 5; number++) {
            all.add(new Member(
                    "r" + (number + 1),
                    "127.0.0.1:" + ports.get(2 * number),
                    URI.create("http://127.0.0.1:" + ports.get(2 * number + 1))));
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        starting.forEach(Thread::interrupt);
        for (CellServer server : running.values()) {
            server.close();
        }
    }

    @Test
    void cellGrowsFromOneToFiveAndShrinksToOne_whileItIsWrittenTo() throws Exception {
        startAlone();
        try (Load load = new Load()) {
            for (int number = 1; number < 5; number++) {
                startInBackground(all.get(number));
                add(all.get(number));
                load.awaitMore();
            }
            await().atMost(SOON)
                    .until(() -> running.values().stream()
                                    .filter(server ->
                                            get(server.address(), "/readyz").statusCode() == 200)
                                    .count()
                            == 5);
            JsonNode members = members(all.get(0));
            assertThat(members)
                    .hasSize(5)
                    .allMatch(member -> member.get("healthy").asBoolean());
            assertThat(members.findValuesAsText("role")).containsOnlyOnce("LEADER");
            for (int number = 0; number < 4; number++) {
                String gone = all.get(number).name();
                decided("DELETE", "/v1/members/" + gone, "");
                stop(gone);
                load.awaitMore();
            }
            assertThat(members(all.get(4))).hasSize(1);
            load.stop();
            for (String machine : load.acknowledged) {
                assertThat(get(all.get(4).address().toString(), "/v1/machines/" + machine)
                                .statusCode())
                        .as(machine)
                        .isEqualTo(200);
            }
        }
        // Its own directory tells it that it is the only one left.
        stop("r5");
        start(all.get(4), List.of());
        assertThat(members(all.get(4))).hasSize(1);
    }

    /** A founder's id in the log is its name alone, under which its empty successor waits. */
    @Test
    void founderThatLostItsDirectory_isReplacedWhileItsSuccessorWaits() throws Exception {
        try (OperatedCell cell = new OperatedCell(folder.resolve("founded"), EntryCodec.FEATURE_LEVEL_MAX)) {
            cell.found(3);
            cell.stop("r3");
            cell.loseDirectory("r3");
            cell.startWaiting("r3");
            cell.awaitAnswer("r3");

            cell.decided("POST", "/v1/members/r3:replace", "{}");

            cell.awaitReady("r3");
            cell.assertSameDigests();
        }
    }

    /** Its successor is at another place. */
    @Test
    void directoryThatWasLost_isReplacedByOneCommand_andNeverComesBack() throws Exception {
        startAlone();
        for (int number = 1; number < 3; number++) {
            startInBackground(all.get(number));
            add(all.get(number));
        }
        Member lost = all.get(2);
        await().atMost(SOON).until(() -> running.containsKey("r3"));
        assertThat(send("POST", "/v1/members/r3:replace", "{}").body()).contains("answers and has its directory");
        stop("r3");
        Path kept = folder.resolve("kept");
        Files.move(data(lost), kept);
        Member moved = new Member("r3", all.get(3).log(), all.get(3).address());
        startInBackground(moved, List.of(all.get(0), all.get(1), moved));

        decided(
                "POST",
                "/v1/members/r3:replace",
                "{\"log\": \"%s\", \"address\": \"%s\"}".formatted(moved.log(), moved.address()));

        await().atMost(SOON)
                .until(() -> running.containsKey("r3")
                        && get(moved.address().toString(), "/readyz").statusCode() == 200);
        assertThat(members(all.get(0)).findValuesAsText("address"))
                .hasSize(3)
                .contains(moved.address().toString());
        stop("r3");
        DurableFiles.removeTree(data(lost));
        Files.move(kept, data(lost));
        awaitReady("r1", "r2");
        StartRefusedException refused =
                catchThrowableOfType(StartRefusedException.class, () -> start(lost, all.subList(0, 3)));
        assertThat(refused).hasMessageContaining("knows replica r3 by another directory");
    }

    /** After an outage of all, the one that was away during the change is there first, and does not know the new member. */
    @Test
    void replicaThatMissedAChangeOfTheMembers_turnsNobodyAway() throws Exception {
        startAlone();
        for (int number = 1; number < 3; number++) {
            startInBackground(all.get(number));
            add(all.get(number));
        }
        awaitReady("r1", "r2", "r3");
        stop("r2");
        startInBackground(all.get(3));
        add(all.get(3));
        awaitReady("r1", "r3", "r4");
        for (String name : List.of("r4", "r3", "r1")) {
            stop(name);
        }

        for (int number : List.of(1, 3, 0, 2)) {
            start(all.get(number), all.subList(0, 4));
        }

        awaitReady("r1", "r2", "r3", "r4");
        assertThat(departures).isEmpty();
    }

    /** Its own log has told it of the removal. The leader's answer comes when the others have started again. */
    @Test
    void replicaThatWasRemoved_andStartsWhileNoLeaderAnswers_leavesWhenOneAnswers() throws Exception {
        startAlone();
        for (int number = 1; number < 3; number++) {
            startInBackground(all.get(number));
            add(all.get(number));
        }
        awaitReady("r1", "r2", "r3");
        decided("DELETE", "/v1/members/r3", "");
        for (String name : List.of("r3", "r2", "r1")) {
            stop(name);
        }
        departures.clear();
        start(all.get(2), all.subList(0, 3));

        start(all.get(0), all.subList(0, 3));
        start(all.get(1), all.subList(0, 3));

        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(departures).anyMatch(why -> why.contains("does not have replica r3 any more")));
    }

    /** It was made while the replica ran: all that tells it from the newest is what it lacks. */
    @Test
    void olderCopyOfADirectory_isRefusedWhileTheOthersRun_andReplaced() throws Exception {
        startAlone();
        for (int number = 1; number < 3; number++) {
            startInBackground(all.get(number));
            add(all.get(number));
        }
        Member copied = all.get(2);
        await().atMost(SOON).until(() -> running.containsKey("r3"));
        Path copy = folder.resolve("copy");
        TreeCopy.make(data(copied), copy);
        decided("PUT", "/v1/machines/later", CAPACITY);
        await().atMost(SOON)
                .until(() ->
                        get(copied.address().toString(), "/v1/machines/later").statusCode() == 200);
        stop("r3");
        start(copied, all.subList(0, 3));
        stop("r3");
        DurableFiles.removeTree(data(copied));
        Files.move(copy, data(copied));

        StartRefusedException refused =
                catchThrowableOfType(StartRefusedException.class, () -> start(copied, all.subList(0, 3)));

        assertThat(refused).hasMessageContaining("the directory is an older copy");
        assertThat(refused.hint()).contains("cella cell replace r3");
        DurableFiles.removeTree(data(copied));
        startInBackground(copied);
        decided("POST", "/v1/members/r3:replace", "{}");
        await().atMost(SOON)
                .until(() -> running.containsKey("r3")
                        && get(copied.address().toString(), "/v1/machines/later")
                                        .statusCode()
                                == 200);
    }

    @Test
    void impossibleChanges_areRefusedWithAReason() throws Exception {
        startAlone();
        assertThat(send("DELETE", "/v1/members/r1", "").body()).contains("Replica r1 is the last one");
        assertThat(send("DELETE", "/v1/members/r9", "").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/v1/members", body(all.get(1))).body()).contains("No server answers at");
        startInBackground(all.get(1));
        add(all.get(1));
        assertThat(send("POST", "/v1/members", body(all.get(1))).body()).contains("Replica r2 is a member already");
        assertThat(send("POST", "/v1/members", "{\"name\": \"r3\", \"log\": \"nowhere\", \"address\": \"http://a:1\"}")
                        .statusCode())
                .isEqualTo(400);
        startInBackground(all.get(2));
        add(all.get(2));
        stop("r2");
        assertThat(decidedBody("DELETE", "/v1/members/r3")).contains("no majority");
    }

    /** The file of the new replica does not name the leader, so it never opens its log, and the leader waits for that. */
    @Test
    void changeWhileAnotherIsUnderWay_isRefused() throws Exception {
        startAlone();
        startInBackground(all.get(1), all.subList(1, 4));
        var first = CompletableFuture.runAsync(() -> add(all.get(1)));
        await().atMost(SOON)
                .until(() -> members(all.get(0)).findValuesAsText("role").contains("LEARNER"));

        HttpResponse<String> added = send("POST", "/v1/members", body(all.get(2)));
        HttpResponse<String> replaced = send("POST", "/v1/members/r1:replace", "{}");

        assertThat(List.of(added, replaced)).allSatisfy(answer -> {
            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body()).contains("Another change of the members is under way");
        });
        assertThat(first).isNotDone();
    }

    /** It would leave as soon as it is a member, and then the cell would have no majority. */
    @Test
    void serverWithAnOlderProgram_isNotTaken() throws Exception {
        startAlone();
        Member older = all.get(1);
        HttpServer waiting = HttpServer.create(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), older.address().getPort()),
                0);
        try {
            answer(waiting, MemberDoors.IDENTITY_PATH, """
                    format=1
                    cell=%s
                    id=%s
                    log=false
                    level=%d
                    """.formatted(
                            cellName(), UUID.randomUUID(), EntryCodec.FEATURE_LEVEL_MAX - 1));
            waiting.start();

            HttpResponse<String> refused = send("POST", "/v1/members", body(older));

            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body())
                    .contains("knows feature level " + (EntryCodec.FEATURE_LEVEL_MAX - 1) + ", and the cell is at "
                            + EntryCodec.FEATURE_LEVEL_MAX);
        } finally {
            waiting.stop(0);
        }
    }

    private String cellName() throws IOException {
        return JSON.readTree(get(all.get(0).address().toString(), "/v1/cell").body())
                .get("name")
                .asText();
    }

    private static void answer(HttpServer server, String path, String text) {
        server.createContext(path, exchange -> {
            byte[] body = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    // ---- the servers

    private void startAlone() throws Exception {
        start(all.get(0), all.subList(0, 1));
    }

    /** It waits until the cell accepts it. */
    private void startInBackground(Member member) {
        startInBackground(member, all);
    }

    private void startInBackground(Member member, List<Member> rows) {
        Thread thread = new Thread(() -> {
            try {
                start(member, rows);
            } catch (Exception failure) {
                departures.add(member.name() + ": " + failure);
            }
        });
        starting.add(thread);
        thread.start();
    }

    /** A member may be in the cell before its start is over. */
    private void stop(String name) throws Exception {
        await().atMost(SOON).until(() -> running.containsKey(name));
        running.remove(name).close();
    }

    private void start(Member member, List<Member> rows) throws Exception {
        CellServerOptions options = CellServerOptions.defaults(data(member))
                .withPort(member.address().getPort())
                .withFreeBytesMin(0)
                .withReplica(ReplicaOptions.defaults()
                        .withLog(RatisOptions.defaults()
                                .withElectionTimeoutMin(Duration.ofMillis(500))
                                .withSegmentBytes(64 << 10))
                        .withLimits(ReplicaLimits.defaults().withCheckpointLogBytes(32 << 10))
                        .withMembership(new Membership(rows.isEmpty() ? "r1" : member.name(), rows)));
        running.put(member.name(), CellServer.start(options, (message, cause) -> departures.add(message)));
    }

    private Path data(Member member) {
        return folder.resolve(member.name());
    }

    // ---- the callers

    /** An earlier try may have done it and lost its answer, if the leader changed meanwhile. */
    private void add(Member member) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            HttpResponse<String> answer = send("POST", "/v1/members", body(member));
            boolean isAdded =
                    answer.statusCode() == 200 || answer.body().contains(member.name() + " is a member already");
            assertThat(isAdded).as(answer.body()).isTrue();
        });
    }

    private void awaitReady(String... names) {
        await().atMost(SOON)
                .until(() -> Stream.of(names)
                        .map(running::get)
                        .allMatch(server -> server != null
                                && get(server.address(), "/readyz").statusCode() == 200));
    }

    private static String body(Member member) {
        return "{\"name\": \"%s\", \"log\": \"%s\", \"address\": \"%s\"}"
                .formatted(member.name(), member.log(), member.address());
    }

    private JsonNode members(Member asked) throws IOException {
        return JSON.readTree(get(asked.address().toString(), "/v1/members").body())
                .get("members");
    }

    private void decided(String method, String path, String body) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            HttpResponse<String> answer = send(method, path, body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        });
    }

    private String decidedBody(String method, String path) {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> send(method, path, ""), answer -> answer.statusCode() == 409)
                .body();
    }

    /** To any running replica. */
    private HttpResponse<String> send(String method, String path, String body) {
        CellServer any = running.values().iterator().next();
        return send(any.address(), method, path, body);
    }

    private HttpResponse<String> get(String address, String path) {
        return send(address, "GET", path, "");
    }

    private HttpResponse<String> send(String address, String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Registers one machine after another, and records the acknowledged ones. */
    private final class Load implements AutoCloseable {
        private final List<String> acknowledged = new CopyOnWriteArrayList<>();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Thread thread = new Thread(this::run);

        Load() {
            thread.start();
        }

        private void run() {
            for (int number = 0; !stopped.get(); number++) {
                String machine = "m-" + number;
                try {
                    if (send("PUT", "/v1/machines/" + machine, CAPACITY).statusCode() == 200) {
                        acknowledged.add(machine);
                    }
                } catch (RuntimeException gone) {
                    // The server that was asked was just closed.
                }
            }
        }

        void awaitMore() {
            int before = acknowledged.size();
            await().atMost(SOON).until(() -> acknowledged.size() > before + 5);
        }

        void stop() {
            stopped.set(true);
            try {
                thread.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            stop();
        }
    }
}
