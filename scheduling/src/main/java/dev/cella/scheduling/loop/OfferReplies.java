package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.OfferId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A loop's replies to the offers to its session, besides claims. It gives back offers that no waiting job can use, suppresses
 * offers while no job waits, and revives them when one does. Owned by {@link SchedulerLoop}.
 *
 * <p>A reply may be lost. It is repeated if the view does not show its effect in time. Sessions of one scheduler share its
 * jobs, and none of them suppresses offers for the others: then each only gives back.
 */
final class OfferReplies {
    private static final long REFUSE_MILLIS = 5_000;
    private static final long AGAIN_MILLIS = 5_000;

    private final LoopCell cell;
    private final Map<OfferId, CellTime> givenBack = new LinkedHashMap<>();
    private boolean lastWanted = true;
    private Optional<CellTime> lastSaid = Optional.empty();

    OfferReplies(LoopCell cell) {
        this.cell = cell;
    }

    /**
     * The replies to send now.
     *
     * @param works whether any job of the cell has tasks to place
     * @param decides whether a plan is under way or may follow without another offer
     */
    <M> List<Action<M>> next(boolean works, boolean decides, CellTime now) {
        CellView view = cell.view();
        Optional<SessionRow> row = cell.offers.participant(view);
        List<Action<M>> replies = new ArrayList<>();
        if (row.isPresent()) {
            if (works ? wantsAgain(row.get()) : wantsNoMore(row.get())) {
                say(works, now).ifPresent(wanted -> replies.add(new Action.WantOffers<>(cell.place, wanted)));
            }
            giveBack(decides, now).forEach(id -> replies.add(new Action.Decline<>(cell.place, id, REFUSE_MILLIS)));
        }
        return replies;
    }

    private boolean wantsAgain(SessionRow row) {
        boolean newWork = cell.takeNewWork();
        return row.suppressed()
                || (newWork && !cell.view().offersRefused(cell.session).isEmpty());
    }

    private boolean wantsNoMore(SessionRow row) {
        return !row.suppressed()
                && cell.view().sessions().stream()
                                .filter(other -> other.scheduler().equals(row.scheduler()))
                                .count()
                        == 1;
    }

    private Optional<Boolean> say(boolean wanted, CellTime now) {
        boolean saidBefore =
                lastWanted == wanted && lastSaid.filter(at -> isRecent(at, now)).isPresent();
        if (saidBefore) {
            return Optional.empty();
        }
        lastWanted = wanted;
        lastSaid = Optional.of(now);
        return Optional.of(wanted);
    }

    private List<OfferId> giveBack(boolean decides, CellTime now) {
        givenBack.keySet().removeIf(id -> cell.view().offer(id).isEmpty());
        List<OfferId> back = new ArrayList<>();
        if (!decides) {
            for (HoldRow offer : cell.view().offersTo(cell.session)) {
                CellTime before = givenBack.get(offer.offer());
                if (before == null || !isRecent(before, now)) {
                    givenBack.put(offer.offer(), now);
                    back.add(offer.offer());
                }
            }
        }
        return back;
    }

    private static boolean isRecent(CellTime at, CellTime now) {
        return now.millis() - at.millis() < AGAIN_MILLIS;
    }

    /** When to check whether a reply must be repeated. */
    Optional<CellTime> lookAgainAt() {
        if (!cell.offers.takesPart()) {
            return Optional.empty();
        }
        Optional<CellTime> first = givenBack.values().stream().findFirst();
        boolean isShown = cell.offers
                .participant(cell.view())
                .filter(row -> row.suppressed() != lastWanted)
                .isPresent();
        Optional<CellTime> said = isShown ? Optional.empty() : lastSaid;
        return first.filter(at -> said.isEmpty() || at.compareTo(said.get()) < 0)
                .or(() -> said)
                .map(at -> at.plusMillis(AGAIN_MILLIS));
    }
}
