package dev.cella.bench.cell;

import dev.cella.client.access.CellAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.net.SocketFactory;

/**
 * One connection to a server, over TLS if the cell has it, on which bytes are written by hand. A library would reuse
 * connections, and would not send what a server must refuse. Used by one thread at a time.
 */
final class BareClient implements AutoCloseable {
    private static final int ANSWER_MILLIS_MAX = 30_000;

    private final Socket socket;

    private BareClient(Socket socket) {
        this.socket = socket;
    }

    /** Connects from that address of this machine. */
    static BareClient connect(URI server, CellAccess access, InetAddress from) throws IOException {
        SocketFactory sockets = access.tls()
                .<SocketFactory>map(tls -> tls.context().getSocketFactory())
                .orElseGet(SocketFactory::getDefault);
        Socket socket = sockets.createSocket(InetAddress.getByName(server.getHost()), server.getPort(), from, 0);
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
        return new BareClient(socket);
    }

    /** The lines of a request without a body, by a caller with that token. */
    static String get(String path, URI server, CellAccess access) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + server.getAuthority() + "\r\n"
                + access.authorization()
                        .map(value -> "Authorization: " + value + "\r\n")
                        .orElse("") + "\r\n";
    }

    void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The status of the answer; its body, of the length that the head says, is read and dropped. */
    int readStatus() throws IOException {
        String head = readHead();
        int length = head.lines()
                .map(line -> line.toLowerCase(Locale.ROOT))
                .filter(line -> line.startsWith("content-length:"))
                .map(line -> Integer.parseInt(
                        line.substring("content-length:".length()).strip()))
                .findFirst()
                .orElse(0);
        socket.getInputStream().skipNBytes(length);
        return Integer.parseInt(head.split(" ", 3)[1]);
    }

    private String readHead() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the server closed the connection after: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /** What arrives from now on. */
    InputStream in() throws IOException {
        return socket.getInputStream();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
