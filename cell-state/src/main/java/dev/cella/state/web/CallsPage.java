package dev.cella.state.web;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.function.Supplier;

/**
 * All calls: as a page for a browser, drawn from {@code /openapi.json}, and as lines of text for other clients. Armeria's
 * DocService is not used: it would show only the gRPC calls, and it inspects every one of them at each start.
 */
final class CallsPage implements HttpService {
    private final Supplier<List<String>> routes;
    private final HttpService page;

    CallsPage(Supplier<List<String>> routes, HttpService page) {
        this.routes = routes;
        this.page = page;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest http) throws Exception {
        return http.headers().get(HttpHeaderNames.ACCEPT, "").contains("text/html")
                ? page.serve(context, http)
                : HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, String.join("\n", routes.get()) + "\n");
    }
}
