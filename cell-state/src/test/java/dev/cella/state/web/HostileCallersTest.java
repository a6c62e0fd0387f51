package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.google.api.AnnotationsProto;
import com.google.protobuf.Message;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.cella.client.access.TokenSecret;
import dev.cella.client.proto.CellServiceGrpc.CellServiceBlockingStub;
import dev.cella.state.Access;
import dev.cella.state.web.Contract.Route;
import dev.cella.state.web.RunningCell.Reply;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Callers without the right token, at every route and every method of gRPC. Each is refused, nothing changes, and a client
 * beside them with a right token goes on undisturbed.
 */
@Timeout(180)
class HostileCallersTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell(Access.closed(Security.TOKENS));

    /** An agent may ask who the members are, whatever machine it is for. */
    private static final Set<String> FOR_EVERY_AGENT = Set.of("GET /v1/members");

    /** The feed, and calls about its machines: with none of them in the message there is nothing to refuse. */
    private static final Set<String> GRPC_FOR_EVERY_AGENT =
            Set.of("ListMembers", "GetSpecification", "Watch", "Renew", "Report", "Start", "CommitStream");

    private static String reader = "";
    private static String agentOfNothing = "";

    /** What stands after {@code Authorization:}, by what is wrong with it. */
    private static final Map<String, String> STRANGERS = new LinkedHashMap<>();

    @BeforeAll
    static void makeTokens() {
        reader = token("reader", "read", "");
        agentOfNothing = token("agent", "machine:nothing-of-this-name", "");
        String revoked = token("revoked", "operate", "");
        asOperator("DELETE", "/v1/tokens/revoked", "").json();
        String expired = token(
                "expired", "operate", ", \"expiresAt\": \"" + Instant.now().plusSeconds(2) + "\"");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> CELL.get("/v1/cell", "Authorization", "Bearer " + expired)
                                .status()
                        == 401);
        RandomGenerator random = RandomGenerator.getDefault();
        STRANGERS.put("a revoked token", "Bearer " + revoked);
        STRANGERS.put("an expired token", "Bearer " + expired);
        STRANGERS.put("a token of another cell", "Bearer " + TokenSecret.make("elsewhere", random));
        STRANGERS.put("a token that nobody made", "Bearer " + TokenSecret.make("cell", random));
        STRANGERS.put("a token without its end", "Bearer " + reader.substring(0, reader.length() - 1));
        STRANGERS.put("a token with more at its end", "Bearer " + reader + "0");
        STRANGERS.put("no token", "Bearer ");
        STRANGERS.put("a name and a password", "Basic Y2VsbGE6Y2VsbGE=");
        STRANGERS.put("a very long token", "Bearer " + "a".repeat(4_000));
    }

    private static String token(String name, String scope, String rest) {
        Reply made = asOperator(
                "POST", "/v1/tokens", "{\"name\": \"%s\", \"scopes\": [\"%s\"]%s}".formatted(name, scope, rest));
        assertThat(made.status()).as(made.body()).isEqualTo(200);
        return made.json().get("secret").asText();
    }

    private static Reply asOperator(String verb, String path, String body) {
        return send("Bearer " + CELL.firstToken(), verb, path, body);
    }

    private static Reply send(String authorization, String verb, String path, String body) {
        return CELL.send(verb, path, body, "Authorization", authorization, "Content-Type", "application/json");
    }

    private static List<Route> routes() {
        return Contract.routes(
                send("Bearer " + reader, "GET", "/openapi.json", "").json());
    }

    private static long version() {
        return asOperator("GET", "/v1/cell", "").version();
    }

    @Test
    void strangers_areUnauthorizedAtEveryRoute_andAReaderBesideThemIsAnswered() {
        List<Route> routes = routes();
        long before = version();
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Set<Integer>> beside = CompletableFuture.supplyAsync(() -> readUntil(done));
        int refused = 0;
        for (Route route : routes) {
            for (Map.Entry<String, String> stranger : STRANGERS.entrySet()) {
                Reply answer = send(stranger.getValue(), route.verb(), route.path(), body(route));
                assertThat(answer.status())
                        .as("%s with %s: %s", route, stranger.getKey(), answer.body())
                        .isEqualTo(401);
                refused++;
            }
        }
        done.set(true);
        assertThat(refused).isGreaterThan(400);
        assertThat(beside.join()).containsExactly(200);
        assertThat(version()).isEqualTo(before);
    }

    private static Set<Integer> readUntil(AtomicBoolean done) {
        Set<Integer> seen = new HashSet<>();
        do {
            seen.add(send("Bearer " + reader, "GET", "/v1/jobs", "").status());
        } while (!done.get());
        return seen;
    }

    private static String body(Route route) {
        return route.verb().equals("GET") || route.verb().equals("DELETE") ? "" : "{}";
    }

    @Test
    void tokensWithoutTheScope_areForbiddenAtEveryRoute() {
        long before = version();
        for (Route route : routes()) {
            if (!FOR_EVERY_AGENT.contains(route.toString())) {
                assertForbidden(route, agentOfNothing);
            }
            if (!route.verb().equals("GET")) {
                assertForbidden(route, reader);
            }
        }
        assertThat(version()).isEqualTo(before);
    }

    /** A call with a required field missing is refused for that first, because some permissions depend on the fields. */
    private static void assertForbidden(Route route, String secret) {
        Reply answer = send("Bearer " + secret, route.verb(), route.path(), body(route));
        assertThat(answer.status()).as("%s: %s", route, answer.body()).isIn(400, 403);
    }

    @Test
    void strangers_areUnauthenticatedAtEveryMethodOfGrpc() {
        long before = version();
        int refused = 0;
        for (Map.Entry<String, String> stranger : STRANGERS.entrySet()) {
            Channel channel = channel(stranger.getValue());
            for (MethodDescriptor<?, ?> method : Contract.methods()) {
                Throwable failure = catchThrowable(() -> call(channel, method));
                assertThat(failure)
                        .as("%s with %s", method.getFullMethodName(), stranger.getKey())
                        .isNotNull();
                assertThat(Status.fromThrowable(failure).getCode())
                        .as("%s with %s: %s", method.getFullMethodName(), stranger.getKey(), failure)
                        .isEqualTo(Status.Code.UNAUTHENTICATED);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(300);
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void tokensWithoutTheScope_areForbiddenAtEveryMethodOfGrpc() {
        long before = version();
        for (MethodDescriptor<?, ?> method : Contract.methods()) {
            if (!GRPC_FOR_EVERY_AGENT.contains(method.getBareMethodName())) {
                assertForbidden(method, agentOfNothing);
            }
            if (!isRead(method)) {
                assertForbidden(method, reader);
            }
        }
        assertThat(version()).isEqualTo(before);
    }

    private static void assertForbidden(MethodDescriptor<?, ?> method, String secret) {
        Throwable failure = catchThrowable(() -> call(channel("Bearer " + secret), method));
        assertThat(failure).as(method.getFullMethodName()).isNotNull();
        assertThat(Status.fromThrowable(failure).getCode())
                .as("%s: %s", method.getFullMethodName(), failure)
                .isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    /** A method whose route is a GET, and the two that only gRPC has. A stream of no transactions has nothing to refuse. */
    private static boolean isRead(MethodDescriptor<?, ?> method) {
        ProtoMethodDescriptorSupplier descriptor =
                (ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor());
        return descriptor
                        .getMethodDescriptor()
                        .getOptions()
                        .getExtension(AnnotationsProto.http)
                        .hasGet()
                || Set.of("Watch", "GetSpecification", "CommitStream").contains(method.getBareMethodName());
    }

    private static Channel channel(String authorization) {
        return GrpcClients.builder("gproto+" + CELL.address())
                .setHeader(HttpHeaderNames.AUTHORIZATION, authorization)
                .build(CellServiceBlockingStub.class)
                .getChannel();
    }

    /** Calls it with an empty message; of a stream, with one message. */
    private static <Q, A> void call(Channel channel, MethodDescriptor<Q, A> method) {
        @SuppressWarnings("unchecked")
        MethodDescriptor.PrototypeMarshaller<Q> messages =
                (MethodDescriptor.PrototypeMarshaller<Q>) method.getRequestMarshaller();
        Q empty = messages.getMessagePrototype();
        assertThat(empty).isInstanceOf(Message.class);
        assertThat(method.getSchemaDescriptor()).isInstanceOf(ProtoMethodDescriptorSupplier.class);
        if (method.getType() == MethodDescriptor.MethodType.UNARY) {
            ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, empty);
        } else {
            ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, empty)
                    .forEachRemaining(answer -> {});
        }
    }
}
