package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.state.web.http.ProblemAnswers;
import java.util.Locale;
import java.util.Optional;

/** The description of each kind of problem, at the address that is its {@code type}. */
final class ProblemPages implements HttpService {
    static final String PATH = "/problems/{name}";

    private final ProblemAnswers problems;

    ProblemPages(ProblemAnswers problems) {
        this.problems = problems;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest http) {
        Optional<ProblemType> type = ProblemType.find(context.path());
        return type.isPresent()
                ? HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, page(type.get()))
                : problems.answer(Problem.notFound("There is no such kind of problem"));
    }

    private static String page(ProblemType type) {
        String name = type.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return name + " (" + type.status() + ")\n\n" + sentence(type) + "\n";
    }

    private static String sentence(ProblemType type) {
        return switch (type) {
            case BAD_REQUEST ->
                "The request has fields, parameters or values that are not understood; \"errors\" names each with its place.";
            case UNAUTHORIZED -> "The request has no valid token or certificate.";
            case FORBIDDEN ->
                "The caller may not do this, or the request came under a wrong host name or from another server's web page.";
            case NOT_FOUND -> "There is no call at this address, or nothing of that name.";
            case METHOD_NOT_ALLOWED ->
                "There is something at this address, but not for this method; the header Allow lists those there are.";
            case CONFLICT ->
                "The request is understood, but what it asks does not go together with the state of the cell as it is now.";
            case GONE ->
                "It was there once and is not kept any more: the rest of a list, a version, the log of a task.";
            case TOO_LARGE -> "The body is larger than 1 MiB, or what it describes is larger than the cell takes.";
            case UNSUPPORTED_MEDIA_TYPE -> "A body must be JSON and say so: Content-Type: application/json.";
            case RATE_LIMITED ->
                "Requests come faster than they are taken; the header Retry-After says when to come again.";
            case INTERNAL ->
                "The server met something that nobody foresaw; its log says what. The state of the cell is not in danger: what was not decided did not happen.";
            case NO_LEADER ->
                "There is no replica at the moment that can decide; one will be elected. Ask again after Retry-After.";
            case OVERLOADED ->
                "More is waiting to be decided than the cell takes, or it has no room for more; nothing of this request was done. Ask again after Retry-After.";
            case UNAVAILABLE -> "Something that the answer needs, such as a machine that keeps a log, does not answer.";
            case VERSION_NOT_REACHED ->
                "The cell did not reach the version that was asked for within the wait. Ask again after Retry-After.";
        };
    }
}
