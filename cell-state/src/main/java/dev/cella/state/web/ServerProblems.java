package dev.cella.state.web;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.state.web.http.ProblemAnswers;
import org.jspecify.annotations.Nullable;

/**
 * Answers failures outside of any call: a request that is no HTTP, or one that takes too long.
 *
 * <p>Armeria also reports its own failures while reading a request as a protocol violation with status 500. The client is not
 * to blame for those, so the answer does not say so.
 */
final class ServerProblems implements ServerErrorHandler {
    private final ProblemAnswers problems;

    ServerProblems(ProblemAnswers problems) {
        this.problems = problems;
    }

    @Override
    public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        return problems.answer(FailureAnswers.problemOf(cause));
    }

    @Override
    public AggregatedHttpResponse onProtocolViolation(
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        return problems.whole(problemOfViolation(status, cause));
    }

    static Problem problemOfViolation(HttpStatus status, @Nullable Throwable cause) {
        return status.isServerError()
                ? FailureAnswers.problemOf(cause == null ? new IllegalStateException("answered " + status) : cause)
                : Problem.of(ProblemType.ofStatus(status.code()), "This is not a request that HTTP allows");
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext context,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        ProblemType type = ProblemType.ofStatus(status.code());
        return problems.whole(Problem.of(type, status.reasonPhrase()));
    }
}
