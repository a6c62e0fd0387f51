package dev.cella.state.web;

import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.Time;
import dev.cella.state.web.http.UnaryMethod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * The figures of a page besides the rows of the feed, so that one connection is enough: the answers of a few calls, as one
 * line of JSON. They are computed once per second, however many pages are open.
 */
final class LiveFigures implements Supplier<String> {
    private static final Duration KEPT = Duration.ofMillis(900);
    private static final Duration SERIES = Duration.ofSeconds(5);

    private final Collection<UnaryMethod<?, ?>> methods;
    private final JsonCodec codec;
    private final Time time;
    private String newest = "{}";
    private long madeAtNanos;

    LiveFigures(Collection<UnaryMethod<?, ?>> methods, JsonCodec codec, Time time) {
        this.methods = methods;
        this.codec = codec;
        this.time = time;
        this.madeAtNanos = time.monotonicNanos() - KEPT.toNanos();
    }

    @Override
    public synchronized String get() {
        if (time.monotonicNanos() - madeAtNanos >= KEPT.toNanos()) {
            newest = make();
            madeAtNanos = time.monotonicNanos();
        }
        return newest;
    }

    private String make() {
        String since = Instant.ofEpochMilli(time.wallMillis()).minus(SERIES).toString();
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("schedulers", ask("ListSchedulers", Map.of("limit", "1000")));
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
