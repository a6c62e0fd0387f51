package dev.cella.state.web.http;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;

/**
 * A call over HTTP whose answer is a stream: {@code GET} only. Its parameters follow the same rules as those of other calls.
 *
 * @param path in the form of an annotation
 * @param emptyRequest an empty message of the parameters
 */
public record StreamMethod<Q extends Message>(String path, Q emptyRequest, Handler<Q> handler) {
    /** Answers on a thread that may wait; fails with a {@link dev.cella.client.Problem}. */
    public interface Handler<Q extends Message> {
        HttpResponse serve(ServiceRequestContext context, HttpRequest http, Q request);
    }

    @SuppressWarnings("unchecked") // made from emptyRequest
    HttpResponse serve(ServiceRequestContext context, HttpRequest http, Message request) {
        return handler.serve(context, http, (Q) request);
    }
}
