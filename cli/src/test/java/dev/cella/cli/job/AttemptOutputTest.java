package dev.cella.cli.job;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.cli.terminal.Terminal;
import dev.cella.cli.terminal.TypedCommand;
import dev.cella.client.http.HttpCell;
import dev.cella.client.proto.LogsQuery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class AttemptOutputTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    /** A proxy may break an answer and leave its connection open. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void followedLog_leavesEachBrokenAnswerBeforeItAsksAgain(@TempDir Path home) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> answered = CompletableFuture.runAsync(
                    () -> answer(
                            server,
                            List.of(HEAD + "4\r\none\n\r\nno chunk\r\n", HEAD + "2\r\non\r\nno chunk\r\n"),
                            HEAD + "8\r\none\ntwo\n\r\n0\r\n\r\n"),
                    task -> new Thread(task, "server").start());

            try (AttemptOutput output = open(server, new TypedCommand(home).terminal())) {
                assertThat(new String(output.readAllBytes(), US_ASCII)).isEqualTo("one\ntwo\n");
            }
            answered.join();
        }
    }

    private static AttemptOutput open(ServerSocket server, Terminal terminal) {
        HttpCell cell = new HttpCell(URI.create("http://127.0.0.1:" + server.getLocalPort()));
        LogsQuery query = LogsQuery.newBuilder()
                .setJob("a")
                .setGroup("main")
                .setFollow(true)
                .build();
        AwayPatience patience = new AwayPatience(terminal.environment().clock());
        return new AttemptOutput(cell, "a/main/0", query, patience, terminal);
    }

    /** Gives the broken answers, each until its reader has left the connection, and then the whole one. */
    private static void answer(ServerSocket server, List<String> broken, String whole) {
        try {
            for (String text : broken) {
                try (Socket connection = answer(server, text)) {
                    assertThat(connection.getInputStream().read()).isEqualTo(-1);
                }
            }
            answer(server, whole).close();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static Socket answer(ServerSocket server, String text) throws IOException {
        Socket connection = server.accept();
        BufferedReader head = new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII));
        head.lines().takeWhile(line -> !line.isEmpty()).forEach(line -> {});
        connection.getOutputStream().write(text.getBytes(US_ASCII));
        return connection;
    }
}
