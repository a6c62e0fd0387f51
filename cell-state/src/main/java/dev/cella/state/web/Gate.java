package dev.cella.state.web;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.access.TokenSecret;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.access.Caller;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.transactions.model.Token;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Admits requests that carry a token of the cell, and attaches the token's owner. It stands before every route, also before
 * gRPC. The permissions of a call are checked later, where the call is known.
 *
 * <p>An open server admits every request. A closed one shows without a token what says nothing of the cell: whether the server
 * is alive and ready, its pages of documentation, the console's files, and the login form for browsers. The pages of replicas
 * for each other take a certificate instead, where the server has one.
 */
final class Gate implements DecoratingHttpServiceFunction, AutoCloseable {
    private static final AttributeKey<Token> TOKEN = AttributeKey.valueOf(Gate.class, "TOKEN");

    private static final String BEARER = "Bearer ";

    private static final Set<String> PUBLIC = Set.of("/healthz", "/readyz", "/docs", "/openapi.json", LoginPage.PATH);
    private static final Set<String> PUBLIC_FOLDERS = Set.of("/dashboard/", "/problems/", "/schemas/");

    /** The whole cell at once, with the specifications of all jobs. */
    private static final Set<String> OPERATORS = Set.of("/v1/backup");

    /** Only replicas, schedulers and agents use these, and they have certificates if there are any. */
    private static final Set<String> FOLDERS_OF_PARTS = Set.of(
            "/cella.v1.AgentService/",
            "/cella.v1.FeedService/",
            "/cella.v1.SchedulerService/",
            "/cella.v1.TransactionService/",
            "/internal/");

    private final Replica replica;
    private final Security security;
    private final ProblemAnswers problems;
    private final LoginPage login;
    private final RateLimit rate;
    private final AdmittedAnswers answers;

    Gate(Replica replica, Time time, Security security, ProblemAnswers problems) {
        this.replica = replica;
        this.security = security;
        this.problems = problems;
        this.login = new LoginPage(security.tls().isPresent());
        this.rate =
                new RateLimit(time::monotonicNanos, ClientLimits.REQUESTS_PER_SECOND, ClientLimits.REQUESTS_AT_ONCE);
        this.answers = new AdmittedAnswers(replica::tokensByHash, time);
    }

    @Override
    public HttpResponse serve(HttpService delegate, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        try {
            caller(context, request).enter(context);
        } catch (Problem refused) {
            return refuse(request, refused);
        }
        if (context.path().equals(LoginPage.PATH)) {
            return login.serve(context, request);
        }
        HttpResponse answer = delegate.serve(context, request);
        Token token = context.attr(TOKEN);
        return token == null ? answer : answers.admit(answer, token);
    }

