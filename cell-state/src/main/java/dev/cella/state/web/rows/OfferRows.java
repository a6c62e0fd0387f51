package dev.cella.state.web.rows;

import com.google.protobuf.util.Timestamps;
import dev.cella.client.proto.Offer;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Dimensions;
import java.util.List;
import java.util.Optional;

/**
 * Offers in the wire contract. Their times are cell times; for people they are converted by the cell's last wall time.
 */
public final class OfferRows {
    private OfferRows() {}

    /** The offers to the scheduler, or to all, oldest first. */
    public static List<Offer> of(CellView view, Optional<String> scheduler) {
        return view.offers().stream()
                .filter(offer -> scheduler.isEmpty() || offer.scheduler().equals(scheduler.get()))
                .map(offer -> message(view, offer))
                .toList();
    }

    /** The version at which the newest of them was made. */
    public static long madeVersion(CellView view, Optional<String> scheduler) {
        return view.offers().stream()
                .filter(offer -> scheduler.isEmpty() || offer.scheduler().equals(scheduler.get()))
                .mapToLong(offer -> offer.origin().version())
                .max()
                .orElse(0);
    }

    private static Offer message(CellView view, HoldRow offer) {
        Dimensions dimensions = view.dimensions();
        return Offer.newBuilder()
                .setOffer(offer.offer().toString())
                .setScheduler(offer.scheduler())
                .setSession(offer.session())
                .setMachine(view.machineName(offer.slot()))
                .putAllResources(WireWords.amounts(dimensions, offer.got(), offer.got()))
                .putAllMembers(WireWords.members(dimensions, offer.got().members()))
                .putAllAttributes(view.attributes(offer.slot()))
                .setMadeAt(Timestamps.fromMillis(wallTime(view, offer.madeAt())))
                .setExpiresAt(Timestamps.fromMillis(wallTime(view, offer.expiresAt())))
                .setMadeBy(offer.origin().scheduler())
                .build();
    }

    private static long wallTime(CellView view, CellTime time) {
        return view.wallTimeMillis() + time.millis() - view.time().millis();
    }
}
