package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.json.JsonCodec;
import dev.cella.state.web.http.ProblemAnswers;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionsTest {
    private static final HttpService SERVED = (context, request) -> HttpResponse.of(HttpStatus.OK);
    private static final String PART = "/cella.v1.AgentService/Register";

    /** Room for one ordinary connection, and for more of the cell's parts. */
    private final Connections connections = new Connections(
            new ConnectionRoom.Sizes(8, 1, 1, 8), Duration.ofMinutes(1), new ProblemAnswers(new JsonCodec()));

    private static final class Client extends EmbeddedChannel {
        private final SocketAddress address;

        Client(int port) {
            this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        @Override
        public SocketAddress remoteAddress() {
            return address == null ? super.remoteAddress() : address;
        }
    }

    private int status(int port, HttpRequest request, boolean isKnown) throws Exception {
        Client client = new Client(port);
        connections.watch(client.pipeline());
        ServiceRequestContext context = ServiceRequestContext.builder(request)
                .remoteAddress((InetSocketAddress) client.remoteAddress())
                .build();
        DecoratingHttpServiceFunction behindTheGate = connections.ofParts(of -> isKnown);
        HttpService gate = (in, asked) -> behindTheGate.serve(SERVED, in, asked);
        return connections
                .serve(gate, context, request)
                .aggregate()
                .join()
                .status()
                .code();
    }

    private static HttpRequest get(String path) {
        return HttpRequest.of(HttpMethod.GET, path);
    }

    private static HttpRequest forwarded() {
        return HttpRequest.of(RequestHeaders.of(HttpMethod.GET, "/v1/cell", LeaderProxy.FORWARDED_BY, "r1"));
    }

    @Test
    void partThatTheGateKnows_getsTheRoomThatIsReserved() throws Exception {
        assertThat(status(1, get("/v1/cell"), false)).isEqualTo(200);
        assertThat(status(2, get(PART), true)).isEqualTo(200);
        assertThat(status(3, forwarded(), true)).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void strangerThatClaimsToBeAPart_getsNoMoreThanAClient(boolean isForwarded) throws Exception {
        HttpRequest claim = isForwarded ? forwarded() : get(PART);
        assertThat(status(1, claim, false)).isEqualTo(200);
        assertThat(status(2, claim, false)).isEqualTo(503);
        assertThat(status(3, get("/v1/cell"), false)).isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({"256, 128", "1024, 512", "4096, 3072", "20000, 15000", "65536, 16384"})
    void countMax_leavesFilesForTheLogAndTheTables(long files, int connections) {
        assertThat(Connections.countMax(files)).isEqualTo(connections);
    }
}
