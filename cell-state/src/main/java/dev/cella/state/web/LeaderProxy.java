package dev.cella.state.web;

import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpHeadersBuilder;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.live.ProblemStatus;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.transactions.model.CellVersion;
import io.netty.util.AsciiString;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * Forwards the requests that only the leader can answer to the leader, whichever replica receives them.
 *
 * <p>A replica answers requests that change nothing itself: it has everything committed, a moment later. It forwards
 * linearizable reads, and everything else, unchanged, streams with their back-pressure too, and returns the answer; the leader
 * submits it in its own process. So a client that knows one replica can do everything through it, and nothing below the doors knows of forwarding.
 *
 * <p>While no leader is known, only reads are answered. A command is refused, because its names would be looked up in a copy
 * that may lack commits of the others, and existing things would be "not found".
 *
 * <p>While the leadership changes hands, no leader is known for a moment. A request that needs one waits that long.
 *
 * <p>A request is forwarded once: a replica that receives a forwarded request and no longer leads says so. If the connection
 * to the leader breaks after the request was sent, its result is unknown. The answer says that, and names the next leader if
 * it is known in time. A caller over HTTP gets the answer only when this replica shows the leader's change, so that the caller
 * reads its own writes here.
 */
final class LeaderProxy implements DecoratingHttpServiceFunction, AutoCloseable {
    static final String FORWARDED_BY = "cella-forwarded-by";
    private static final String APPLIED = "cella-applied";

    private static final Pattern LINEARIZABLE = Pattern.compile("[?&]linearizable=true(?:&|$)");

    /** One job has the state of its update, as its scheduler reports it. */
    private static final Pattern SOFT_FACTS = Pattern.compile("/v1/(schedulers|members|federation|jobs/[^/:]+)");

    /** The headers that tell who asks; the authority has the port that is in the name of a cookie. */
    private static final List<AsciiString> IDENTITY =
            List.of(HttpHeaderNames.AUTHORITY, HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.COOKIE);

    private static final Duration READ_MAX = Duration.ofSeconds(2);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration CATCH_UP_MAX = Duration.ofSeconds(5);

    /** How long a request waits for a leader to be known: as long as a leader that leaves waits for the next one. */
    private static final Duration LEADER_WAIT_MAX = Replica.HAND_OVER_MAX;

    private static final Duration LOOK_AGAIN = Duration.ofMillis(4);

    private final Replica replica;
    private final Set<String> pathsAnsweredHere;
    private final ProblemAnswers problems;
    private final OutwardClients outward;
    private final Map<URI, WebClient> clients = new ConcurrentHashMap<>();
    private final UnderWay underWay = new UnderWay();
    private volatile boolean stopping;

    /**
     * @param pathsAnsweredHere the paths of gRPC calls that change nothing
     */
    LeaderProxy(Replica replica, Set<String> pathsAnsweredHere, ProblemAnswers problems, Security security) {
        this.replica = replica;
        this.outward = new OutwardClients(
                () -> security.clients().connectTimeout(CONNECT_TIMEOUT).build());
        this.pathsAnsweredHere = Set.copyOf(pathsAnsweredHere);
        this.problems = problems;
    }

    @Override
    public HttpResponse serve(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        if (stopping && isOfTheCell(request)) {
            Optional<URI> leader = replica.otherLeader();
            if (leader.isPresent()) {
                return refuse(request, stopsNow(leader.get()));
            }
        }
        Optional<HttpResponse> now = serveNow(delegate, context, request);
        if (now.isPresent()) {
            return now.get();
        }
        if (!needsLeader(request)) {
            return serveWithoutLeader(delegate, context, request);
        }
        return HttpResponse.of(soon(
                context,
                () -> serveNow(delegate, context, request),
                () -> serveWithoutLeader(delegate, context, request)));
    }

    /** The pages of this server itself need no other one. */
    private static boolean isOfTheCell(HttpRequest request) {
        return isGrpc(request) || request.path().startsWith("/v1/");
    }

    private boolean needsLeader(HttpRequest request) {
        return isRead(request) ? isLinearizable(request.path()) : !isAnsweredHere(request);
    }

    /** Looks again and again while the leadership may still change hands and the caller waits. */
    private static <T> CompletableFuture<T> soon(
            ServiceRequestContext context, Callable<Optional<T>> look, Callable<T> otherwise) {
        CompletableFuture<T> found = new CompletableFuture<>();
        lookAgain(context, look, otherwise, (int) LEADER_WAIT_MAX.dividedBy(LOOK_AGAIN), found);
        return found;
    }

