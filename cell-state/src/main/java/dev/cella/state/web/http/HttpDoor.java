package dev.cella.state.web.http;

import com.google.api.HttpRule;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestTarget;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.proto.ProblemDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Serves the unary calls as HTTP and JSON, the streams that only HTTP has, and a few pages.
 *
 * <p>The routes of the calls are those of their {@code google.api.http} annotations; {@link dev.cella.client.json.JsonCodec}
 * reads the requests and writes the answers. A decision record in {@code docs/adr/} tells why Armeria's transcoder does not do
 * this. Every answer that is not a success is a problem document, also for an unknown path.
 *
 * <p>A request is received on its event loop. Everything after that runs on the blocking executor, because a handler may wait
 * for the lock under which the cell is read.
 */
public final class HttpDoor implements HttpService {
    private static final Pattern LEADING_SLASHES = Pattern.compile("^/+");
    private static final int BODY_BYTES_MAX = 1 << 20;

    @FunctionalInterface
    private interface Call {
        HttpResponse serve(ServiceRequestContext context, HttpRequest http, Map<String, String> variables)
                throws Exception;
    }

    private final JsonMessages json;
    private final ProblemAnswers problems;
    private final Function<Throwable, Problem> problemOf;
    private final RouteTable<Call> routes = new RouteTable<>();
    private final List<UnaryMethod<?, ?>> unary = new ArrayList<>();
    private final List<StreamMethod<?>> streams = new ArrayList<>();
    private final List<String> pages = new ArrayList<>();

    /**
     * @param problemOf turns a handler's failure into a problem
     */
    public HttpDoor(JsonMessages json, ProblemAnswers problems, Function<Throwable, Problem> problemOf) {
        this.json = json;
        this.problems = problems;
        this.problemOf = problemOf;
    }

    // ---- the routes; all are added before the door is opened

    /** Adds a route that is no call: a page, the metrics. */
    public void addPage(String path, HttpService page) {
        pages.add(path);
        routes.add(HttpMethod.GET, path, (context, http, variables) -> page.serve(context, http));
    }

    public void addStream(StreamMethod<?> stream) {
        streams.add(stream);
        routes.add(
                HttpMethod.GET,
                stream.path(),
                (context, http, variables) -> serveStream(context, http, variables, stream));
    }

    /** Adds the call if it has an HTTP annotation. */
    public void addUnary(UnaryMethod<?, ?> method) {
        unary.add(method);
        method.httpRule().ifPresent(rule -> addUnary(rule, method));
    }

    private void addUnary(HttpRule rule, UnaryMethod<?, ?> method) {
        boolean takesBody = rule.getBody().equals("*");
        Call call = (context, http, variables) -> serveUnary(context, http, variables, method, takesBody);
        switch (rule.getPatternCase()) {
            case GET -> routes.add(HttpMethod.GET, rule.getGet(), call);
            case PUT -> routes.add(HttpMethod.PUT, rule.getPut(), call);
            case POST -> routes.add(HttpMethod.POST, rule.getPost(), call);
            case DELETE -> routes.add(HttpMethod.DELETE, rule.getDelete(), call);
            default -> throw new IllegalArgumentException("no route can be made of " + rule);
        }
    }

    /** The method and path of every route. */
    public List<String> routes() {
        return routes.texts();
    }

    /** All routes as an OpenAPI document. */
    public String openApi() {
        return OpenApi.document(unary, streams, pages, ProblemDetails.getDescriptor())
                .toPrettyString();
    }

    /** The calls of that document as a table: a line for each. */
    public String callsAsCsv() {
        return CsvTable.ofCalls(OpenApi.document(unary, streams, pages, ProblemDetails.getDescriptor()));
    }

