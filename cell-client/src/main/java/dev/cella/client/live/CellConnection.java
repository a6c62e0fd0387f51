package dev.cella.client.live;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceStub;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceStub;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobServiceGrpc.JobServiceStub;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.ListMembersRequest;
import dev.cella.client.proto.Member;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.MemberServiceGrpc.MemberServiceStub;
import dev.cella.client.proto.OfferServiceGrpc.OfferServiceStub;
import dev.cella.client.proto.RevertJobRequest;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceStub;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cell's servers, and which one is in use. It holds no connection itself: Armeria opens one when a call needs it, shares it
 * between calls, and detects by pings that it is dead.
 *
 * <h2>Which server</h2> All users of a connection use one server, so that all profit when one of them learns where the leader
 * is. A caller without an answer reports it ({@link #turnFrom}), and from then on all callers use another server: the leader,
 * if the refusal named it, otherwise the next address. A working stream stays where it is. The right server is found by asking
 * and stored nowhere: a server that does not lead says so, or forwards the request. The connection asks for the members now
 * and then, so that it also knows servers that came later.
 *
 * <p>Safe to share between threads.
 */
public final class CellConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CellConnection.class);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration LEARN_FIRST = Duration.ofSeconds(1);
    private static final Duration LEARN_EVERY = Duration.ofSeconds(10);

    /**
     * A piece of a snapshot has up to a thousand jobs with their specifications. The heap of the servers bounds these, not a
     * number, and a private replica needs room for all of them anyway.
     */
    private static final int MESSAGE_BYTES_MAX = Integer.MAX_VALUE;

    /** The limit of redirects to the leader in one call; outdated answers may form a circle. */
    private static final int TURNS_A_CALL = 2;

    private final CellAddresses given;
    private final ClientFactory factory;
    private final ScheduledFuture<?> learning;
    private final Map<URI, ServerStubs> known = new ConcurrentHashMap<>();
    private volatile ServerStubs asked;
    private volatile CellAddresses addresses;

    private CellConnection(CellAddresses given, ClientFactory factory) {
        this.given = given;
        this.addresses = given;
        this.factory = factory;
        this.asked = serverAt(given.first());
        this.learning = factory.eventLoopGroup()
                .scheduleWithFixedDelay(
                        this::askForMembers, LEARN_FIRST.toMillis(), LEARN_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A connection to the cell of one server, at an address such as {@code http://127.0.0.1:7070}. */
    public static CellConnection open(URI address) {
        return open(CellAddresses.of(address));
    }

    public static CellConnection open(CellAddresses addresses) {
        ClientFactoryBuilder factory = ClientFactory.builder().connectTimeout(CONNECT_TIMEOUT);
        SilentServers.leave(factory);
        addresses.access().tls().ifPresent(tls -> ClientTls.set(factory, tls));
        return new CellConnection(addresses, factory.build());
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
                unary(address, AgentServiceStub.class),
                unary(address, MemberServiceStub.class),
                unary(address, OfferServiceStub.class),
                unary(address, JobServiceStub.class));
    }

    private <S extends AbstractStub<S>> S unary(URI address, Class<S> stub) {
        return builder(address).responseTimeout(ANSWER_TIMEOUT).build(stub);
    }

    private <S extends AbstractStub<S>> S stream(URI address, Class<S> stub) {
        return builder(address).responseTimeoutMillis(0).build(stub);
    }

    private GrpcClientBuilder builder(URI address) {
        GrpcClientBuilder builder = GrpcClients.builder("gproto+" + address)
                .factory(factory)
                .maxResponseLength(0)
                .maxResponseMessageLength(MESSAGE_BYTES_MAX);
        given.access().authorization().ifPresent(said -> builder.setHeader(HttpHeaderNames.AUTHORIZATION, said));
        return builder;
    }

    /** Asks because replicas come and go while this connection lives. */
    private void askForMembers() {
        var unused = this.<ListMembersRequest, MemberList>call(
                        server -> server.members()::listMembers, ListMembersRequest.getDefaultInstance())
                .thenAccept(this::learn);
    }

    /** Keeps the given addresses: the members may use names that are unknown here. */
    private void learn(MemberList told) {
        List<URI> all = new ArrayList<>();
        if (told.getMembersCount() > 1) {
            told.getMembersList().stream()
                    .map(Member::getAddress)
                    .filter(address -> !address.isEmpty())
                    .map(URI::create)
                    .forEach(all::add);
        }
        all.addAll(given.all());
        addresses = new CellAddresses(all, given.access());
    }

    /** All servers that it knows. */
    CellAddresses addresses() {
        return addresses;
    }

    /** The server in use. */
    ServerStubs server() {
        return asked;
    }

    /**
     * Uses another server from now on, if the problem says that one may do better. Does nothing if another caller has turned
     * already.
     */
    synchronized void turnFrom(ServerStubs left, Problem problem) {
        if (!asked.equals(left) || !mayBeAnsweredElsewhere(problem)) {
            return;
        }
        URI next = problem.leader().orElseGet(() -> addresses.after(left.address()));
        asked = serverAt(next);
        if (!asked.equals(left)) {
            LOG.info("server={}: asking {} instead ({})", left.address(), next, problem.detail());
        }
    }

    private static boolean mayBeAnsweredElsewhere(Problem problem) {
        return problem.type() == ProblemType.NO_LEADER || problem.type() == ProblemType.UNAVAILABLE;
    }

    /** A new job, or the same one again if the answer to the first call was lost. */
    public CompletableFuture<JobSubmitted> submitJob(Job job) {
        return call(server -> server.jobs()::submitJob, job);
    }

    public CompletableFuture<JobStatus> getJob(GetJobRequest request) {
        return call(server -> server.jobs()::getJob, request);
    }

    public CompletableFuture<JobStopped> stopJob(StopJobRequest request) {
        return call(server -> server.jobs()::stopJob, request);
    }

    /** The job becomes again what it was in an earlier generation. The request must name that one: it may be made twice. */
    public CompletableFuture<JobSubmitted> revertJob(RevertJobRequest request) {
        return call(server -> server.jobs()::revertJob, request);
    }

    /**
     * Makes one call; the future fails with a {@link Problem}. If an answer names the leader, the call is repeated there. A
     * server that does not lead has done nothing. Or it forwarded the call and lost the answer, so every call here must be one
     * that may be repeated. Completed on a thread of the network.
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

    /** The problem with which a call has failed. */
    static Problem problemOf(Throwable failure) {
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
        learning.cancel(false);
        factory.close();
    }
}
