package dev.cella.state.web.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.cella.client.Problem;
import dev.cella.client.json.JsonCodec;
import java.time.Duration;
import java.util.NavigableSet;

/** Problems as answers over HTTP: RFC 9457, with the headers that belong to some of them. */
public final class ProblemAnswers {
    private static final MediaType PROBLEM_JSON = MediaType.create("application", "problem+json");

    private final JsonCodec codec;

    public ProblemAnswers(JsonCodec codec) {
        this.codec = codec;
    }

    public HttpResponse answer(Problem problem) {
        return whole(problem).toHttpResponse();
    }

    HttpResponse methodNotAllowed(Problem problem, NavigableSet<String> allowed) {
        ResponseHeaders headers = headers(problem)
                .set(HttpHeaderNames.ALLOW, String.join(", ", allowed))
                .build();
        return HttpResponse.of(headers, body(problem));
    }

    public AggregatedHttpResponse whole(Problem problem) {
        return AggregatedHttpResponse.of(headers(problem).build(), body(problem));
    }

    private static ResponseHeadersBuilder headers(Problem problem) {
        ResponseHeadersBuilder headers = ResponseHeaders.builder(
                        HttpStatus.valueOf(problem.type().status()))
                .contentType(PROBLEM_JSON);
        problem.retryAfter().ifPresent(after -> headers.set(HttpHeaderNames.RETRY_AFTER, seconds(after)));
        return headers;
    }

    /** Whole seconds, and at least one, because a client that returns at once has not waited. */
    private static String seconds(Duration after) {
        return Long.toString(Math.max(1, after.plusMillis(999).toSeconds()));
    }

    private HttpData body(Problem problem) {
        return HttpData.ofUtf8(codec.write(problem.toMessage()));
    }
}
