package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.DeclineOfferRequest;
import dev.cella.client.proto.ListOffersRequest;
import dev.cella.client.proto.Offer;
import dev.cella.client.proto.OfferDeclined;
import dev.cella.client.proto.OfferList;
import dev.cella.client.proto.OfferServiceGrpc;
import dev.cella.state.core.Lane;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.OfferRows;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.OfferId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The calls about offers: list them, and give one back. Transactions make, accept and take back offers. */
final class OfferService {
    private static final long REFUSE_MILLIS_DEFAULT = 5_000;

    private final Reads reads;
    private final Commands commands;
    private final KeptPages pages;

    OfferService(Reads reads, Commands commands, KeptPages pages) {
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(OfferServiceGrpc.getListOffersMethod(), this::list),
                new UnaryMethod<>(OfferServiceGrpc.getDeclineOfferMethod(), this::decline));
    }

    private CompletableFuture<Answer<OfferList>> list(ListOffersRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        if (request.hasPageToken()) {
            return CompletableFuture.completedFuture(answer(pages.next(request, request.getPageToken(), limit)));
        }
        return reads.read(Freshness.of(request), view -> listing(view, request))
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    private static Shown<Listing<Offer>> listing(CellView view, ListOffersRequest request) {
        Optional<String> scheduler = request.hasScheduler() ? Optional.of(request.getScheduler()) : Optional.empty();
        Listing<Offer> listing = new Listing<>();
        OfferRows.of(view, scheduler).forEach(offer -> listing.add(() -> offer));
        return Shown.of(view, listing, OfferRows.madeVersion(view, scheduler));
    }

    private static Answer<OfferList> answer(KeptPages.Page<Offer> page) {
        OfferList.Builder list =
                OfferList.newBuilder().setVersion(page.version()).addAllOffers(page.rows());
        page.next().ifPresent(list::setNextPageToken);
        return Answer.ok(list.build());
    }

    private CompletableFuture<Answer<OfferDeclined>> decline(DeclineOfferRequest request) {
        OfferId offer = Requests.checked("offer", () -> OfferId.parse(request.getOffer()));
        long refuse = request.hasRefuse() ? Durations.toMillis(request.getRefuse()) : REFUSE_MILLIS_DEFAULT;
        Command command = Requests.checked("refuse", () -> new Command.EndOffer(offer, refuse));
        return commands.done(Lane.REPORTS, command)
                .thenApply(done -> Answer.ok(OfferDeclined.newBuilder()
                        .setOffer(request.getOffer())
                        .setVersion(done.version().number())
                        .build()));
    }
}
