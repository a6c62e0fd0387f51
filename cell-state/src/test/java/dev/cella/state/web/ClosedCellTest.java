package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Durations;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.access.TokenSecret;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceBlockingStub;
import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceBlockingStub;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.client.proto.QueuedTask;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportedWaits;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceBlockingStub;
import dev.cella.client.proto.StartRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import dev.cella.client.proto.WaitRow;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.Access;
import dev.cella.state.web.RunningCell.Reply;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell with tokens: a client without a token gets nothing, and a token allows exactly what its scopes say. */
@Timeout(180)
class ClosedCellTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell(Access.closed(Security.TOKENS));

    private static String reader = "";
    private static String submitter = "";
    private static String scheduler = "";
    private static String agent = "";

    @BeforeAll
    static void makeTokens() {
        reader = token("reader", "read");
        submitter = token("submitter", "submit");
        scheduler = token("scheduler", "schedule:batch");
        agent = token("agent", "machine:m-*");
        as(CELL.firstToken(), "PUT", "/v1/machines/m-1", machine()).json();
    }

    private static String machine() {
        return "{\"capacity\": {\"cpuMilli\": 4000, \"memoryMib\": 4096}}";
    }

    private static String token(String name, String scope, String... pools) {
        String body = "{\"name\": \"%s\", \"scopes\": [\"%s\"], \"pools\": [%s]}"
                .formatted(
                        name,
                        scope,
                        String.join(
                                ",",
                                Stream.of(pools).map(pool -> "\"" + pool + "\"").toList()));
        Reply made = as(CELL.firstToken(), "POST", "/v1/tokens", body);
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        return made.json().get("secret").asText();
    }

    private static Reply as(String secret, String verb, String path, String body) {
        return CELL.send(verb, path, body, "Authorization", "Bearer " + secret, "Content-Type", "application/json");
    }

    // ---- what was asked

    @Test
    void audit_saysWhoAskedForWhat_andIsForOperators() {
        String alice = token("alice", "submit");
        as(alice, "POST", "/v1/jobs", RunningCell.job("audited", 1));
        as(alice, "DELETE", "/v1/jobs/audited", "");
        as(CELL.firstToken(), "POST", "/v1/machines/m-1:drain", "{}");
        as(CELL.firstToken(), "POST", "/v1/machines/m-1:ready", "{}");

        JsonNode audit =
                as(CELL.firstToken(), "GET", "/v1/audit?principal=alice", "").json();

        assertThat(audit.get("keptAfter").asLong()).isZero();
        assertThat(audit.get("audit"))
                .extracting(row -> row.get("principal").asText() + " "
                        + row.get("command").asText() + " " + row.get("subject").asText() + " "
                        + row.get("result").asText())
                .containsExactly("alice SUBMIT_JOB audited CREATED", "alice STOP_JOB audited CHANGED");
        long first = audit.get("audit").get(0).get("version").asLong();
        assertThat(as(CELL.firstToken(), "GET", "/v1/audit?limit=1&after=" + first, "")
                        .json()
                        .get("audit"))
                .extracting(row -> row.get("command").asText())
                .containsExactly("STOP_JOB");
        assertThat(as(CELL.firstToken(), "GET", "/v1/audit", "").body()).contains("DRAIN_MACHINE", "PUT_TOKEN");
        assertThat(as(alice, "GET", "/v1/audit", "").status()).isEqualTo(403);
    }

    // ---- two at once

    @Test
    void tokensOfOneNameAtOnce_onlyOneIsMade() {
        String body = "{\"name\": \"twin\", \"scopes\": [\"read\"]}";
        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<Reply>> asked = Stream.generate(() -> CompletableFuture.supplyAsync(
                            () -> as(CELL.firstToken(), "POST", "/v1/tokens", body),
                            request -> new Thread(request, "twin").start()))
                    .limit(4)
                    .toList();
            List<Reply> answers = asked.stream().map(CompletableFuture::join).toList();

            assertThat(answers).extracting(Reply::status).containsOnlyOnce(200).containsOnly(200, 409);
            Reply made = answers.stream()
                    .filter(answer -> answer.status() == 200)
                    .findFirst()
                    .orElseThrow();
            String secret = made.json().get("secret").asText();
            assertThat(as(secret, "GET", "/v1/cell", "").status()).isEqualTo(200);
            as(CELL.firstToken(), "DELETE", "/v1/tokens/twin", "").json();
        }
    }

    // ---- without a token

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/cell",
                "/v1/machines",
                "/v1/jobs",
                "/v1/tasks",
                "/v1/schedulers",
                "/v1/conflicts",
                "/v1/feed",
                "/v1/tokens",
                "/v1/tasks/a/b/0:logs",
                "/metrics",
                "/",
                "/nosuch"
            })
    void withoutAToken_isUnauthorized(String path) {
        Reply refused = CELL.get(path);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("www-authenticate")).startsWith("Bearer");
        refused.problem(401, "unauthorized");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/readyz", "/docs", "/login"})
    void whatEverybodyMaySee_isShown(String path) {
        assertThat(CELL.get(path).status()).isEqualTo(200);
    }

    @Test
    void tokenThatIsNone_isUnauthorizedInWords() {
        String other = TokenSecret.make("elsewhere", RandomGenerator.getDefault());
        String unknown = TokenSecret.make("cell", RandomGenerator.getDefault());
        assertThat(as(other, "GET", "/v1/cell", "")
                        .problem(401, "unauthorized")
                        .get("detail")
                        .asText())
                .contains("is of the cell elsewhere");
        assertThat(as(unknown, "GET", "/v1/cell", "")
                        .problem(401, "unauthorized")
                        .get("detail")
                        .asText())
                .contains("not known here");
        assertThat(as("x", "GET", "/v1/cell", "")
                        .problem(401, "unauthorized")
                        .get("detail")
                        .asText())
                .contains("no token");
        assertThat(CELL.get("/v1/cell", "Authorization", "Basic YTpi").status()).isEqualTo(401);
    }

    @Test
    void firstToken_isInAFileThatOnlyItsOwnerCanRead() throws Exception {
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(CELL.data().resolve("token"))))
                .isEqualTo("rw-------");
        assertThat(as(CELL.firstToken(), "GET", "/v1/cell", "").status()).isEqualTo(200);
    }

    // ---- what a token allows

    static Stream<Arguments> calls() {
        return Stream.of(
                call("GET", "/v1/cell", "", "reader", "submitter", "scheduler"),
                call("GET", "/v1/jobs", "", "reader", "submitter", "scheduler"),
                call("GET", "/v1/offers", "", "reader", "submitter", "scheduler"),
                call("GET", "/metrics", "", "reader", "submitter", "scheduler"),
                call("GET", "/v1/tokens", ""),
                call("POST", "/v1/tokens", "{\"name\": \"more\", \"scopes\": [\"operate\"]}"),
                call("DELETE", "/v1/tokens/reader", ""),
                call("POST", "/v1/jobs", RunningCell.job("of-submitter", 1), "submitter"),
                call("PUT", "/v1/jobs/of-submitter", RunningCell.job("of-submitter", 1), "submitter"),
                call("DELETE", "/v1/jobs/of-submitter", "", "submitter"),
                call("POST", "/v1/tasks/of-submitter/main/9999999:status", "{\"attempt\": 1, \"state\": \"RUNNING\"}"),
                call("PUT", "/v1/machines/m-2", machine(), "agent"),
                call("PUT", "/v1/machines/other", machine()),
                call("POST", "/v1/machines/m-1:drain", "{}"),
                call("POST", "/v1/machines/m-1:ready", "{}"),
                call("DELETE", "/v1/machines/m-1", ""),
                call("PUT", "/v1/schedulers/batch/sessions/a", "{\"type\": \"batch\"}", "scheduler"),
                call("PUT", "/v1/schedulers/other/sessions/a", "{\"type\": \"batch\"}"),
                call("POST", "/v1/schedulers/batch:pause", "{}"),
                call("POST", "/v1/schedulers/batch:suppress", "", "scheduler"),
                call("POST", "/v1/schedulers/batch:revive", "", "scheduler"),
                call("POST", "/v1/schedulers/other:suppress", ""),
                call("POST", "/v1/schedulers/other:revive", ""),
                call("POST", "/v1/offers/999999.0:decline", "{}", "scheduler"),
                call("POST", "/v1/offers/nonsense:decline", "{}", "scheduler"),
                call("POST", "/v1/transactions", "{\"id\": \"closed-1\", \"scheduler\": \"batch\"}", "scheduler"),
                call("POST", "/v1/transactions", "{\"id\": \"closed-2\", \"scheduler\": \"other\"}"));
    }

    private static Arguments call(String verb, String path, String body, String... mayBeMadeBy) {
        return Arguments.of(verb, path, body, List.of(mayBeMadeBy));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("calls")
    void call_isForbiddenToEveryTokenWithoutItsScope(String verb, String path, String body, List<String> allowed) {
        for (String name : List.of("reader", "submitter", "scheduler", "agent")) {
            Reply answer = as(secret(name), verb, path, body);
            if (allowed.contains(name)) {
                assertThat(answer.status())
                        .as("%s %s as %s: %s", verb, path, name, answer.body())
                        .isNotIn(401, 403);
            } else {
                answer.problem(403, "forbidden");
                assertThat(answer.body()).contains(name).doesNotContain(secret(name));
            }
        }
    }

    private static String secret(String name) {
        return switch (name) {
            case "reader" -> reader;
            case "submitter" -> submitter;
            case "scheduler" -> scheduler;
            default -> agent;
        };
    }

    @Test
    void scheduler_declinesItsOwnOffersAlone() {
        String takes = token("takes", "schedule:takes");
        String own = offerTo("takes");
        String foreign = offerTo("other-takes");

        as(takes, "POST", "/v1/offers/" + foreign + ":decline", "{}").problem(403, "forbidden");
        assertThat(as(takes, "POST", "/v1/offers/" + own + ":decline", "{}").status())
                .isEqualTo(200);

        as(takes, "POST", "/v1/offers/" + own + ":decline", "{}").problem(404, "not-found");
        as(takes, "POST", "/v1/offers/nonsense:decline", "{}").problem(400, "bad-request");
        assertThat(as(takes, "GET", "/v1/offers", "").json().get("offers"))
                .extracting(offer -> offer.get("offer").asText())
                .containsExactly(foreign);
        assertThat(as(takes, "POST", "/v1/schedulers/takes:suppress", "").status())
                .isEqualTo(200);
    }

    /** The name of an offer to that scheduler, which an operator has made. */
    private static String offerTo(String scheduler) {
        String operator = CELL.firstToken();
        as(operator, "PUT", "/v1/machines/m-" + scheduler, machine()).json();
        long session = as(
                        operator,
                        "PUT",
                        "/v1/schedulers/" + scheduler + "/sessions/one",
                        "{\"lease\": \"1h\", \"offers\": true}")
                .json()
                .get("session")
                .asLong();
        as(operator, "POST", "/v1/transactions", """
                {"id": "to-%s", "scheduler": "allocator", "holds": [{"session": %d, "machine": "m-%s",
                 "resources": {"cpuMilli": 1000, "memoryMib": 100}, "expiresAfter": "1h"}]}
                """.formatted(scheduler, session, scheduler))
                .json();
        return as(operator, "GET", "/v1/offers?scheduler=" + scheduler, "")
                .json()
                .get("offers")
                .get(0)
                .get("offer")
                .asText();
    }

    @Test
    void tokenOfAPool_submitsThereAndBelow() {
        String vision = token("vision", "submit", "research/vision");
        assertThat(as(vision, "POST", "/v1/jobs", inPool("p1", "research/vision"))
                        .status())
                .isEqualTo(201);
        assertThat(as(vision, "POST", "/v1/jobs", inPool("p2", "research/vision/deep"))
                        .status())
                .isEqualTo(201);
        as(vision, "POST", "/v1/jobs", inPool("p3", "research")).problem(403, "forbidden");
        as(vision, "POST", "/v1/jobs", RunningCell.job("p4", 1)).problem(403, "forbidden");
        as(submitter, "POST", "/v1/jobs", RunningCell.job("p5", 1)).json();
        as(vision, "DELETE", "/v1/jobs/p5", "").problem(403, "forbidden");
    }

    /** An earlier generation of the job may be of a pool that is not the token's. */
    @Test
    void tokenOfAPool_doesNotRevertAJobOutOfIt() {
        String operator = CELL.firstToken();
        String sound = token("sound", "submit", "research/sound");
        as(operator, "POST", "/v1/jobs", inPool("moved", "research/production")).json();
        as(operator, "PUT", "/v1/jobs/moved", inPool("moved", "research/sound")).json();

        as(sound, "POST", "/v1/jobs/moved:revert", "{\"generation\": 1}").problem(403, "forbidden");
        as(operator, "POST", "/v1/jobs/moved:revert", "{\"generation\": 1}").json();
        as(sound, "PUT", "/v1/jobs/moved", inPool("moved", "research/sound")).problem(403, "forbidden");

        as(sound, "POST", "/v1/jobs", inPool("stays", "research/sound")).json();
        String more = inPool("stays", "research/sound").replaceFirst("\\{", "{\"priority\": 20, ");
        assertThat(as(sound, "PUT", "/v1/jobs/stays", more).status()).isEqualTo(200);
        assertThat(as(sound, "POST", "/v1/jobs/stays:revert", "{\"generation\": 1}")
                        .status())
                .isEqualTo(200);
    }

    private static String inPool(String name, String pool) {
        return RunningCell.job(name, 1).replaceFirst("\\{", "{\"pool\": \"" + pool + "\", ");
    }

    @Test
    void tokenThatWasRevoked_orThatExpired_isUnauthorized() {
        String gone = token("gone", "read");
        assertThat(as(gone, "GET", "/v1/cell", "").status()).isEqualTo(200);
        as(CELL.firstToken(), "DELETE", "/v1/tokens/gone", "").json();
        as(gone, "GET", "/v1/cell", "").problem(401, "unauthorized");

        as(
                        CELL.firstToken(),
                        "POST",
                        "/v1/tokens",
                        "{\"name\": \"late\", \"scopes\": [\"read\"], \"expiresAt\": \""
                                + Instant.now().minusSeconds(60) + "\"}")
                .problem(400, "bad-request");
    }

    /** To revoke the older one first would take a running agent's machine away. */
    @Test
    void tokenOfATakenName_isRefused_withAnotherNameAsTheFirstAdvice() {
        token("taken", "read");
        JsonNode refused = as(CELL.firstToken(), "POST", "/v1/tokens", "{\"name\": \"taken\", \"scopes\": [\"read\"]}")
                .problem(409, "conflict");
        assertThat(refused.get("hint").asText()).startsWith("use another name").contains("cella token revoke taken");
        as(CELL.firstToken(), "DELETE", "/v1/tokens/taken", "").json();
    }

    /** Whatever it follows would otherwise go on as long as its connection. */
    @Test
    void tokenThatIsRevoked_endsWhatItFollows() throws Exception {
        String bearer = "Bearer " + token("follower", "read");
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(
                () -> CELL.get("/v1/cell?changedAfter=999999999&wait=60s", "Authorization", bearer),
                wait -> new Thread(wait, "waiting").start());
        Iterator<FeedFrame> watched = client(FeedServiceBlockingStub.class, bearer.substring("Bearer ".length()))
                .watch(WatchRequest.getDefaultInstance());
        watched.next();
        try (RunningCell.EventStream feed = CELL.events("/v1/feed?figures=true", "Authorization", bearer);
                RunningCell.EventStream others =
                        CELL.events("/v1/feed?figures=true", "Authorization", "Bearer " + reader)) {
            assertThat(feed.next().event()).isEqualTo("snapshot");

            as(CELL.firstToken(), "DELETE", "/v1/tokens/follower", "").json();

            assertThat(catchThrowable(() -> readAll(feed))).isInstanceOf(IOException.class);
            assertThat(catchThrowable(() -> watched.forEachRemaining(frame -> {})))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            failure -> assertThat(failure.getStatus().getCode())
                                    .isNotEqualTo(Status.Code.DEADLINE_EXCEEDED));
            waiting.join().problem(401, "unauthorized");
            as(CELL.firstToken(), "PUT", "/v1/machines/m-later", machine()).json();
            awaitRow(others, "m-later");
        }
    }

    private static void awaitRow(RunningCell.EventStream feed, String name) throws IOException {
        while (!feed.next().data().toString().contains("\"name\":\"" + name)) {
            // Other rows may come first.
        }
    }

    private static void readAll(RunningCell.EventStream feed) throws IOException {
        while (feed.lines().readLine() != null) {
            // Goes on until the server ends the answer.
        }
    }

    @Test
    void lastTokenThatMayOperate_isNotRevoked_untilThereIsAnother() {
        JsonNode refused =
                as(CELL.firstToken(), "DELETE", "/v1/tokens/first", "").problem(409, "conflict");
        assertThat(refused.get("hint").asText()).contains("make another one first");

        String admin = token("admin", "operate");
        as(CELL.firstToken(), "DELETE", "/v1/tokens/admin", "").json();
        as(admin, "GET", "/v1/cell", "").problem(401, "unauthorized");
        assertThat(as(CELL.firstToken(), "GET", "/v1/cell", "").status()).isEqualTo(200);
    }

    @Test
    void list_saysEverythingButTheSecretAndItsHash() {
        Reply list = as(CELL.firstToken(), "GET", "/v1/tokens", "");
        assertThat(list.body()).contains("\"name\":\"first\"", "schedule:batch");
        assertThat(list.body()).doesNotContain(reader, TokenSecret.hash(reader), "cella_cell");
    }

    @Test
    void cookie_isAToken_andLoginMakesOne() {
        Reply login = login(reader, "Origin", CELL.address());
        assertThat(login.status()).as(login.body()).isEqualTo(303);
        assertThat(login.header("set-cookie").toLowerCase(Locale.ROOT)).contains("httponly", "samesite=strict");
        String cookie = login.header("set-cookie").split(";", -1)[0];
        assertThat(CELL.get("/v1/cell", "Cookie", cookie).status()).isEqualTo(200);
        assertThat(CELL.get("/", "Accept", "text/html").body()).contains("asks for a token");
        assertThat(CELL.get("/v1/cell", "Cookie", cookie.replaceFirst("=.*", "=x"))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void loginPage_saysWhyATokenIsRefused() {
        String elsewhere = TokenSecret.make("elsewhere", RandomGenerator.getDefault());
        assertThat(pageOf(elsewhere).body()).contains("<p role=\"alert\">This token is of the cell elsewhere, and");
        assertThat(pageOf(agent).body()).contains("<form", "<p role=\"alert\">The token agent may not see the cell.");
        assertThat(pageOf(agent).status()).isEqualTo(401);
        assertThat(CELL.get("/", "Accept", "text/html").body()).contains("<p role=\"alert\"></p>", "width:100%;");
        assertThat(login("a%22b").body()).contains("<form", "This is no token. A token has letters, digits, dots");
        assertThat(login("a".repeat(201)).body())
                .contains("<form", "This is no token. A token has at most 200 characters.");
        assertThat(login("").body()).contains("<form", "<p role=\"alert\"></p>");
    }

    private static Reply pageOf(String secret) {
        return CELL.get("/", "Accept", "text/html", "Cookie", "cella-token=" + secret);
    }

    /** Browsers send a cookie to every port of its host. */
    @Test
    void cookie_isForOnePort() {
        int port = CELL.uri("/").getPort();
        String other = "cella-token-" + (port - 1) + "=x";
        assertThat(login(reader).header("set-cookie")).startsWith("cella-token-" + port + "=" + reader);
        assertThat(CELL.get("/v1/cell", "Cookie", other + "; cella-token-" + port + "=" + reader)
                        .status())
                .isEqualTo(200);
        assertThat(CELL.get("/v1/cell", "Cookie", other)
                        .problem(401, "unauthorized")
                        .get("detail")
                        .asText())
                .contains("asks for a token");
    }

    /** A browser sends the form of a page with the policy no-referrer with {@code Origin: null}. */
    @Test
    void loginPage_letsTheBrowserSayItsOrigin_whichIsChecked() {
        assertThat(CELL.get("/login").header("referrer-policy")).isEqualTo("same-origin");
        assertThat(CELL.get("/", "Accept", "text/html").header("referrer-policy"))
                .isEqualTo("same-origin");
        login(reader, "Origin", "null").problem(403, "forbidden");
        login(reader, "Origin", "http://evil.example").problem(403, "forbidden");
    }

    private static Reply login(String token, String... headers) {
        return CELL.send(
                "POST",
                "/login",
                "token=" + token,
                Stream.concat(Stream.of("Content-Type", "application/x-www-form-urlencoded"), Stream.of(headers))
                        .toArray(String[]::new));
    }

    // ---- gRPC

    private static <S extends AbstractStub<S>> S client(Class<S> stub, String secret) {
        return GrpcClients.builder("gproto+" + CELL.address())
                .setHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + secret)
                .build(stub);
    }

    private static ProblemType problem(Runnable call) {
        Throwable failure = catchThrowable(call::run);
        assertThat(failure).isNotNull();
        return failure instanceof Problem problem
                ? problem.type()
                : ProblemStatus.fromException(failure).type();
    }

    @Test
    void scheduler_opensItsOwnSessionsAlone() {
        OpenSessionRequest own = OpenSessionRequest.newBuilder()
                .setName("batch")
                .setInstance("grpc")
                .setType("batch")
                .build();
        assertThat(client(SchedulerServiceBlockingStub.class, scheduler)
                        .openSession(own)
                        .getSession())
                .isPositive();
        assertThat(problem(() -> client(SchedulerServiceBlockingStub.class, scheduler)
                        .openSession(own.toBuilder().setName("web").build())))
                .isEqualTo(ProblemType.FORBIDDEN);
        assertThat(problem(() -> client(SchedulerServiceBlockingStub.class, "x").openSession(own)))
                .isEqualTo(ProblemType.UNAUTHORIZED);
    }

    @Test
    void agent_speaksForItsOwnMachinesAlone() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class, agent);
        RegisterRequest own = RegisterRequest.newBuilder()
                .setMachine("m-grpc")
                .setBootId("boot")
                .setAddress("http://127.0.0.1:1")
                .putCapacity("cpuMilli", 1_000)
                .build();
        assertThat(agents.register(own).getRegisteredVersion()).isPositive();
        assertThat(problem(
                        () -> agents.register(own.toBuilder().setMachine("db-1").build())))
                .isEqualTo(ProblemType.FORBIDDEN);
        assertThat(problem(() -> client(AgentServiceBlockingStub.class, reader).register(own)))
                .isEqualTo(ProblemType.FORBIDDEN);
    }

    @Test
    void agent_renewsWithWhatConcernsItsOwnMachinesAlone() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class, agent);
        Registration own = agents.register(registering("m-renews"));
        Registration foreign =
                client(AgentServiceBlockingStub.class, CELL.firstToken()).register(registering("db-renews"));
        long job = as(CELL.firstToken(), "POST", "/v1/jobs", RunningCell.job("renews", 2))
                .json()
                .get("version")
                .asLong();
        as(CELL.firstToken(), "POST", "/v1/transactions", """
                {"id": "renews-1", "scheduler": "batch", "claims": [
                 {"task": "renews/main/0", "machine": "m-renews"}, {"task": "renews/main/1", "machine": "db-renews"}]}
                """).json();
        RenewRequest request = RenewRequest.newBuilder()
                .setIncarnation(own.getIncarnation())
                .addRegisteredVersions(own.getRegisteredVersion())
                .addWaits(waits(own.getRegisteredVersion()))
                .addUsage(usage(job, 0, 1))
                .build();
        assertThat(agents.renew(request).getRenewals(0).getKnown()).isTrue();
        for (RenewRequest more : List.of(
                request.toBuilder()
                        .addRegisteredVersions(foreign.getRegisteredVersion())
                        .build(),
                request.toBuilder()
                        .addWaits(waits(foreign.getRegisteredVersion()))
                        .build(),
                request.toBuilder().addUsage(usage(job, 1, 1)).build())) {
            assertThat(problem(() -> agents.renew(more))).isEqualTo(ProblemType.FORBIDDEN);
        }

        RenewRequest ofWhatIsGone = request.toBuilder()
                .addWaits(waits(999_999))
                .addUsage(usage(job, 1, 2))
                .addUsage(usage(job, 7, 1))
                .addUsage(usage(999_999, 0, 1))
                .build();
        assertThat(agents.renew(ofWhatIsGone).getRenewals(0).getKnown())
                .as("it keeps its lease")
                .isTrue();
        RenewRequest ofAnotherHistory = RenewRequest.newBuilder()
                .setIncarnation(own.getIncarnation() + 1)
                .addRegisteredVersions(foreign.getRegisteredVersion())
                .build();
        assertThat(agents.renew(ofAnotherHistory).getRenewals(0).getKnown())
                .as("it learns that it must register again")
                .isFalse();
    }

    /** There, the same numbers may be those of another agent's machines and tasks. */
    @Test
    void agent_ofAnotherHistory_isToldSo_notThatItMayNot() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class, agent);
        Registration foreign =
                client(AgentServiceBlockingStub.class, CELL.firstToken()).register(registering("db-restored"));
        long job = as(CELL.firstToken(), "POST", "/v1/jobs", RunningCell.job("restored", 1))
                .json()
                .get("version")
                .asLong();
        as(CELL.firstToken(), "POST", "/v1/transactions", """
                {"id": "restored-1", "scheduler": "batch", "claims": [{"task": "restored/main/0", "machine": "db-restored"}]}
                """).json();
        ReportRequest report = ReportRequest.newBuilder()
                .setIncarnation(foreign.getIncarnation())
                .addReports(TaskReport.newBuilder()
                        .setJobVersion(job)
                        .setAttempt(1)
                        .setPlacementVersion(job)
                        .setState(TaskState.TASK_STATE_RUNNING))
                .build();
        StartRequest start = StartRequest.newBuilder()
                .setIncarnation(foreign.getIncarnation())
                .setId("start")
                .addTasks(QueuedTask.newBuilder().setRegisteredVersion(foreign.getRegisteredVersion()))
                .build();
        assertThat(problem(() -> agents.report(report))).isEqualTo(ProblemType.FORBIDDEN);
        assertThat(problem(() -> agents.start(start))).isEqualTo(ProblemType.FORBIDDEN);

        long other = foreign.getIncarnation() + 1;
        assertThat(problem(() ->
                        agents.report(report.toBuilder().setIncarnation(other).build())))
                .isEqualTo(ProblemType.CONFLICT);
        assertThat(problem(() ->
                        agents.start(start.toBuilder().setIncarnation(other).build())))
                .isEqualTo(ProblemType.CONFLICT);
    }

    @Test
    void agent_reportsOfATaskThatCannotBe_isABadRequest() {
        ReportRequest impossible = ReportRequest.newBuilder()
                .addReports(TaskReport.newBuilder()
                        .setJobVersion(1)
                        .setGroup(-1)
                        .setAttempt(1)
                        .setPlacementVersion(1)
                        .setState(TaskState.TASK_STATE_RUNNING))
                .build();
        assertThat(problem(() -> client(AgentServiceBlockingStub.class, agent).report(impossible)))
                .isEqualTo(ProblemType.BAD_REQUEST);
    }

    private static RegisterRequest registering(String machine) {
        return RegisterRequest.newBuilder()
                .setMachine(machine)
                .setBootId("boot")
                .setAddress("http://127.0.0.1:1")
                .setLease(Durations.fromSeconds(3_600))
                .putCapacity("cpuMilli", 1_000)
                .putCapacity("memoryMib", 1_024)
                .build();
    }

    private static ReportedWaits waits(long registeredVersion) {
        return ReportedWaits.newBuilder()
                .setRegisteredVersion(registeredVersion)
                .setWaits(MachineWaits.newBuilder()
                        .addCpuMilli(1_000)
                        .addMemoryMib(1_024)
                        .addRows(WaitRow.newBuilder().addWaits(Durations.fromSeconds(1))))
                .build();
    }

    private static AttemptUsage usage(long job, int index, int attempt) {
        return AttemptUsage.newBuilder()
                .setJobVersion(job)
                .setIndex(index)
                .setAttempt(attempt)
                .setUsage(TaskUsage.newBuilder().setCpuMilli(40))
                .build();
    }

    @Test
    void feed_isSeenByReadersAndAgents() {
        for (String secret : List.of(reader, scheduler, agent)) {
            assertThat(client(FeedServiceBlockingStub.class, secret)
                            .watch(WatchRequest.getDefaultInstance())
                            .hasNext())
                    .isTrue();
        }
        assertThat(problem(() -> {
                    var unused = client(FeedServiceBlockingStub.class, "x")
                            .watch(WatchRequest.getDefaultInstance())
                            .next();
                }))
                .isEqualTo(ProblemType.UNAUTHORIZED);
    }

    @Test
    void transactionOfAnotherScheduler_endsTheStream() {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        StreamObserver<CommitFrame> frames = client(TransactionServiceStub.class, scheduler)
                .commitStream(new StreamObserver<OutcomeFrame>() {
                    @Override
                    public void onNext(OutcomeFrame outcomes) {}

                    @Override
                    public void onError(Throwable failure) {
                        ended.complete(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        Transaction foreign = Transaction.builder(new TransactionId("foreign-1"), "web")
                .claim(new TaskId(new JobId(1), 0, 0), 1, 1)
                .build();
        frames.onNext(CommitFrame.newBuilder()
                .addTransactions(ByteString.copyFrom(TransactionCodec.encode(foreign)))
                .build());
        assertThat(ProblemStatus.fromException(ended.join()).type()).isEqualTo(ProblemType.FORBIDDEN);
    }
}
