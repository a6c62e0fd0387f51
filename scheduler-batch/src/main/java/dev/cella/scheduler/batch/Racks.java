package dev.cella.scheduler.batch;

import dev.cella.scheduling.PlanningView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The machines of each rack that the view shows, by the attribute {@code rack}; read once in a plan that asks for it. */
public final class Racks {
    public static final String ATTRIBUTE = "rack";

    private final PlanningView cell;
    private @Nullable Map<String, List<Integer>> machines;

    public Racks(PlanningView cell) {
        this.cell = cell;
    }

    /** The machines of the rack. */
    public List<Integer> machinesOf(String rack) {
        Map<String, List<Integer>> known = machines;
        if (known == null) {
            known = read();
            machines = known;
        }
        return known.getOrDefault(rack, List.of());
    }

    /** The rack of the machine, if it says one. */
    public Optional<String> rackOf(int machine) {
        return Optional.ofNullable(cell.view().attributes(machine).get(ATTRIBUTE));
    }

    private Map<String, List<Integer>> read() {
        Map<String, List<Integer>> read = new HashMap<>();
        cell.slots()
                .filter(cell.view()::machineExists)
                .forEach(machine -> rackOf(machine)
                        .ifPresent(rack -> read.computeIfAbsent(rack, name -> new ArrayList<>())
                                .add(machine)));
        return read;
    }
}
