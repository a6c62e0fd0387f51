package dev.cella.client.live;

import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.proto.DeclineOfferRequest;
import dev.cella.client.proto.OfferDeclined;
import dev.cella.client.proto.OffersWanted;
import dev.cella.client.proto.OffersWantedRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler's calls about offers besides claims. Nobody waits for the answers: the cell state shows their effect, and an
 * offer that was not given back expires.
 */
public final class OfferCalls {
    private final CellConnection connection;
    private final Logger log;

    /** Set once a call was refused because of the token. */
    private final AtomicBoolean refused = new AtomicBoolean();

    public OfferCalls(CellConnection connection) {
        this(connection, LoggerFactory.getLogger(OfferCalls.class));
    }

    OfferCalls(CellConnection connection, Logger log) {
        this.connection = connection;
        this.log = log;
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
                        failed("offer=" + offer + ": not given back", CellConnection.problemOf(failure));
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
                        failed(
                                "scheduler=" + scheduler + " wantOffers=" + wanted + ": not said",
                                CellConnection.problemOf(failure));
                    }
                });
    }

    /** A token that lacks the permission is for an operator to replace, and fails every call. Other failures pass. */
    private void failed(String what, Problem problem) {
        boolean isOfToken = problem.type() == ProblemType.FORBIDDEN || problem.type() == ProblemType.UNAUTHORIZED;
        if (isOfToken && refused.compareAndSet(false, true)) {
            log.warn(
                    "{} ({}{})",
                    what,
                    problem.detail(),
                    problem.hint().map("; "::concat).orElse(""));
        } else {
            log.debug("{} ({})", what, problem.detail());
        }
    }
}