    private HttpResponse refuse(HttpRequest request, Problem refused) {
        if (LeaderProxy.isGrpc(request)) {
            return LeaderProxy.grpcAnswer(refused);
        }
        boolean isUnauthorized = refused.type() == ProblemType.UNAUTHORIZED;
        if ((isUnauthorized || refused.type() == ProblemType.FORBIDDEN) && isPageOfAPerson(request)) {
            return login.ask(secret(request).isPresent() ? refused.detail() : "");
        }
        HttpResponse answer = problems.answer(refused);
        return isUnauthorized
                ? answer.mapHeaders(headers -> headers.toBuilder()
                        .set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer realm=\"cella\"")
                        .build())
                : answer;
    }

    private static boolean isPageOfAPerson(HttpRequest request) {
        return request.method() == HttpMethod.GET
                && request.path().equals("/")
                && request.headers().get(HttpHeaderNames.ACCEPT, "").contains("text/html");
    }

    private Caller caller(ServiceRequestContext context, HttpRequest request) {
        if (!security.closed()) {
            return Caller.ANYONE;
        }
        String path = context.path();
        if (PUBLIC.contains(path) || startsWithOne(path, PUBLIC_FOLDERS)) {
            return Caller.NOBODY;
        }
        checkCertificate(context, path);
        if (path.startsWith("/internal/")) {
            return Caller.NOBODY;
        }
        Token token = token(request);
        context.setAttr(TOKEN, token);
        Caller caller = Caller.of(token);
        Optional<Duration> wait = rate.take(caller.principal().text());
        if (wait.isPresent()) {
            throw Problem.of(ProblemType.RATE_LIMITED, "The token " + caller.principal() + " asks too often")
                    .withHint("ask less often, or wait for a change with changedAfter or the feed")
                    .withRetryAfter(wait.get());
        }
        if (OPERATORS.contains(path)) {
            caller.mustOperate();
        } else if (isRead(request)) {
            caller.mustRead();
        }
        return caller;
    }

    /** Returns whether only replicas, schedulers and agents make this call. */
    static boolean isForParts(String path) {
        return startsWithOne(path, FOLDERS_OF_PARTS);
    }

    /**
     * Returns whether the gate knows who sends a request that it has let in: by certificate where the server has one, else
     * by token. An open server knows nobody and trusts everybody.
     */
    boolean isKnown(ServiceRequestContext context) {
        return security.tls().isPresent()
                ? hasCertificate(context.sslSession())
                : !Caller.of(context).equals(Caller.NOBODY);
    }

    private static boolean startsWithOne(String path, Set<String> folders) {
        return folders.stream().anyMatch(path::startsWith);
    }

    private static boolean isRead(HttpRequest request) {
        return request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
    }

    /** A part of the cell must show a certificate if the server has one. A client over HTTP has only its token. */
    private void checkCertificate(ServiceRequestContext context, String path) {
        if (security.tls().isPresent() && isForParts(path) && !hasCertificate(context.sslSession())) {
            throw Problem.forbidden(
                            "This call is for replicas, schedulers and agents, which show a certificate of the cell")
                    .withHint("start the scheduler or agent with --tls DIR, as cella tls init made it");
        }
    }

    /** A certificate that was shown was checked against the authority during the handshake. */
    private static boolean hasCertificate(SSLSession session) {
        try {
            return session != null && session.getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException none) {
            return false;
        }
    }

    private Token token(HttpRequest request) {
        String secret = secret(request)
                .orElseThrow(() -> Problem.of(ProblemType.UNAUTHORIZED, "This cell asks for a token")
                        .withHint("send it as Authorization: Bearer TOKEN; the commands take --token, CELLA_TOKEN, or"
                                + " that of your cella dev"));
        Token token = replica.tokensByHash().get(TokenSecret.hash(secret));
        if (token == null) {
            throw replica.isCurrent() || replica.leads() ? unknown(secret) : catchingUp();
        }
        Optional<Problem> refused = answers.refusal(token);
        if (refused.isPresent()) {
            throw refused.get();
        }
        return token;
    }

    /** The caller turns to another replica, where a refusal would be for good. */
    private Problem catchingUp() {
        Problem later = Problem.noLeader("This replica is catching up with the cell, and does not know this token yet");
        return replica.otherLeader().map(later::withLeader).orElse(later);
    }

    private Problem unknown(String secret) {
        String own = replica.cell().text();
        Problem refused = TokenSecret.cell(secret)
                .map(cell -> cell.equals(own)
                        ? Problem.of(
                                ProblemType.UNAUTHORIZED,
                                "This token is not known here: it was revoked, or it is of another cell " + own)
                        : Problem.of(
                                ProblemType.UNAUTHORIZED,
                                "This token is of the cell " + cell + ", and this is the cell " + own))
                .orElseGet(() -> Problem.of(ProblemType.UNAUTHORIZED, "This is no token of a cell"));
        return refused.withHint("see which token is sent: --token, CELLA_TOKEN, DATA/token");
    }

    private static Optional<String> secret(HttpRequest request) {
        String said = request.headers().get(HttpHeaderNames.AUTHORIZATION);
        if (said != null) {
            return said.regionMatches(true, 0, BEARER, 0, BEARER.length())
                    ? Optional.of(said.substring(BEARER.length()).strip())
                    : Optional.of("");
        }
        return LoginPage.token(request.headers());
    }

    @Override
    public void close() {
        answers.close();
    }
}
