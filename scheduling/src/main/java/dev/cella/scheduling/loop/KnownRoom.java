package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import java.util.Arrays;

/**
 * The free amounts of each machine at the loop's last look. They distinguish a machine that gained room from one that was
 * merely touched. A machine that takes no claims has no room. A session that takes part in offers has the room that is
 * offered to it. Owned by {@link SchedulerLoop}.
 */
final class KnownRoom {
    private final OwnOffers offers;
    private long[][] freeByMachine = new long[0][];

    KnownRoom(OwnOffers offers) {
        this.offers = offers;
    }

    /** Records the machine as the view shows it. Returns whether it gained room in any dimension. */
    boolean grew(int machine, CellView view) {
        long[] now = room(machine, view);
        if (machine >= freeByMachine.length) {
            freeByMachine = Arrays.copyOf(freeByMachine, Math.max(machine + 1, 2 * freeByMachine.length));
        }
        long[] before = freeByMachine[machine];
        freeByMachine[machine] = now;
        return isMore(now, before == null ? new long[0] : before);
    }

    private long[] room(int machine, CellView view) {
        if (!view.isReady(machine)) {
            return new long[0];
        }
        long[] room = new long[view.dimensions().size()];
        if (offers.takesPart()) {
            Amounts offered = offers.on(view, machine);
            Arrays.setAll(room, offered::at);
        } else {
            Arrays.setAll(room, dimension -> view.free(machine, dimension));
        }
        return room;
    }

    private static boolean isMore(long[] now, long[] before) {
        for (int dimension = 0; dimension < now.length; dimension++) {
            if (now[dimension] > (dimension < before.length ? before[dimension] : 0)) {
                return true;
            }
        }
        return false;
    }
}
