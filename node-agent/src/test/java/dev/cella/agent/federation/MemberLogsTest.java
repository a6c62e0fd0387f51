package dev.cella.agent.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import dev.cella.agent.logs.LogAddress;
import dev.cella.agent.logs.LogServer;
import dev.cella.client.CellAddresses;
import dev.cella.transactions.model.Incarnation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MemberLogsTest {
    private final Server member = Server.builder()
            .http(0)
            .service("prefix:/v1/tasks", (context, request) -> oneLineThatIsFollowed())
            .requestTimeoutMillis(0)
            .build();

    private Optional<Incarnation> home = Optional.of(new Incarnation(7));
    private Wire wire;
    private MemberLogs logs;
    private LogServer door;

    @BeforeEach
    void open() throws IOException {
        member.start().join();
        wire = new Wire(member.activeLocalPort());
        logs = new MemberLogs(CellAddresses.of(URI.create("http://127.0.0.1:" + wire.port())), () -> home);
        door = LogServer.start(LogAddress.LOOPBACK, logs, Optional.empty());
    }

    @AfterEach
    void close() throws IOException {
        door.close();
        logs.close();
        wire.close();
        member.stop().join();
    }

    private static HttpResponse oneLineThatIsFollowed() {
        HttpResponseWriter answer = HttpResponse.streaming();
        answer.write(ResponseHeaders.of(HttpStatus.OK, "content-type", MediaType.PLAIN_TEXT_UTF_8.toString()));
        answer.write(HttpData.ofUtf8("line\n"));
        return answer;
    }

    private HttpRequest request() {
        return HttpRequest.newBuilder(URI.create(door.address() + "/v1/logs/m-1/5/0/2/1?follow=true"))
                .build();
    }

    @Test
    void homeThatIsNotKnownYet_isWaitedForByTheCaller() throws Exception {
        home = Optional.empty();
        assertThat(HttpClient.newHttpClient()
                        .send(request(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(503);
    }

    /** A member cell that is cut off closes no connection, and output may be quiet for days. */
    @Test
    void memberThatFallsSilent_endsTheOutputThatIsFollowed() throws Exception {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(
                HttpClient.newHttpClient()
                        .send(request(), BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).isEqualTo("line");
            wire.cut();
            assertThat(catchThrowable(output::readLine)).isInstanceOf(IOException.class);
        }
    }

    /** Passes bytes on both ways until it is cut. Then both sides hear nothing more. */
    private static final class Wire implements AutoCloseable {
        private final ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private volatile boolean isCut;

        Wire(int to) throws IOException {
            inBackground(() -> {
                while (true) {
                    Socket caller = door.accept();
                    Socket called = new Socket(InetAddress.getLoopbackAddress(), to);
                    inBackground(() -> pass(caller, called));
                    inBackground(() -> pass(called, caller));
                }
            });
        }

        int port() {
            return door.getLocalPort();
        }

        void cut() {
            isCut = true;
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void inBackground(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException closed) {
                    // the test is over
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void pass(Socket from, Socket towards) throws IOException {
            byte[] buffer = new byte[8_192];
            for (int length = from.getInputStream().read(buffer);
                    length >= 0;
                    length = from.getInputStream().read(buffer)) {
                if (!isCut) {
                    towards.getOutputStream().write(buffer, 0, length);
                    towards.getOutputStream().flush();
                }
            }
        }

        @Override
        public void close() throws IOException {
            door.close();
        }
    }
}
