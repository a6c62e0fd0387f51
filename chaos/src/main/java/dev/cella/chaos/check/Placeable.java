package dev.cella.chaos.check;

import dev.cella.chaos.history.History;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.JobHeader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tasks that a scheduler should have placed; the checkers of progress share this. */
final class Placeable {
    private Placeable() {}

    /** Schedulers that should work: they run or have a session, and no fault prevents them from working. */
    static Set<String> workingSchedulers(History history, CellView view) {
        return Stream.concat(history.alive.stream(), view.sessions().stream().map(session -> session.scheduler()))
                .filter(scheduler -> !history.broken.contains(scheduler))
                .collect(Collectors.toSet());
    }

    /** Returns whether some tasks of the job can only be placed together: then room for one of them proves nothing. */
    static boolean needsMoreAtOnce(JobHeader header) {
        return header.hasGangs() || header.atomicity() == Atomicity.ALL_OR_NOTHING;
    }

    static boolean fitsSomewhere(CellView view, Amounts shape) {
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.isReady(slot) && view.fits(slot, shape)) {
                return true;
            }
        }
        return false;
    }
}
