package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The free amounts of each machine at the loop's last look. They distinguish a machine that gained room from one that was
 * merely touched. A machine that takes no claims has no room. A session that takes part in offers has the room that is
 * offered to it. Owned by {@link SchedulerLoop}.
 */
final class KnownRoom {
    private final OwnOffers offers;
    private @Nullable Amounts[] roomByMachine = new @Nullable Amounts[0];

    KnownRoom(OwnOffers offers) {
        this.offers = offers;
    }

    /** Records the machine as the view shows it. Returns whether it gained room in any dimension, or a member of any set. */
    boolean grew(int machine, CellView view) {
        Amounts now = room(machine, view);
        if (machine >= roomByMachine.length) {
            roomByMachine = Arrays.copyOf(roomByMachine, Math.max(machine + 1, 2 * roomByMachine.length));
        }
        Amounts before = roomByMachine[machine];
        roomByMachine[machine] = now;
        return isMore(now, before == null ? Amounts.NONE : before);
    }

    private Amounts room(int machine, CellView view) {
        if (!view.isReady(machine)) {
            return Amounts.NONE;
        }
        if (offers.takesPart()) {
            return offers.on(view, machine);
        }
        long[] counts = new long[view.dimensions().size()];
        Arrays.setAll(counts, dimension -> Math.max(0, view.free(machine, dimension)));
        return Amounts.of(counts).naming(view.freeMembers(machine));
    }

    private static boolean isMore(Amounts now, Amounts before) {
        for (int dimension = 0; dimension < now.size(); dimension++) {
            if (now.at(dimension) > before.at(dimension)) {
                return true;
            }
        }
        return !before.members().contains(now.members());
    }
}