    private static <T> void lookAgain(
            ServiceRequestContext context,
            Callable<Optional<T>> look,
            Callable<T> otherwise,
            int looksLeft,
            CompletableFuture<T> found) {
        var unused = context.eventLoop()
                .schedule(
                        () -> look(context, look, otherwise, looksLeft - 1, found),
                        LOOK_AGAIN.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static <T> void look(
            ServiceRequestContext context,
            Callable<Optional<T>> look,
            Callable<T> otherwise,
            int looksLeft,
            CompletableFuture<T> found) {
        try {
            Optional<T> now = look.call();
            if (now.isPresent()) {
                found.complete(now.get());
            } else if (looksLeft == 0 || context.isCancelled()) {
                found.complete(otherwise.call());
            } else {
                lookAgain(context, look, otherwise, looksLeft, found);
            }
        } catch (Exception failure) {
            found.completeExceptionally(failure);
        }
    }

    /**
     * Nothing if the request is for a leader and none is known. It is asked only once who leads: a second answer could be another
     * one, as a replica that has won an election knows of no other leader, and leads a moment later.
     */
    private Optional<HttpResponse> serveNow(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        boolean forwarded = request.headers().contains(FORWARDED_BY);
        if (replica.leads()) {
            HttpResponse answer = delegate.serve(context, request);
            return Optional.of(forwarded ? answer.mapHeaders(this::withApplied) : answer);
        }
        if (!forwarded && isAnsweredHere(request)) {
            return Optional.of(delegate.serve(context, request));
        }
        return replica.otherLeader().map(leader -> elsewhere(context, request, leader));
    }

    private HttpResponse elsewhere(ServiceRequestContext context, HttpRequest request, URI leader) {
        if (request.headers().contains(FORWARDED_BY)) {
            return refuse(request, leadsNoMore().withLeader(leader));
        }
        return stopping ? refuse(request, stopsNow(leader)) : forward(context, request, leader);
    }

    private HttpResponse serveWithoutLeader(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        if (request.headers().contains(FORWARDED_BY)) {
            return refuse(request, leadsNoMore());
        }
        return isRead(request)
                ? delegate.serve(context, request)
                : refuse(request, Problem.noLeader("This replica knows of no leader; nothing was done"));
    }

    private static Problem stopsNow(URI leader) {
        return Problem.noLeader("This server is stopping").withLeader(leader);
    }

    private static Problem leadsNoMore() {
        return Problem.noLeader("This replica does not lead the cell any more");
    }

    private HttpResponse refuse(HttpRequest request, Problem problem) {
        return isGrpc(request) ? grpcAnswer(problem) : problems.answer(problem);
    }

    private ResponseHeaders withApplied(ResponseHeaders headers) {
        return headers.toBuilder().setLong(APPLIED, replica.version().number()).build();
    }

    private boolean isAnsweredHere(HttpRequest request) {
        boolean changesNothing = isRead(request) || pathsAnsweredHere.contains(request.path());
        return changesNothing && !asksForSoftFacts(request.path()) && !isLinearizable(request.path());
    }

    private static boolean isRead(HttpRequest request) {
        HttpMethod method = request.method();
        return method == HttpMethod.GET || method == HttpMethod.HEAD || method == HttpMethod.OPTIONS;
    }

    /** A majority can confirm only the leader. */
    private static boolean isLinearizable(String path) {
        return LINEARIZABLE.matcher(path).find();
    }

    /** Reports that owners send to the leader only: they are in no log, and a follower has none of them. */
    private static boolean asksForSoftFacts(String path) {
        String withoutQuery = path.replaceFirst("[?].*", "");
        return SOFT_FACTS.matcher(withoutQuery).matches() || withoutQuery.endsWith(":explain");
    }

    private HttpResponse forward(ServiceRequestContext context, HttpRequest request, URI leader) {
        HttpRequest forwarded = request.withHeaders(addressed(request.headers(), leader));
        HttpResponse response = client(leader).execute(forwarded);
        if (isRead(request)) {
            var unused = context.whenRequestCancelled().thenAccept(response::abort); // its wait ends there too
        }
        return isGrpc(request)
                ? endedWithTrailer(context, response, leader)
                : HttpResponse.of(underWay.track(answerWhenShownHere(context, response, leader)));
    }

    /** If the leader is lost, the client learns where to go on, also at the end of a stream that has begun. */
    private HttpResponse endedWithTrailer(ServiceRequestContext context, HttpResponse response, URI leader) {
        AtomicBoolean begun = new AtomicBoolean();
        return HttpResponse.of(response.peek(headers -> begun.set(true), ResponseHeaders.class)
                .recoverAndResume(failure -> StreamMessage.of(lost(context, failure, leader)
                        .thenApply(problem -> begun.get() ? grpcTrailer(problem) : grpcAnswer(problem)))));
    }

    /**
     * The origin was checked here. The leader would take it for a foreign origin, and a cookie of this port for that of another
     * cell.
     */
    private RequestHeaders addressed(RequestHeaders headers, URI leader) {
        RequestHeadersBuilder addressed = headers.toBuilder();
        addressed.remove(HttpHeaderNames.ORIGIN);
        if (!addressed.contains(HttpHeaderNames.AUTHORIZATION)) {
            LoginPage.token(headers)
                    .ifPresent(token -> addressed.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token));
        }
        return addressed
                .scheme(leader.getScheme())
                .authority(leader.getAuthority())
                .set(FORWARDED_BY, replica.membership().self())
                .build();
    }

    private WebClient client(URI leader) {
        return clients.computeIfAbsent(
                leader,
                address -> WebClient.builder(address)
                        .factory(outward.factory())
                        .responseTimeoutMillis(0)
                        .maxResponseLength(0)
                        .build());
    }

    /** The answer of another leader to a read of this caller; empty while this replica leads, and if there is no such answer. */
    CompletableFuture<Optional<String>> read(RequestHeaders caller, String path) {
        Optional<URI> leader = replica.leads() ? Optional.empty() : replica.otherLeader();
        return leader.map(address -> read(caller, path, address))
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }

    private CompletableFuture<Optional<String>> read(RequestHeaders caller, String path, URI leader) {
        RequestHeadersBuilder read = RequestHeaders.builder(HttpMethod.GET, path);
        for (AsciiString name : IDENTITY) {
            caller.getAll(name).forEach(value -> read.add(name, value));
        }
        RequestOptions bounded =
                RequestOptions.builder().responseTimeout(READ_MAX).build();
        return client(leader)
                .execute(HttpRequest.of(addressed(read.build(), leader)), bounded)
                .aggregate()
                .thenApply(answer ->
                        answer.status().isSuccess() ? Optional.of(answer.contentUtf8()) : Optional.<String>empty())
                .exceptionally(silent -> Optional.empty());
    }

    private CompletableFuture<HttpResponse> answerWhenShownHere(
            ServiceRequestContext context, HttpResponse response, URI leader) {
        return response.aggregate()
                .thenCompose(this::whenShownHere)
                .exceptionallyCompose(failure -> lost(context, failure, leader).thenApply(problems::answer));
    }

    private CompletableFuture<HttpResponse> whenShownHere(AggregatedHttpResponse answer) {
        CellVersion applied = new CellVersion(answer.headers().getLong(APPLIED, 0));
        ResponseHeaders headers =
                answer.headers().toBuilder().removeAndThen(APPLIED).build();
        return replica.awaitVersion(applied, CATCH_UP_MAX)
                .thenApply(shown -> HttpResponse.of(headers, answer.content(), answer.trailers()));
    }

    /** Names the next leader, once it is known. Our clients turn to the server that is named, so it must not be the lost one. */
    private CompletableFuture<Problem> lost(ServiceRequestContext context, Throwable failure, URI leader) {
        Problem problem = problemOf(failure);
        return stopping || context.isCancelled()
                ? CompletableFuture.completedFuture(problem)
                : soon(context, () -> leaderAfter(leader).map(problem::withLeader), () -> problem);
    }

    /** It may be this replica. */
    private Optional<URI> leaderAfter(URI lost) {
        return replica.leads()
                ? replica.membership().find(replica.membership().self()).map(Member::address)
                : replica.otherLeader().filter(leader -> !leader.equals(lost));
    }

    private static Problem problemOf(Throwable failure) {
        if (failure instanceof CompletionException && failure.getCause() != null) {
            return problemOf(failure.getCause());
        }
        return failure instanceof UnprocessedRequestException
                ? Problem.noLeader("The leader does not answer; nothing was asked of it")
                        .withHint("ask again: another one is elected if it is gone")
                : Problem.noLeader("It was sent to the leader, and the answer is lost: it may be decided or not")
                        .withHint("repeat the same request: a command is never applied twice");
    }

    static boolean isGrpc(HttpRequest request) {
        MediaType type = request.contentType();
        return type != null && GrpcSerializationFormats.PROTO.isAccepted(type);
    }

    static HttpResponse grpcAnswer(Problem problem) {
        ResponseHeadersBuilder answer =
                ResponseHeaders.builder(200).contentType(GrpcSerializationFormats.PROTO.mediaType());
        ProblemStatus.toTrailer(problem).forEach(answer::add);
        return HttpResponse.of(answer.endOfStream(true).build());
    }

    private static StreamMessage<HttpObject> grpcTrailer(Problem problem) {
        HttpHeadersBuilder trailer = HttpHeaders.builder();
        ProblemStatus.toTrailer(problem).forEach(trailer::add);
        return StreamMessage.of(trailer.build());
    }

    /**
     * From now on requests are refused with the leader's address, if another replica leads: a client that asked this server
     * while it closes could not know whether anything was done. Completes when the requests that were forwarded before are
     * answered. A leader that has just begun to lead may take a second for them.
     */
    CompletableFuture<Void> stopAnswering() {
        stopping = true;
        return underWay.ended();
    }

    /** Prepares the client, so that the first forwarded request does not wait. */
    void makeReady() {
        outward.makeReady();
    }

    @Override
    public void close() {
        outward.close();
    }
}
