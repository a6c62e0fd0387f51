package dev.cella.scheduler.batch;

import dev.cella.scheduling.PlanningView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The machines of each rack that the view shows, by the attribute {@code rack}. A plan reads a rack once, when it asks for it.
 * Belongs to one plan and its thread.
 */
public final class Racks {
    public static final String ATTRIBUTE = "rack";

    private final PlanningView cell;
    private final Map<String, List<Integer>> machines = new HashMap<>();

    public Racks(PlanningView cell) {
        this.cell = cell;
    }

    /** The machines of the rack, by slot, whether they take claims or not. */
    public List<Integer> machinesOf(String rack) {
        return machines.computeIfAbsent(
                rack, name -> cell.slotsWith(ATTRIBUTE, name).boxed().toList());
    }

    /** The rack of the machine, if it says one. */
    public Optional<String> rackOf(int machine) {
        return Optional.ofNullable(cell.view().attributes(machine).get(ATTRIBUTE));
    }
}
