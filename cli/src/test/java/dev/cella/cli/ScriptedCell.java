package dev.cella.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that gives to each path the answers that a test wrote for it, one after another, and then the last one again. To any
 * other path it answers an empty object, which is an answer of a cell without anything in it.
 */
final class ScriptedCell implements AutoCloseable {
    /** An answer to one request. */
    interface Answer {
        void give(HttpExchange exchange) throws IOException;
    }

    private final Map<String, ConcurrentLinkedDeque<Answer>> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    ScriptedCell() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Every path and query that was asked for. */
    List<String> asked() {
        return asked;
    }

    void answer(String path, Answer... inOrder) {
        answers.put(path, new ConcurrentLinkedDeque<>(List.of(inOrder)));
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.add(exchange.getRequestURI().toString());
        // The end of an exchange with a body that was not read breaks the connection.
        exchange.getRequestBody().readAllBytes();
        // As a cell answers a request that closes its connection. Without it the JDK's client sends the next PUT there.
        exchange.getResponseHeaders().set("Connection", "close");
        ConcurrentLinkedDeque<Answer> left =
                answers.get(exchange.getRequestURI().getPath());
        Answer next = left == null ? json("{}") : left.size() > 1 ? left.remove() : left.element();
        next.give(exchange);
    }

    static Answer json(String object) {
        return exchange -> answer(exchange, 200, object);
    }

    /** A refusal. */
    static Answer problem(String type, int status, String detail) {
        return problem(type, status, detail, "");
    }

    /** The same with more fields, each after a comma. */
    static Answer problem(String type, int status, String detail, String more) {
        String body = "{\"type\": \"/problems/%s\", \"status\": %d, \"title\": \"no\", \"detail\": \"%s\"%s}";
        return exchange -> answer(exchange, status, body.formatted(type, status, detail, more));
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** A whole text, in chunks. */
    static Answer text(Map<String, String> headers, String text) {
        return exchange -> {
            begin(exchange, headers, text);
            exchange.close();
        };
    }

    /** The connection breaks after the beginning of a text. */
    static Answer breaking(Map<String, String> headers, String beginning) {
        return exchange -> {
            begin(exchange, headers, beginning);
            throw new IOException("the script breaks this connection");
        };
    }

    /** The connection breaks before anything is answered. */
    static Answer nothing() {
        return exchange -> {
            throw new IOException("the script breaks this connection");
        };
    }

    /** A text that does not end while the server is there. */
    Answer endless(String beginning) {
        return exchange -> {
            begin(exchange, Map.of(), beginning);
            try {
                closed.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void begin(HttpExchange exchange, Map<String, String> headers, String text) throws IOException {
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(200, 0);
        OutputStream body = exchange.getResponseBody();
        body.write(text.getBytes(UTF_8));
        body.flush();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
