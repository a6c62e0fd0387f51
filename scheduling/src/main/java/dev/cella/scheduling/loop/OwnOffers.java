package dev.cella.scheduling.loop;

import dev.cella.scheduling.placement.MachineSet;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.Arrays;
import java.util.Optional;

/**
 * The offers to a session that takes part in offers: its scheduler may claim only from these. On a separate draft only these
 * amounts are free, so that a planner need not know about offers.
 */
final class OwnOffers {
    /** Explains why a machine is out of the question. */
    static final String OUTSIDE = "offers: the scheduler has no offer of them";

    private final SessionId session;
    private boolean takesPart;

    OwnOffers(SessionId session, CellView view) {
        this.session = session;
        look(view);
    }

    private OwnOffers(SessionId session, boolean takesPart) {
        this.session = session;
        this.takesPart = takesPart;
    }

    /** The same at this moment, for another thread. */
    OwnOffers copy() {
        return new OwnOffers(session, takesPart);
    }

    /** A session was opened, closed or changed. */
    void look(CellView view) {
        takesPart = participant(view).isPresent();
    }

    /** The row of the session, if it takes part in offers. */
    Optional<SessionRow> participant(CellView view) {
        return view.session(session).filter(row -> row.offers().isPresent());
    }

    boolean takesPart() {
        return takesPart;
    }

    /** The machines that are offered. */
    MachineSet machines(CellView view) {
        return MachineSet.of(view.offersTo(session).stream().mapToInt(HoldRow::slot));
    }

    /** The amounts that are offered of the machine. */
    Amounts on(CellView view, int machine) {
        Amounts offered = Amounts.NONE;
        for (HoldRow hold : view.holdsOn(machine)) {
            offered = hold.session() == session.version() ? offered.plus(hold.got()) : offered;
        }
        return offered;
    }

    /** On the draft, only the offered amounts of those machines are free. */
    void showOn(Draft draft, CellView view) {
        if (takesPart) {
            for (int machine : machines(view).slots()) {
                draft.reserve(machine, capacity(view, machine));
                draft.give(machine, on(view, machine));
            }
        }
    }

    private static Amounts capacity(CellView view, int machine) {
        long[] capacity = new long[view.dimensions().size()];
        Arrays.setAll(capacity, dimension -> view.capacity(machine, dimension));
        return Amounts.of(capacity);
    }
}
