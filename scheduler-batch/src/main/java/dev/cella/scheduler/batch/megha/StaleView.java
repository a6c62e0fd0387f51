package dev.cella.scheduler.batch.megha;

import dev.cella.scheduling.PlanningView;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.PlacementId;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a global master knows of another cell: the state that its last heartbeat brought. Between heartbeats, only an answer to
 * a placement of its own brings a newer one (IV-B, IV-C).
 *
 * <p>Immutable; it belongs to the scheduler's memory.
 */
final class StaleView {
    private final CellTime at;
    private final Incarnation cell;

    /** By the version of the machine's registration: its free amounts in each dimension of that cell. */
    private final Map<Long, long[]> free;

    /** The tasks that ran in that cell then, by their placement in the home: the free amounts are without them. */
    private final Set<PlacementId> running;

    /** Those that were on their way to it, whose answers had not come. */
    private final Set<PlacementId> underWay;

    private StaleView(
            CellTime at,
            Incarnation cell,
            Map<Long, long[]> free,
            Set<PlacementId> running,
            Set<PlacementId> underWay) {
        this.at = at;
        this.cell = cell;
        this.free = free;
        this.running = running;
        this.underWay = underWay;
    }

    /** The present state of the cell that is that machine of the home. */
    static StaleView of(PlanningView cell, PlanningView home, int gateway, CellTime now) {
        Map<Long, long[]> free = new TreeMap<>();
        cell.slots().filter(cell::isReady).forEach(slot -> {
            long[] amounts = new long[cell.view().dimensions().size()];
            for (int dimension = 0; dimension < amounts.length; dimension++) {
                amounts[dimension] = cell.free(slot, dimension);
            }
            free.put(cell.view().machineId(slot).version(), amounts);
        });
        Set<PlacementId> running = new HashSet<>();
        Set<PlacementId> underWay = new HashSet<>();
        home.view()
                .forEachTaskOn(
                        gateway,
                        task -> task.placement()
                                .ifPresent(placement ->
                                        (task.startedAtMillis().isPresent() ? running : underWay).add(placement)));
        return new StaleView(now, cell.view().incarnation(), free, running, underWay);
    }

    /** The same with the tasks that are on their way now. */
    StaleView awaiting(PlanningView home, int gateway) {
        Set<PlacementId> now = new HashSet<>();
        home.view().forEachTaskOn(gateway, task -> {
            if (task.startedAtMillis().isEmpty()) {
                task.placement().ifPresent(now::add);
            }
        });
        return now.equals(underWay) ? this : new StaleView(at, cell, free, running, now);
    }

    /** Returns whether it is the newest that the global master may have: no heartbeat is due, and no answer has come. */
    boolean isNewest(PlanningView member, PlanningView home, int gateway, CellTime now, long heartbeatMillis) {
        return cell.equals(member.view().incarnation())
                && now.compareTo(next(heartbeatMillis)) < 0
                && !isAnswered(home, gateway);
    }

    /** A task that was on its way has started, or is gone. */
    private boolean isAnswered(PlanningView home, int gateway) {
        Set<PlacementId> gone = new HashSet<>(underWay);
        Set<PlacementId> started = new HashSet<>();
        home.view()
                .forEachTaskOn(
                        gateway,
                        task -> task.placement().ifPresent(placement -> {
                            gone.remove(placement);
                            if (task.startedAtMillis().isPresent()) {
                                started.add(placement);
                            }
                        }));
        return !gone.isEmpty() || !running.containsAll(started);
    }

    /** When the next heartbeat comes. */
    CellTime next(long heartbeatMillis) {
        return at.plusMillis(heartbeatMillis);
    }

    /** The amounts that were free on the machine; nothing on one that it does not know. */
    long free(PlanningView member, int slot, int dimension) {
        long[] amounts = free.get(member.view().machineId(slot).version());
        return amounts == null || dimension >= amounts.length ? 0 : amounts[dimension];
    }

    boolean showsRunning(PlacementId placement) {
        return running.contains(placement);
    }
}
