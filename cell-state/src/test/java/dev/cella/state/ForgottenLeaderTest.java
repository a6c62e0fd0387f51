package dev.cella.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.rocksdb.RocksCellStore;
import dev.cella.state.web.Security;
import dev.cella.state.web.WebOptions;
import dev.cella.state.web.WebServer;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica that forgets the leader again and again still forwards every command. */
@Timeout(60)
class ForgottenLeaderTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int COMMANDS = 20;

    @TempDir
    private Path path;

    private final ReplicaThreads threads = new ReplicaThreads();
    private HttpServer leader;
    private DataDirectory directory;
    private Replica replica;
    private WebServer doors;

    @BeforeEach
    void start() throws Exception {
        leader = HttpServer.create(ANY_PORT, 0);
        leader.createContext("/v1/jobs", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        leader.start();
        Membership membership = new Membership(
                "r1",
                List.of(
                        new Member("r1", "127.0.0.1:1", URI.create("http://127.0.0.1:1")),
                        new Member("r2", "127.0.0.1:2", addressOfTheLeader())));
        directory = DataDirectory.open(path, new CellName("cell"), 0, UUID.randomUUID());
        replica = new Replica(
                new Command.FoundCell(directory.cell(), new Incarnation(1)),
                membership,
                new Forgetful("r2"),
                new RocksCellStore(directory),
                ReplicaLimits.defaults(),
                threads.time(),
                threads.threads(),
                (message, cause) -> {
                    throw new AssertionError(message, cause);
                });
        doors = new WebServer(
                replica,
                threads.time(),
                directory,
                new WebOptions(ANY_PORT, Set.of(), membership, Security.OPEN, Optional.empty(), 1 << 20));
        doors.open();
    }

    private URI addressOfTheLeader() {
        return URI.create("http://127.0.0.1:" + leader.getAddress().getPort());
    }

    @AfterEach
    void close() throws Exception {
        doors.close();
        replica.close();
        threads.close();
        directory.close();
        leader.stop(0);
    }

    @Test
    void commandsWhileTheLeaderIsForgottenAgainAndAgain_allReachIt() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest submission = HttpRequest.newBuilder(URI.create(doors.address() + "/v1/jobs"))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        for (int command = 0; command < COMMANDS; command++) {
            assertThat(client.send(submission, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /** A log that knows its leader each second time that it is asked. */
    private static final class Forgetful extends StillLog {
        private final String leader;
        private final AtomicInteger asked = new AtomicInteger();

        Forgetful(String leader) {
            this.leader = leader;
        }

        @Override
        public Optional<String> leader() {
            return asked.incrementAndGet() % 2 == 0 ? Optional.empty() : Optional.of(leader);
        }
    }
}
