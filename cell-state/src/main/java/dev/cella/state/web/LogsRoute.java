package dev.cella.state.web;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.QueryParamsBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.SplitHttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.http.TaskOutput;
import dev.cella.client.proto.LogStream;
import dev.cella.client.proto.LogsQuery;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.ProblemAnswers;
import dev.cella.state.web.http.StreamMethod;
import dev.cella.state.web.service.TaskName;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.MachineStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/tasks/{job}/{group}/{index}:logs}: the output of a task, fetched from the agent of its machine while the
 * client reads. Nothing of it is kept here.
 *
 * <p>The cell knows the machine of a task's newest attempt. It does not store the machines of earlier attempts; the agents do,
 * as long as they have their output. So for an earlier attempt the agents are asked in turn, {@link #ASKED_AT_ONCE} at a time,
 * until one has it. That costs a small request per machine, but only when somebody asks for an earlier attempt.
 */
final class LogsRoute implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(10);
    private static final int ASKED_AT_ONCE = 64;
    private static final int NAMES_SHOWN = 5;

    /** The agent says by these what it does not keep any more, and where its answer begins. */
    private static final List<String> PASSED_ON =
            List.of(TaskOutput.DROPPED_HEADER, TaskOutput.LIMIT_HEADER, TaskOutput.OFFSET_HEADER);

    /** A possible place of an attempt's output: a machine, and the path with the identities that its agent knows. */
    private record Place(String machine, String agent, String path) {}

    /** A request for output, and the places to ask. If there is only one place, the output must be there. */
    private record Sought(String task, int attempt, List<Place> places, List<String> down) {}

    private final Replica replica;
    private final ProblemAnswers problems;
    private final OutwardClients outward;

    LogsRoute(Replica replica, ProblemAnswers problems, Security security) {
        this.replica = replica;
        this.outward = new OutwardClients(
                () -> security.clientsOfAgents().connectTimeout(CONNECT_TIMEOUT).build());
        this.problems = problems;
    }

    StreamMethod<LogsQuery> method() {
        return new StreamMethod<>("/v1/tasks/{job}/{group}/{index}:logs", LogsQuery.getDefaultInstance(), this::serve);
    }

    private HttpResponse serve(ServiceRequestContext context, HttpRequest http, LogsQuery query) {
        Sought sought = replica.read(view -> find(view, query));
        context.clearRequestTimeout();
        return HttpResponse.of(
                sought.places().size() == 1 && sought.down().isEmpty()
                        ? ask(sought.places().get(0), query)
                        : new Search(sought, query).begin());
    }

    private static Sought find(CellView view, LogsQuery query) {
        TaskName name = new TaskName(query.getJob(), query.getGroup(), query.getIndex());
        TaskRow task = name.find(view).orElseThrow(() -> Problem.notFound("There is no task " + name));
        int newest = placedAttempt(task);
        if (newest < 1) {
            throw Problem.notFound("Task " + name + " has not started")
                    .withHint("it is " + task.state() + "; ask again when it is RUNNING");
        }
        int attempt = query.hasAttempt() ? query.getAttempt() : newest;
        if (attempt < 1 || attempt > newest) {
            throw Problem.notFound("Task " + name + " has had no attempt " + attempt)
                    .withHint(newest == 1 ? "there was only 1" : "there were 1 to " + newest);
        }
        return attempt == task.attempt() && task.machine().isPresent()
                ? new Sought(
                        name.toString(),
                        attempt,
                        List.of(newest(view, task, task.machine().getAsInt())),
                        List.of())
                : earlier(view, task, attempt);
    }

    /** The newest attempt that was placed. An attempt that waits for a machine has printed nothing. */
    private static int placedAttempt(TaskRow task) {
        return task.machine().isPresent() ? task.attempt() : task.attempt() - 1;
    }

    private static Place newest(CellView view, TaskRow task, int slot) {
        String machine = task.machineName().orElseThrow();
        if (!view.machineExists(slot) || view.status(slot) == MachineStatus.DOWN) {
            throw Problem.unavailable("Machine " + machine + ", which keeps the output, is down");
        }
        AgentIdentity agent = view.agent(slot)
                .orElseThrow(() -> Problem.notFound("Machine " + machine + " has no agent that keeps output"));
        return place(machine, agent, task, task.attempt());
    }

    private static Sought earlier(CellView view, TaskRow task, int attempt) {
        List<Place> places = new ArrayList<>();
        List<String> down = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot) && view.agent(slot).isPresent()) {
                if (view.status(slot) == MachineStatus.DOWN) {
                    down.add(view.machineName(slot));
                } else {
                    places.add(place(view.machineName(slot), view.agent(slot).get(), task, attempt));
                }
            }
        }
        return new Sought(task.text(), attempt, places, down);
    }

    private static Place place(String machine, AgentIdentity agent, TaskRow task, int attempt) {
        return new Place(
                machine,
                agent.address(),
                "/v1/logs/" + machine + "/" + task.id().job() + "/" + task.id().group() + "/"
                        + task.id().index() + "/" + attempt);
    }

    private CompletableFuture<HttpResponse> ask(Place place, LogsQuery query) {
        SplitHttpResponse output = request(place, query);
        return output.headers()
                .handle((headers, unreachable) ->
                        unreachable == null ? pass(output, headers, place) : problems.answer(unreachable(place)));
    }

    private SplitHttpResponse request(Place place, LogsQuery query) {
        return WebClient.builder(place.agent())
                .factory(outward.factory())
                .responseTimeoutMillis(0)
                .maxResponseLength(0)
                .build()
                .get(place.path() + "?" + parameters(query).toQueryString())
                .split();
    }

    /** One question to many agents. The first agent that has the output answers it; the others are then skipped. */
    private final class Search {
        private final Sought sought;
        private final LogsQuery query;
        private final Queue<Place> left;
        private final AtomicInteger open;
        private final Queue<String> silent;
        private final AtomicReference<@Nullable Place> removed = new AtomicReference<>();
        private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();

        Search(Sought sought, LogsQuery query) {
            this.sought = sought;
            this.query = query;
            this.left = new ConcurrentLinkedQueue<>(sought.places());
            this.open = new AtomicInteger(sought.places().size());
            this.silent = new ConcurrentLinkedQueue<>(sought.down());
        }

        CompletableFuture<HttpResponse> begin() {
            if (sought.places().isEmpty()) {
                answer.complete(problems.answer(nowhere()));
            }
            for (int asked = 0; asked < ASKED_AT_ONCE; asked++) {
                askNext();
            }
            return answer;
        }

        private void askNext() {
            Place place = answer.isDone() ? null : left.poll();
            if (place != null) {
                SplitHttpResponse output = request(place, query);
                CompletableFuture<?> unused = output.headers()
                        .orTimeout(SEARCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .handle((headers, unreachable) -> {
                            hear(place, output, unreachable == null ? headers : ResponseHeaders.of(HttpStatus.UNKNOWN));
                            return null;
                        });
            }
        }

        private void hear(Place place, SplitHttpResponse output, ResponseHeaders headers) {
            HttpStatus status = headers.status();
            boolean taken = status.equals(HttpStatus.OK) && answer.complete(text(output, headers));
            if (!taken) {
                output.body().abort();
                if (status.equals(HttpStatus.GONE)) {
                    removed.set(place);
                } else if (!status.equals(HttpStatus.NOT_FOUND)) {
                    silent.add(place.machine());
                }
                if (open.decrementAndGet() == 0) {
                    answer.complete(problems.answer(nowhere()));
                } else {
                    askNext();
                }
            }
        }

        private Problem nowhere() {
            Place gone = removed.get();
            if (gone != null) {
                return refusal(HttpStatus.GONE, gone);
            }
            String what = "attempt " + sought.attempt() + " of task " + sought.task();
            return silent.isEmpty()
                    ? Problem.notFound("No machine of the cell has output of " + what)
                            .withHint("its machine may be gone, or it was of an earlier job of that name")
                    : Problem.unavailable(
                            "No machine that answers has output of " + what + ", and " + doNotAnswer(silent));
        }
    }

    /** Names a few of the machines. */
    static String doNotAnswer(Collection<String> machines) {
        List<String> names = machines.stream().sorted().toList();
        String verb = names.size() == 1 ? " does not answer" : " do not answer";
        return names.size() <= NAMES_SHOWN
                ? String.join(", ", names) + verb
                : String.join(", ", names.subList(0, NAMES_SHOWN)) + " and " + (names.size() - NAMES_SHOWN) + " more"
                        + verb;
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
            return text(output, headers);
        }
        output.body().abort();
        return problems.answer(refusal(headers.status(), place));
    }

    private static HttpResponse text(SplitHttpResponse output, ResponseHeaders agents) {
        ResponseHeadersBuilder ours = ResponseHeaders.builder(HttpStatus.OK).contentType(MediaType.PLAIN_TEXT_UTF_8);
        for (String name : PASSED_ON) {
            String value = agents.get(name);
            if (value != null) {
                ours.set(name, value);
            }
        }
        return HttpResponse.of(ours.build(), output.body());
    }

    private static Problem refusal(HttpStatus status, Place place) {
        if (status.equals(HttpStatus.NOT_FOUND)) {
            return Problem.notFound(
                    "Machine " + place.machine() + " has no output of this attempt: it may not have started, and a"
                            + " hollow machine never has any");
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
        outward.close();
    }
}
