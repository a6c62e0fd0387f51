package dev.cella.state.web;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.QueryParamsBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SplitHttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.state.web.http.StreamMethod;
import dev.cella.state.web.service.TaskName;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.MachineStatus;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * {@code GET /v1/tasks/{job}/{group}/{index}:logs}: what a task has printed, fetched from the agent of the machine it is or was on
 * while it is read. Nothing of it is kept here.
 */
final class LogsRoute implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** Where the output of an attempt is: on a machine, under the identities that its agent knows. */
    private record Place(String machine, String agent, String path) {}

    private final Replica replica;
    private final ProblemAnswers problems;
    private final ClientFactory clients =
            ClientFactory.builder().connectTimeout(CONNECT_TIMEOUT).build();

    LogsRoute(Replica replica, ProblemAnswers problems) {
        this.replica = replica;
        this.problems = problems;
    }

    StreamMethod<LogsQuery> method() {
        return new StreamMethod<>("/v1/tasks/{job}/{group}/{index}:logs", LogsQuery.getDefaultInstance(), this::serve);
    }

    private HttpResponse serve(ServiceRequestContext context, HttpRequest http, LogsQuery query) {
        Place place = replica.read(view -> find(view, query));
        context.clearRequestTimeout();
        WebClient agent = WebClient.builder(place.agent())
                .factory(clients)
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build();
        SplitHttpResponse output = agent.get(
                        place.path() + "?" + parameters(query).toQueryString())
                .split();
        CompletableFuture<HttpResponse> answer = output.headers()
                .handle((headers, unreachable) ->
                        unreachable == null ? pass(output, headers, place) : problems.answer(unreachable(place)));
        return HttpResponse.of(answer);
    }

    private static Place find(CellView view, LogsQuery query) {
        TaskName name = new TaskName(query.getJob(), query.getGroup(), query.getIndex());
        TaskRow task = name.find(view).orElseThrow(() -> Problem.notFound("There is no task " + name));
        if (task.machine().isEmpty()) {
            throw Problem.notFound("Task " + name + " has not started")
                    .withHint("it is " + task.state() + "; ask again when it is RUNNING");
        }
        int slot = task.machine().getAsInt();
        String machine = task.machineName().orElseThrow();
        if (!view.machineExists(slot) || view.status(slot) == MachineStatus.DOWN) {
            throw Problem.unavailable("Machine " + machine + ", which keeps the output, is down");
        }
        AgentIdentity agent = view.agent(slot)
                .orElseThrow(() -> Problem.notFound("Machine " + machine + " has no agent that keeps output"));
        int attempt = query.hasAttempt() ? query.getAttempt() : task.attempt();
        return new Place(machine, agent.address(), path(machine, task, attempt));
    }

    private static String path(String machine, TaskRow task, int attempt) {
        return "/v1/logs/" + machine + "/" + task.id().job() + "/" + task.id().group() + "/"
                + task.id().index() + "/" + attempt;
    }

    private static QueryParams parameters(LogsQuery query) {
        QueryParamsBuilder parameters = QueryParams.builder()
                .add("stream", word(query.getStream()))
                .add("follow", String.valueOf(query.getFollow()));
        if (query.hasTail()) {
            parameters.add("tail", String.valueOf(query.getTail()));
        }
        return parameters.build();
    }

    private static String word(LogStream stream) {
        LogStream chosen = stream == LogStream.LOG_STREAM_UNSPECIFIED ? LogStream.LOG_STREAM_STDOUT : stream;
        return chosen.name().substring("LOG_STREAM_".length()).toLowerCase(Locale.ROOT);
    }

    private HttpResponse pass(SplitHttpResponse output, ResponseHeaders headers, Place place) {
        if (headers.status().equals(HttpStatus.OK)) {
            ResponseHeaders ours = ResponseHeaders.builder(HttpStatus.OK)
                    .contentType(MediaType.PLAIN_TEXT_UTF_8)
                    .build();
            return HttpResponse.of(ours, output.body());
        }
        output.body().abort();
        return problems.answer(refusal(headers.status(), place));
    }

    private static Problem refusal(HttpStatus status, Place place) {
        if (status.equals(HttpStatus.NOT_FOUND)) {
            return Problem.notFound(
                    "Machine " + place.machine() + " has no output of this attempt; it may not have started");
        }
        if (status.equals(HttpStatus.GONE)) {
            return Problem.gone("Machine " + place.machine() + " has removed the output of this attempt to make room");
        }
        return unreachable(place);
    }

    private static Problem unreachable(Place place) {
        return Problem.unavailable(
                "The agent of machine " + place.machine() + ", which keeps the output, does not answer");
    }

    @Override
    public void close() {
        clients.close();
    }
}
