package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.access.TokenSecret;
import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.state.web.http.ProblemAnswers;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GateTest {
    private SimulatedReplica simulated;
    private Gate gate;

    @BeforeEach
    void open() throws Exception {
        ManualTime time = new ManualTime();
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), time);
        gate = new Gate(simulated.replica(), time, Security.TOKENS, new ProblemAnswers(new JsonCodec()));
    }

    @AfterEach
    void close() {
        gate.close();
    }

    /** A token may have been made that its copy of the cell does not have yet. A refusal for good would end the caller. */
    @Test
    void unknownToken_isRefusedForGoodOnlyByACurrentReplica() throws Exception {
        assertThat(answer().status()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(answer().contentUtf8()).contains("/problems/no-leader", "catching up");

        simulated.lead();
        assertThat(answer().status()).isEqualTo(HttpStatus.UNAUTHORIZED);
    }

    private AggregatedHttpResponse answer() throws Exception {
        String secret = TokenSecret.make(simulated.replica().cell().text(), RandomGenerator.getDefault());
        HttpRequest request = HttpRequest.of(
                RequestHeaders.of(HttpMethod.GET, "/v1/cell", HttpHeaderNames.AUTHORIZATION, "Bearer " + secret));
        return gate.serve((context, let) -> HttpResponse.of(HttpStatus.OK), ServiceRequestContext.of(request), request)
                .aggregate()
                .join();
    }
}
