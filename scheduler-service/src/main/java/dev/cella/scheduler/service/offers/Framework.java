package dev.cella.scheduler.service.offers;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * A scheduler that takes part in offers, during one division of machines: its holdings and its demand. Belongs to one round.
 */
final class Framework {
    /** One of its sessions, to which offers are made. */
    static final class Seat {
        final SessionId session;
        private final IntPredicate refuses;
        private final boolean suppressed;
        private int outstanding;

        Seat(SessionId session, boolean suppressed, int outstanding, IntPredicate refuses) {
            this.session = session;
            this.suppressed = suppressed;
            this.outstanding = outstanding;
            this.refuses = refuses;
        }
    }

    private final String name;
    private final Role role;
    private final Amounts minimumOffer;
    private final int outstandingMax;
    private final List<Seat> seats = new ArrayList<>();
    private final Holding holding;
    private int outstanding;

    Framework(String name, Role role, Amounts minimumOffer, int outstandingMax) {
        this.name = name;
        this.role = role;
        this.minimumOffer = minimumOffer;
        this.outstandingMax = outstandingMax;
        this.holding = new Holding(role.weight(), role.totals());
        role.add(this);
    }

    String name() {
        return name;
    }

    Role role() {
        return role;
    }

    double share() {
        return holding.share();
    }

    void add(Seat seat) {
        seats.add(seat);
        outstanding += seat.outstanding;
    }

    /** Adds a task or an offer to its holdings. */
    void holds(Amounts amounts) {
        holding.add(amounts, 1);
        role.holds(amounts);
    }

    /** The framework gives back {@code amounts}. */
    void returns(Amounts amounts) {
        holding.add(amounts, -1);
        role.returns(amounts);
    }

    /** Returns whether more may be offered to it. */
    boolean wants() {
        return outstanding < outstandingMax && seats.stream().anyMatch(seat -> !seat.suppressed);
    }

    /** The session for an offer of the machine: the one with the fewest offers that does not refuse it. */
    Optional<Seat> seatFor(int machine, Amounts amounts) {
        if (outstanding >= outstandingMax || !isEnough(amounts)) {
            return Optional.empty();
        }
        Seat best = null;
        for (Seat seat : seats) {
            boolean takes = !seat.suppressed && !seat.refuses.test(machine);
            if (takes && (best == null || seat.outstanding < best.outstanding)) {
                best = seat;
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isEnough(Amounts amounts) {
        for (int dimension = 0; dimension < minimumOffer.size(); dimension++) {
            if (amounts.at(dimension) < minimumOffer.at(dimension)) {
                return false;
            }
        }
        return true;
    }

    /** The machine is offered to that session. The caller must then find the framework's new place in the order. */
    void offered(Seat seat, Amounts amounts) {
        seat.outstanding++;
        outstanding++;
        holds(amounts);
    }
}
