package dev.cella.client.live;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.DeclineOfferRequest;
import dev.cella.client.proto.OfferDeclined;
import dev.cella.client.proto.OffersWanted;
import dev.cella.client.proto.OffersWantedRequest;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler's calls about offers besides claims. Nobody waits for the answers: the cell state shows their effect, and an
 * offer that was not given back expires.
 */
public final class OfferCalls {
    private static final Logger LOG = LoggerFactory.getLogger(OfferCalls.class);

    private final CellConnection connection;

    public OfferCalls(CellConnection connection) {
        this.connection = connection;
    }

    /** Gives the offer back. */
    public void decline(String offer, long refuseMillis) {
        DeclineOfferRequest request = DeclineOfferRequest.newBuilder()
                .setOffer(offer)
                .setRefuse(Durations.fromMillis(refuseMillis))
                .build();
        CompletableFuture<OfferDeclined> unused = connection
                .<DeclineOfferRequest, OfferDeclined>call(server -> server.offers()::declineOffer, request)
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        LOG.debug("offer={}: not given back ({})", offer, failure.getMessage());
                    }
                });
    }

    /** Tells the cell whether the scheduler's sessions want offers from now on. */
    public void wantOffers(String scheduler, boolean wanted) {
        OffersWantedRequest request =
                OffersWantedRequest.newBuilder().setName(scheduler).build();
        CompletableFuture<OffersWanted> unused = connection
                .<OffersWantedRequest, OffersWanted>call(
                        server -> wanted ? server.schedulers()::reviveOffers : server.schedulers()::suppressOffers,
                        request)
                .whenComplete((answer, failure) -> {
                    if (failure != null) {
                        LOG.debug("scheduler={} wantOffers={}: not said ({})", scheduler, wanted, failure.getMessage());
                    }
                });
    }
}
