package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * More connections than a server keeps, which send nothing or half of a request. All other clients are still served.
 */
class HalfOpenConnectionsTest {
    private static final int SILENT = 1_100;

    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void silentConnections_lockNobodyOut_andAreClosed() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int count = 0; count < SILENT; count++) {
                Socket socket = connect();
                silent.add(socket);
                if (count % 2 == 0) {
                    socket.getOutputStream().write("GET /v1/cell HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
                }
            }
            assertThat(CELL.get("/healthz").status()).isEqualTo(200);
            assertThat(isClosed(silent.get(0))).isTrue();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void connectionThatSendsNoWholeHead_isClosed() throws Exception {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("GET /v1/cell HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(isClosed(socket)).isTrue();
        }
    }

    private static Socket connect() throws IOException {
        URI server = URI.create(CELL.address());
        return new Socket(server.getHost(), server.getPort());
    }

    private static boolean isClosed(Socket socket) throws IOException {
        socket.setSoTimeout(100_000);
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
