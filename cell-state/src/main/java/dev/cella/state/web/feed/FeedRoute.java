package dev.cella.state.web.feed;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.FeedQuery;
import dev.cella.state.web.http.StreamMethod;
import java.util.List;
import java.util.OptionalLong;

/** {@code GET /v1/feed}: where the reader wants to begin, and what it wants to see. */
public final class FeedRoute {
    private static final String LAST_EVENT_ID = "last-event-id";

    private final FeedProjection projection;

    private FeedRoute(FeedProjection projection) {
        this.projection = projection;
    }

    public static StreamMethod<FeedQuery> of(FeedProjection projection) {
        return new StreamMethod<>("/v1/feed", FeedQuery.getDefaultInstance(), new FeedRoute(projection)::serve);
    }

    private HttpResponse serve(ServiceRequestContext context, HttpRequest http, FeedQuery query) {
        return FeedStream.open(projection, FeedFilter.of(query), from(http, query), context);
    }

    /** What a browser says by itself when it comes back is newer than what stands in the address. */
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
