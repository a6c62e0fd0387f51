package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.client.Problem;
import dev.cella.client.proto.DeclineOfferRequest;
import dev.cella.client.proto.OfferDeclined;
import dev.cella.client.proto.OfferServiceGrpc.OfferServiceImplBase;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class OfferCallsTest {
    private static final Duration SOON = Duration.ofMinutes(2);

    private final RefusedOffers offers = new RefusedOffers();
    private final FakeServer server = new FakeServer(offers);
    private final CellConnection connection = CellConnection.open(server.address());
    private final KeptLines log = new KeptLines();
    private final OfferCalls calls = new OfferCalls(connection, log);

    /** A cell that refuses to take offers back. */
    private static final class RefusedOffers extends OfferServiceImplBase {
        private volatile Problem problem = Problem.internal("test");

        @Override
        public void declineOffer(DeclineOfferRequest request, StreamObserver<OfferDeclined> out) {
            out.onError(ProblemStatus.toException(problem));
        }
    }

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    private void decline(String offer) {
        int before = log.lines.size();
        calls.decline(offer, 1);
        await().atMost(SOON).untilAsserted(() -> assertThat(log.lines).hasSizeGreaterThan(before));
    }

    @Test
    void tokenWithoutThePermission_isOneWarning() {
        offers.problem = Problem.forbidden("the token may not").withHint("make another");

        decline("7.0");
        decline("8.0");

        assertThat(log.lines)
                .containsExactly(
                        "WARN offer=7.0: not given back (the token may not; make another)",
                        "DEBUG offer=8.0: not given back (the token may not)");
    }

    @Test
    void offerThatIsGone_isNoWarning() {
        offers.problem = Problem.notFound("no such offer");

        decline("7.0");

        assertThat(log.lines).containsExactly("DEBUG offer=7.0: not given back (no such offer)");
    }
}
