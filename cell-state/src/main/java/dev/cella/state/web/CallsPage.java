package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.function.Supplier;

/**
 * All addresses that are served, by the table that serves them. Armeria's DocService is not used: it would show the gRPC calls
 * alone, and inspects every one of them at each start.
 */
final class CallsPage implements HttpService {
    private final Supplier<List<String>> routes;

    CallsPage(Supplier<List<String>> routes) {
        this.routes = routes;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest http) {
        return HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, String.join("\n", routes.get()) + "\n");
    }
}
