package dev.cella.state.web;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;

/** What a person sees who opens the address of a cell in a browser: what this is, and where to look. */
final class FrontPage implements HttpService {
    private static final String HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <meta charset="utf-8">
            <title>Cella</title>
            <h1>This is a Cella cell</h1>
            <p>Many schedulers commit transactions to one shared state of machines, jobs and tasks; this is that state.</p>
            <ul>
              <li><a href="/v1/cell">/v1/cell</a>: its name, its version, what its machines hold</li>
              <li><a href="/v1/machines">/v1/machines</a>, <a href="/v1/jobs">/v1/jobs</a>, <a href="/v1/tasks">/v1/tasks</a></li>
              <li><a href="/v1/feed">/v1/feed</a>: every change, as it happens</li>
              <li><a href="/docs">/docs</a>: all calls</li>
              <li><a href="/metrics">/metrics</a>, <a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a></li>
            </ul>
            <p>On the command line: <code>cella status</code>.</p>
            </html>
            """;

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest http) {
        return HttpResponse.of(HttpStatus.OK, MediaType.HTML_UTF_8, HTML);
    }
}
