package dev.cella.state.web;

import com.linecorp.armeria.common.RequestHeaders;
import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.Time;
import dev.cella.state.web.http.UnaryMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * The figures of a page besides the rows of the feed, so that one connection is enough: the answers of a few calls, as one
 * line of JSON. They are computed once per second, however many pages are open.
 *
 * <p>Schedulers report to the leader only. So another replica asks the leader for its answer about them, with the token of a
 * reader, as it has none of its own. It shows the leader's last answer and does not wait for the next one. If the leader
 * refuses or fails one request, the answer before stays. After ten seconds without an answer, it shows what it knows itself:
 * the sessions, without reports.
 *
 * <p>Guarded by its own monitor.
 */
final class LiveFigures {
    private static final Duration KEPT = Duration.ofMillis(900);
    private static final Duration LEADERS_KEPT = Duration.ofSeconds(10);
    private static final Duration SERIES = Duration.ofSeconds(5);

    private final Collection<UnaryMethod<?, ?>> methods;
    private final BooleanSupplier leads;
    private final BiFunction<RequestHeaders, String, CompletableFuture<Optional<String>>> leader;
    private final JsonCodec codec;
    private final Time time;
    private CompletableFuture<Optional<String>> asked = CompletableFuture.completedFuture(Optional.empty());
    private long askedAtNanos;
    private Optional<String> leaders = Optional.empty();
    private long leadersAskedAtNanos;
    private String newest = "{}";
    private long madeAtNanos;

    /**
     * @param leads whether this replica leads
     * @param leader asks another leader for the answer to a read of that caller; empty if it refuses or fails
     */
    LiveFigures(
            Collection<UnaryMethod<?, ?>> methods,
            BooleanSupplier leads,
            BiFunction<RequestHeaders, String, CompletableFuture<Optional<String>>> leader,
            JsonCodec codec,
            Time time) {
        this.methods = methods;
        this.leads = leads;
        this.leader = leader;
        this.codec = codec;
        this.time = time;
        this.madeAtNanos = time.monotonicNanos() - KEPT.toNanos();
    }

    /** Every reader of the feed may read these figures, so they are the same for all. */
    synchronized String get(RequestHeaders reader) {
        if (time.monotonicNanos() - madeAtNanos >= KEPT.toNanos()) {
            newest = make(reader);
            madeAtNanos = time.monotonicNanos();
        }
        return newest;
    }

    private String make(RequestHeaders reader) {
        String since = Instant.ofEpochMilli(time.wallMillis()).minus(SERIES).toString();
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("schedulers", schedulers(reader));
        figures.put("conflicts", ask("GetConflicts", Map.of("window", "5m")));
        figures.put("ledger", ask("ListConflicts", Map.of("limit", "20")));
        figures.put("series", ask("GetSeries", Map.of("from", since)));
        StringBuilder text = new StringBuilder("{");
        figures.forEach((name, json) -> text.append(text.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":")
                .append(json));
        return text.append('}').toString();
    }

    private String schedulers(RequestHeaders reader) {
        return (leads.getAsBoolean() ? Optional.<String>empty() : leaders(reader))
                .orElseGet(() -> ask("ListSchedulers", Map.of("limit", "1000")));
    }

    private Optional<String> leaders(RequestHeaders reader) {
        long now = time.monotonicNanos();
        if (asked.isDone()) {
            asked.join().ifPresent(answer -> {
                leaders = Optional.of(answer);
                leadersAskedAtNanos = askedAtNanos;
            });
            asked = leader.apply(reader, "/v1/schedulers?limit=1000");
            askedAtNanos = now;
        }
        return leaders.filter(answer -> now - leadersAskedAtNanos < LEADERS_KEPT.toNanos());
    }

    /** None of these calls waits for anything. */
    private String ask(String name, Map<String, String> parameters) {
        try {
            return methods.stream()
                    .filter(method -> method.grpc().getBareMethodName().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .answer(parameters, codec);
        } catch (CompletionException failure) {
            return "{}";
        }
    }
}
