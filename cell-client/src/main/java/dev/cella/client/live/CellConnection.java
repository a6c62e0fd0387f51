package dev.cella.client.live;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceStub;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceStub;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceStub;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cell's servers, and which of them is asked now. It holds no connection by itself: Armeria opens one when a call needs
 * it, shares it between calls, and finds out by pings that it is dead.
 *
 * <h2>Which server</h2>
 *
 * All who share a connection ask one server, so that what one of them has learnt about where the leader is serves all.
 * Who gets no answer there says so ({@link #turnFrom}), and everybody asks elsewhere from then on: where the refusal says
 * that the leader is, else the next of the addresses. A stream that works stays where it is. Which one is right is found
 * by asking and nowhere kept: a server that does not lead says so, or passes on what it is asked.
 *
 * <p>Safe to share between threads.
 */
public final class CellConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CellConnection.class);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PING_INTERVAL = Duration.ofSeconds(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    /** More than the largest piece of a snapshot or of changes. */
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    /** So often one call follows what it is told of the leader; an old word can be a circle. */
    private static final int TURNS_A_CALL = 2;

    private final CellAddresses addresses;
    private final ClientFactory factory;
    private final Map<URI, ServerStubs> known = new ConcurrentHashMap<>();
    private volatile ServerStubs asked;

    private CellConnection(CellAddresses addresses, ClientFactory factory) {
        this.addresses = addresses;
        this.factory = factory;
        this.asked = serverAt(addresses.first());
    }

    /** A connection to the cell of one server, at an address such as {@code http://127.0.0.1:7070}. */
    public static CellConnection open(URI address) {
        return open(CellAddresses.of(address));
    }

    public static CellConnection open(CellAddresses addresses) {
        ClientFactory factory = ClientFactory.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .pingInterval(PING_INTERVAL)
                .build();
        return new CellConnection(addresses, factory);
    }

    private ServerStubs serverAt(URI address) {
        return known.computeIfAbsent(address, this::stubs);
    }

    private ServerStubs stubs(URI address) {
        return new ServerStubs(
                address,
                stream(address, FeedServiceStub.class),
                stream(address, TransactionServiceStub.class),
                unary(address, SchedulerServiceStub.class),
                unary(address, AgentServiceStub.class));
    }

    private <S extends AbstractStub<S>> S unary(URI address, Class<S> stub) {
        return builder(address).responseTimeout(ANSWER_TIMEOUT).build(stub);
    }

    private <S extends AbstractStub<S>> S stream(URI address, Class<S> stub) {
        return builder(address).responseTimeoutMillis(0).build(stub);
    }

    private GrpcClientBuilder builder(URI address) {
        return GrpcClients.builder("gproto+" + address)
                .factory(factory)
                .maxResponseLength(0)
                .maxResponseMessageLength(MESSAGE_BYTES_MAX);
    }

    /** The server that is asked now. */
    ServerStubs server() {
        return asked;
    }

    /** Asks another server from now on, where the problem says that one may do better; who asked meanwhile has turned already. */
    synchronized void turnFrom(ServerStubs left, Problem problem) {
        if (!asked.equals(left) || !mayBeAnsweredElsewhere(problem)) {
            return;
        }
        URI next = problem.leader()
                .filter(leader -> !leader.equals(left.address()))
                .orElseGet(() -> addresses.after(left.address()));
        asked = serverAt(next);
        if (!asked.equals(left)) {
            LOG.info("server={}: asking {} instead ({})", left.address(), next, problem.detail());
        }
    }

    private static boolean mayBeAnsweredElsewhere(Problem problem) {
        return problem.type() == ProblemType.NO_LEADER || problem.type() == ProblemType.UNAVAILABLE;
    }

    /**
     * Makes one call; the answer fails with a {@link Problem}. A server that does not lead and says who does has done
     * nothing, so the call is made again there. Completed on a thread of the network.
     */
    <Q, A> CompletableFuture<A> call(Function<ServerStubs, BiConsumer<Q, StreamObserver<A>>> method, Q request) {
        return call(method, request, TURNS_A_CALL);
    }

    private <Q, A> CompletableFuture<A> call(
            Function<ServerStubs, BiConsumer<Q, StreamObserver<A>>> method, Q request, int turnsLeft) {
        ServerStubs server = server();
        Answer<A> answer = new Answer<>();
        method.apply(server).accept(request, answer);
        return answer.future.exceptionallyCompose(failure -> {
            Problem problem = problemOf(failure);
            turnFrom(server, problem);
            return problem.leader().isPresent() && turnsLeft > 0
                    ? call(method, request, turnsLeft - 1)
                    : CompletableFuture.failedFuture(problem);
        });
    }

    private static Problem problemOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof Problem problem ? problem : ProblemStatus.fromException(cause);
    }

    private static final class Answer<A> implements StreamObserver<A> {
        private final CompletableFuture<A> future = new CompletableFuture<>();

        @Override
        public void onNext(A answer) {
            future.complete(answer);
        }

        @Override
        public void onError(Throwable failure) {
            future.completeExceptionally(ProblemStatus.fromException(failure));
        }

        @Override
        public void onCompleted() {
            // The answer has come before.
        }
    }

    /** Ends every call that is under way. */
    @Override
    public void close() {
        factory.close();
    }
}
