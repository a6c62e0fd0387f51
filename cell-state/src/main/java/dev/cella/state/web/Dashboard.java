package dev.cella.state.web;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.state.web.http.ProblemAnswers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The page at {@code /}: a view of the cell for people, drawn in the browser from the feed. Its files are resources of this
 * module, read once, without a build step.
 *
 * <p>The page may load from and talk to this server only, and runs no script but the files: the server sends nothing else with
 * the type of a script, and tells browsers not to guess types. Names of jobs and machines come from users; even if the page
 * showed one as markup, it would run nothing.
 */
final class Dashboard implements HttpService {
    static final String FILES_PATH = "/dashboard/{file}";

    private static final String INDEX = "index.html";

    private static final MediaType SCRIPT =
            MediaType.create("text", "javascript").withCharset(StandardCharsets.UTF_8);

    /** The list of all files, one per line, so that no other file is served. */
    private static final String LIST = "files.txt";

    /** The policy that browsers enforce, one rule per line. Tests of the page read it, too. */
    private static final String POLICY = "policy.txt";

    private final ProblemAnswers problems;
    private final Map<String, HttpData> contents = new HashMap<>();
    private final String policy;

    Dashboard(ProblemAnswers problems) {
        this.problems = problems;
        this.policy = lines(POLICY).collect(Collectors.joining(" "));
        lines(LIST).forEach(file -> contents.put(file, HttpData.wrap(read(file))));
    }

    private static Stream<String> lines(String file) {
        return new String(read(file), StandardCharsets.UTF_8).lines();
    }

    private static byte[] read(String file) {
        try (InputStream content = Dashboard.class.getResourceAsStream("dashboard/" + file)) {
            if (content == null) {
                throw new IllegalStateException("the dashboard's " + file + " is not among the resources");
            }
            return content.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException("reading the dashboard's " + file, failure);
        }
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest http) {
        String path = context.path();
        return answer(path.startsWith("/dashboard/") ? path.substring(path.lastIndexOf('/') + 1) : INDEX);
    }

    private HttpResponse answer(String file) {
        return Optional.ofNullable(contents.get(file))
                .map(content -> HttpResponse.of(headers(file), content))
                .orElseGet(() -> problems.answer(Problem.notFound("The dashboard has no file of that name")));
    }

    private static MediaType typeOf(String file) {
        return switch (file.substring(file.lastIndexOf('.') + 1)) {
            case "html" -> MediaType.HTML_UTF_8;
            case "css" -> MediaType.CSS_UTF_8;
            case "svg" -> MediaType.SVG_UTF_8;
            case "js" -> SCRIPT;
            default -> throw new IllegalStateException("no type is known of " + file);
        };
    }

    /**
     * The browser must ask again each time: after an upgrade, the page and its scripts must come from the same build.
     */
    private ResponseHeaders headers(String file) {
        return ResponseHeaders.builder(HttpStatus.OK)
                .contentType(typeOf(file))
                .add(HttpHeaderNames.CONTENT_SECURITY_POLICY, policy)
                .add(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
                .add(HttpHeaderNames.CACHE_CONTROL, "no-cache")
                .build();
    }
}
