package dev.cella.client.live;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceStub;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceStub;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceStub;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * One cell's address, and the stubs to call it by. It holds no connection by itself: Armeria opens one when a call needs
 * it, shares it between calls, and finds out by pings that it is dead.
 *
 * <p>Safe to share between threads.
 */
public final class CellConnection implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PING_INTERVAL = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    /** More than the largest piece of a snapshot or of changes. */
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    private final URI address;
    private final ClientFactory factory;
    private final FeedServiceStub feed;
    private final TransactionServiceStub transactions;
    private final SchedulerServiceStub schedulers;
    private final AgentServiceStub agents;

    private CellConnection(URI address, ClientFactory factory) {
        this.address = address;
        this.factory = factory;
        this.feed = stream(FeedServiceStub.class);
        this.transactions = stream(TransactionServiceStub.class);
        this.schedulers = unary(SchedulerServiceStub.class);
        this.agents = unary(AgentServiceStub.class);
    }

    /** A connection to the cell at an address such as {@code http://127.0.0.1:7070}. */
    public static CellConnection open(URI address) {
        ClientFactory factory = ClientFactory.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .pingInterval(PING_INTERVAL)
                .build();
        return new CellConnection(address, factory);
    }

    private <S extends AbstractStub<S>> S unary(Class<S> stub) {
        return builder().responseTimeout(ANSWER_TIMEOUT).build(stub);
    }

    private <S extends AbstractStub<S>> S stream(Class<S> stub) {
        return builder().responseTimeoutMillis(0).build(stub);
    }

    private GrpcClientBuilder builder() {
        return GrpcClients.builder("gproto+" + address)
                .factory(factory)
                .maxResponseLength(0)
                .maxResponseMessageLength(MESSAGE_BYTES_MAX);
    }

    public URI address() {
        return address;
    }

    FeedServiceStub feed() {
        return feed;
    }

    TransactionServiceStub transactions() {
        return transactions;
    }

    SchedulerServiceStub schedulers() {
        return schedulers;
    }

    AgentServiceStub agents() {
        return agents;
    }

    /** Makes one call; the answer fails with a {@link dev.cella.client.Problem}. Completed on a thread of the network. */
    static <Q, A> CompletableFuture<A> call(BiConsumer<Q, StreamObserver<A>> method, Q request) {
        Answer<A> answer = new Answer<>();
        method.accept(request, answer);
        return answer.future;
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