    // ---- a request

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest http) throws Exception {
        HttpMethod method = http.method() == HttpMethod.HEAD ? HttpMethod.GET : http.method();
        String path = pathOf(context.routingContext().requestTarget());
        RouteTable.Match<Call> match = routes.find(method, path);
        if (match instanceof RouteTable.Found<Call> found) {
            return found.target().serve(context, http, found.variables());
        }
        if (match instanceof RouteTable.WrongMethod<Call> wrong) {
            return problems.methodNotAllowed(wrongMethod(http.method(), wrong.allowed()), wrong.allowed());
        }
        return problems.answer(nothingAt(path, (RouteTable.Nothing<Call>) match));
    }

    /**
     * The path with the empty parts inside it: {@code a//b} is no other name of {@code a/b}. Slashes before the path count as
     * one, because the address of a server may end in a slash.
     */
    private static String pathOf(RequestTarget target) {
        String sent = LEADING_SLASHES.matcher(withoutQuery(target)).replaceFirst("/");
        return sent.contains("//") ? sent : target.maybePathWithMatrixVariables();
    }

    private static String withoutQuery(RequestTarget target) {
        String sent = Objects.requireNonNullElse(target.rawPath(), "");
        int query = sent.indexOf('?');
        return query < 0 ? sent : sent.substring(0, query);
    }

    private static Problem wrongMethod(HttpMethod method, Set<String> allowed) {
        return Problem.methodNotAllowed(method + " cannot be done here; " + String.join(", ", allowed) + " can");
    }

    private static Problem nothingAt(String path, RouteTable.Nothing<Call> nothing) {
        Problem problem = Problem.notFound("There is nothing at " + path);
        List<String> hints = new ArrayList<>();
        nothing.refused().ifPresent(why -> hints.add("it " + why));
        if (!nothing.verbs().isEmpty()) {
            hints.add("allowed after a name: :" + String.join(", :", nothing.verbs()));
        }
        return hints.isEmpty() ? problem : problem.withHint(String.join("; ", hints));
    }

    private HttpResponse serveUnary(
            ServiceRequestContext context,
            HttpRequest http,
            Map<String, String> variables,
            UnaryMethod<?, ?> method,
            boolean takesBody) {
        Executor executor = context.blockingTaskExecutor();
        CompletableFuture<HttpResponse> response = http.aggregate()
                .thenApplyAsync(whole -> read(context, whole, variables, method, takesBody), executor)
                .thenCompose(method::call)
                .thenApplyAsync(answer -> write(answer, format(context, method)), executor)
                .exceptionallyAsync(this::answerFailure, executor);
        return HttpResponse.of(response);
    }

    private Message read(
            ServiceRequestContext context,
            AggregatedHttpRequest http,
            Map<String, String> variables,
            UnaryMethod<?, ?> method,
            boolean takesBody) {
        checkBody(http, takesBody);
        Message request = method.emptyRequest();
        return takesBody
                ? json.read(
                        request,
                        variables,
                        context.queryParams(),
                        http.content().array())
                : json.read(request, variables, queryOf(context, method));
    }

    /** Only reads have several formats. */
    private static AnswerFormat format(ServiceRequestContext context, UnaryMethod<?, ?> method) {
        return method.isRead() ? AnswerFormat.of(context.queryParams()) : AnswerFormat.JSON;
    }

    private static QueryParams queryOf(ServiceRequestContext context, UnaryMethod<?, ?> method) {
        return method.isRead() ? AnswerFormat.rest(context.queryParams()) : context.queryParams();
    }

    private static void checkBody(AggregatedHttpRequest http, boolean takesBody) {
        if (http.content().isEmpty()) {
            return;
        }
        if (http.content().length() > BODY_BYTES_MAX) {
            throw Problem.tooLarge("The body has " + http.content().length() + " bytes, more than 1 MiB");
        }
        if (!takesBody) {
            throw Problem.badRequest("This call takes no body");
        }
        String encoding = http.headers().get(HttpHeaderNames.CONTENT_ENCODING, "identity");
        if (!encoding.equalsIgnoreCase("identity")) {
            throw Problem.unsupportedMediaType("The body is encoded as " + encoding)
                    .withHint("send it as it is, without Content-Encoding");
        }
        MediaType type = http.contentType();
        if (type == null || !type.is(MediaType.JSON)) {
            throw Problem.unsupportedMediaType("The body is " + (type == null ? "of no type" : type))
                    .withHint("send it as Content-Type: application/json");
        }
    }

    private HttpResponse write(Answer<?> answer, AnswerFormat format) {
        return format.isCsv() ? json.writeCsv(answer, format.table()) : json.write(answer);
    }

    private HttpResponse answerFailure(Throwable failure) {
        return problems.answer(problemOf.apply(failure));
    }

    private HttpResponse serveStream(
            ServiceRequestContext context, HttpRequest http, Map<String, String> variables, StreamMethod<?> stream) {
        CompletableFuture<HttpResponse> response = CompletableFuture.supplyAsync(
                        () -> json.read(stream.emptyRequest(), variables, context.queryParams()),
                        context.blockingTaskExecutor())
                .thenApply(request -> stream.serve(context, http, request))
                .exceptionally(this::answerFailure);
        return HttpResponse.of(response);
    }
}
