package dev.cella.scheduling.loop;

import dev.cella.scheduling.Rounds;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Computes when a scheduler's next round begins, if it has rounds: at its time, but not before the views show the results of
 * the last one. Owned by {@link SchedulerLoop}.
 */
final class RoundTimes {
    private final Optional<Rounds> rounds;
    private final List<TransactionId> undecided = new ArrayList<>();
    private Optional<CellTime> last = Optional.empty();
    private boolean underWay;
    private boolean changed;

    RoundTimes(Optional<Rounds> rounds) {
        this.rounds = rounds;
    }

    /** A view moved on. */
    void changed() {
        changed = true;
    }

    /** Returns whether the next round may begin now. */
    boolean isDue(CellTime now, Predicate<TransactionId> isInFlight) {
        if (rounds.isEmpty()) {
            return false;
        }
        undecided.removeIf(isInFlight.negate());
        return next().filter(at -> at.compareTo(now) <= 0).isPresent();
    }

    /** When the next round begins if nothing else happens; empty while the last one is under way. */
    Optional<CellTime> next() {
        if (rounds.isEmpty() || underWay || !undecided.isEmpty()) {
            return Optional.empty();
        }
        long wait = (changed ? rounds.get().soonest() : rounds.get().every()).toMillis();
        return Optional.of(last.map(at -> at.plusMillis(wait)).orElse(new CellTime(0)));
    }

    void began(CellTime now) {
        last = Optional.of(now);
        underWay = true;
        changed = false;
    }

    void ended() {
        underWay = false;
    }

    /** The round asks for this transaction. */
    void asks(TransactionId transaction) {
        undecided.add(transaction);
    }
}
