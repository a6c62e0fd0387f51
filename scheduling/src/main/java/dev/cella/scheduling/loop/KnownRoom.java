package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The free amounts of each machine at the loop's last look. They distinguish a machine that gained room from one that was
 * merely touched. A machine that takes no claims has no room. A session that takes part in offers has the room that is
 * offered to it. All room of a machine is new if another one had its slot at the last look. Owned by {@link SchedulerLoop}.
 */
final class KnownRoom {
    private final OwnOffers offers;
    private @Nullable Amounts[] roomByMachine = new @Nullable Amounts[0];

    /** The identity of the machine that had the room. */
    private long[] idByMachine = new long[0];

    KnownRoom(OwnOffers offers) {
        this.offers = offers;
    }

    /** Records the machine as the view shows it. Returns whether it gained room in any dimension, or a member of any set. */
    boolean grew(int machine, CellView view) {
        Amounts now = room(machine, view);
        if (machine >= roomByMachine.length) {
            int length = Math.max(machine + 1, 2 * roomByMachine.length);
            roomByMachine = Arrays.copyOf(roomByMachine, length);
            idByMachine = Arrays.copyOf(idByMachine, length);
        }
        long id = view.registeredVersion(machine);
        Amounts before = idByMachine[machine] == id ? roomByMachine[machine] : null;
        roomByMachine[machine] = now;
        idByMachine[machine] = id;
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
