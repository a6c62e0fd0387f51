package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.sun.net.httpserver.HttpServer;
import dev.cella.state.core.Membership;
import dev.cella.state.core.Membership.Member;
import dev.cella.state.web.access.Caller;
import dev.cella.transactions.model.Principal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FeatureLevelsTest {
    private final List<HttpServer> others = new ArrayList<>();

    @AfterEach
    void stop() {
        others.forEach(other -> other.stop(0));
    }

    @Test
    void allKnow_whoKnowsThatOrMore_isEnough() throws IOException {
        assertThat(levels(200, "2", 200, "3").allKnow(2)).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void allKnow_oneOfAnOlderProgram_isRefusedByItsName() throws IOException {
        assertThatThrownBy(() -> levels(200, "2", 200, "1").allKnow(2).join())
                .hasMessageContaining("replica r3 knows feature level 1, and this needs 2");
    }

    @Test
    void allKnow_oneThatHasNoAnswer_isRefusedByItsName() throws IOException {
        assertThatThrownBy(() -> levels(404, "", 200, "2").allKnow(2).join())
                .hasMessageContaining("replica r2 does not say");
    }

    /** The next command names in the log the person who asked for it. */
    @Test
    void allKnow_goesOnWithinTheRequest() throws Exception {
        Caller alice = new Caller(new Principal("alice"), List.of(), List.of());
        ServiceRequestContext request = ServiceRequestContext.of(HttpRequest.of(HttpMethod.POST, "/v1/level"));
        alice.enter(request);
        FeatureLevels levels = levels(200, "2", 200, "3");
        CompletableFuture<Void> known = request.run(() -> levels.allKnow(2));
        assertThat(known.thenApply(level -> Caller.current()))
                .succeedsWithin(Duration.ofMinutes(1))
                .isEqualTo(alice);
    }

    @Test
    void allKnow_alone_asksNobody() {
        assertThat(new FeatureLevels(Membership::alone, Optional.empty()).allKnow(2))
                .isCompleted();
    }

    private FeatureLevels levels(int statusOfR2, String saidByR2, int statusOfR3, String saidByR3) throws IOException {
        Membership three = new Membership(
                "r1",
                List.of(
                        new Member("r1", "127.0.0.1:1", URI.create("http://127.0.0.1:1")),
                        new Member("r2", "127.0.0.1:2", other(statusOfR2, saidByR2)),
                        new Member("r3", "127.0.0.1:3", other(statusOfR3, saidByR3))));
        return new FeatureLevels(() -> three, Optional.empty());
    }

    private URI other(int status, String said) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(FeatureLevels.PATH, exchange -> {
            byte[] body = said.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        others.add(server);
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }
}
