package dev.cella.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cella.client.access.CellAccess;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * One request to one server, and its answer, on its own connection. It belongs to one thread and ignores interrupts.
 *
 * <p>It uses the JDK's older client. {@code java.net.http} costs a command 0.1 s of processor time for its classes, and 0.3 s
 * at the end, because an exiting JVM waits that long for threads in native code, such as the one that waits for sockets. Three
 * defaults of the older client are turned off: it would repeat a request whose connection broke (a reading caller may do that
 * itself), follow redirects, and reuse a connection that the server is about to close.
 */
final class HttpCall implements AutoCloseable {
    private final URI server;
    private final HttpURLConnection connection;
    private boolean isChange;

    /** Prepares a call without sending anything. */
    HttpCall(URI server, String address, Duration connectTimeout, CellAccess access) {
        this.server = server;
        this.connection = open(server, address);
        access.authorization().ifPresent(said -> connection.setRequestProperty("Authorization", said));
        if (connection instanceof HttpsURLConnection secured) {
            access.tls()
                    .ifPresent(tls -> secured.setSSLSocketFactory(tls.context().getSocketFactory()));
        }
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(millis(connectTimeout));
        connection.setRequestProperty("Connection", "close");
    }

    private static HttpURLConnection open(URI server, String address) {
        try {
            return (HttpURLConnection) server.resolve(address).toURL().openConnection();
        } catch (IOException impossible) {
            throw new CellUnreachable(server, "it is no address over HTTP", impossible);
        }
    }

    private static int millis(Duration duration) {
        return (int) Math.min(duration.toMillis(), Integer.MAX_VALUE);
    }

    void setHeader(String name, String value) {
        connection.setRequestProperty(name, value);
    }

    /** How long the server may be silent; by default forever. */
    void setAnswerTimeout(Duration timeout) {
        connection.setReadTimeout(millis(timeout));
    }

    /** Sends the request and waits until the answer begins. Returns the status. */
    int get() {
        try {
            connect();
            return connection.getResponseCode();
        } catch (IOException broken) {
            throw unreachable(broken);
        }
    }

    /** The same with a verb that changes something, and a body. */
    int send(String verb, String type, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        isChange = true;
        try {
            connection.setRequestMethod(verb);
            connection.setRequestProperty("Content-Type", type);
            connection.setDoOutput(true);
            // With a fixed length the JDK keeps no copy of the body and never repeats the request.
            connection.setFixedLengthStreamingMode(bytes.length);
            connect();
            try (OutputStream out = connection.getOutputStream()) {
                out.write(bytes);
            }
            return connection.getResponseCode();
        } catch (IOException broken) {
            throw unreachable(broken);
        }
    }

    private void connect() {
        try {
            connection.connect();
        } catch (UnknownHostException unknown) {
            throw CellUnreachable.noSuchHost(server, unknown);
        } catch (SSLException untrusted) {
            throw CellUnreachable.withoutTls(server, untrusted);
        } catch (IOException refused) {
            throw CellUnreachable.nothingListens(server, refused);
        }
    }

    /** When the server's certificate expires; empty over plain HTTP. */
    Optional<Instant> certificateExpiresAt() {
        try {
            return connection instanceof HttpsURLConnection secured
                            && secured.getServerCertificates()[0] instanceof X509Certificate shown
                    ? Optional.of(shown.getNotAfter().toInstant())
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException | IllegalStateException notConnected) {
            return Optional.empty();
        }
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(connection.getHeaderField(name));
    }

    /** The body of the answer, also of a refusal, as it arrives. */
    InputStream body() {
        InputStream refusal = connection.getErrorStream();
        if (refusal != null) {
            return refusal;
        }
        try {
            return connection.getInputStream();
        } catch (IOException refusedWithoutWords) {
            return InputStream.nullInputStream();
        }
    }

    /** As much of the body as has arrived. The client throws away that of some refusals. */
    String text() {
        return new String(bytes(), UTF_8);
    }

    /** The body of an answer that is no refusal. The client does not notice by itself that one of a known length ends early. */
    String wholeText() {
        byte[] bytes = bytes();
        if (bytes.length < connection.getContentLengthLong()) {
            throw unreachable(new EOFException("the answer ends after " + bytes.length + " bytes"));
        }
        return new String(bytes, UTF_8);
    }

    private byte[] bytes() {
        try (InputStream body = body()) {
            return body.readAllBytes();
        } catch (IOException broken) {
            throw unreachable(broken);
        }
    }

    private CellUnreachable unreachable(IOException broken) {
        String why = broken instanceof SocketTimeoutException ? "no answer in time" : "the connection broke";
        return isChange
                ? CellUnreachable.mayBeDone(server, why, broken)
                : CellUnreachable.withoutAnswer(server, why, broken);
    }

    /** Ends the call, even if a part of the answer has not arrived. */
    @Override
    public void close() {
        connection.disconnect();
    }
}
