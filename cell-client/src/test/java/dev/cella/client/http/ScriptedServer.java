package dev.cella.client.http;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A server that answers everything in one way and keeps what it was asked. */
final class ScriptedServer implements AutoCloseable {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Server server;
    private volatile Supplier<HttpResponse> answer;

    ScriptedServer(Supplier<HttpResponse> answer) {
        this.answer = answer;
        this.server = Server.builder()
                .http(0)
                .requestTimeoutMillis(0)
                .service(
                        "prefix:/",
                        (context, request) ->
                                HttpResponse.of(request.aggregate().thenApply(this::answer)))
                .build();
        server.start().join();
    }

    private HttpResponse answer(AggregatedHttpRequest request) {
        String type = request.contentType() == null ? "" : " " + request.contentType();
        asked.add(request.method() + " " + request.path() + type + " " + request.contentUtf8());
        return answer.get();
    }

    void answerWith(Supplier<HttpResponse> newAnswer) {
        this.answer = newAnswer;
    }

    /** Every request so far: its verb, path and query, type and body. */
    List<String> asked() {
        return asked;
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.activeLocalPort());
    }

    @Override
    public void close() {
        server.stop().join();
    }
}
