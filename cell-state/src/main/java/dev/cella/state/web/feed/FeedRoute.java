package dev.cella.state.web.feed;

import com.google.protobuf.util.Durations;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.FeedQuery;
import dev.cella.state.web.http.StreamMethod;
import dev.cella.transactions.model.Incarnation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** {@code GET /v1/feed}: reads from the request where the reader begins and what it sees. */
public final class FeedRoute {
    private static final Duration EVERY_MIN = Duration.ofMillis(100);
    private static final Duration EVERY_MAX = Duration.ofSeconds(10);
    private static final String LAST_EVENT_ID = "last-event-id";

    private final FeedProjection projection;
    private final Function<RequestHeaders, String> figures;

    private FeedRoute(FeedProjection projection, Function<RequestHeaders, String> figures) {
        this.projection = projection;
        this.figures = figures;
    }

    /**
     * The route.
     *
     * @param figures the figures for readers that ask for them once per second, as a line of JSON, by the headers of the request
     */
    public static StreamMethod<FeedQuery> of(FeedProjection projection, Function<RequestHeaders, String> figures) {
        return new StreamMethod<>(
                "/v1/feed", FeedQuery.getDefaultInstance(), new FeedRoute(projection, figures)::serve);
    }

    private HttpResponse serve(ServiceRequestContext context, HttpRequest http, FeedQuery query) {
        OptionalLong from = from(http, query);
        if (query.hasAt() && query.hasFrom()) {
            throw Problem.badRequest(List.of(Fault.of("at", "begins with a snapshot, and from without one")));
        }
        if (query.getBrief() && !query.hasEvery()) {
            throw Problem.badRequest(List.of(Fault.of("brief", "needs every, such as every=500ms")));
        }
        // A browser that reconnects continues after what it has.
        OptionalLong at = query.hasAt() && from.isEmpty() ? OptionalLong.of(query.getAt()) : OptionalLong.empty();
        return FeedStream.open(
                projection,
                new FeedStream.Asked(FeedFilter.of(query), incarnation(query), from, at, pace(http.headers(), query)),
                context);
    }

    private RowReader.Pace pace(RequestHeaders headers, FeedQuery query) {
        return new RowReader.Pace(
                query.getFigures() ? Optional.of(() -> figures.apply(headers)) : Optional.empty(),
                query.hasEvery()
                        ? Optional.of(every(Duration.ofNanos(Durations.toNanos(query.getEvery()))))
                        : Optional.empty());
    }

    private static Duration every(Duration every) {
        if (every.compareTo(EVERY_MIN) < 0 || every.compareTo(EVERY_MAX) > 0) {
            throw Problem.badRequest(List.of(Fault.of("every", "must be from 100ms to 10s")));
        }
        return every;
    }

    private static Incarnation incarnation(FeedQuery query) {
        try {
            return query.hasIncarnation() ? Incarnation.parse(query.getIncarnation()) : Incarnation.UNSAID;
        } catch (NumberFormatException none) {
            throw Problem.badRequest(List.of(Fault.of("incarnation", "must be up to 16 hexadecimal digits")));
        }
    }

    /** The browser's header on reconnecting is newer than the parameter in the address. */
    private static OptionalLong from(HttpRequest http, FeedQuery query) {
        String lastEventId = http.headers().get(LAST_EVENT_ID);
        if (lastEventId != null && !lastEventId.isEmpty()) {
            return OptionalLong.of(version(lastEventId));
        }
        return query.hasFrom() ? OptionalLong.of(query.getFrom()) : OptionalLong.empty();
    }

    private static long version(String lastEventId) {
        if (!lastEventId.matches("\\d{1,18}")) {
            throw Problem.badRequest(List.of(Fault.of("Last-Event-ID", "must be a version of the cell")));
        }
        return Long.parseLong(lastEventId);
    }
}
