package dev.cella.scheduling.placement;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.MachineRule;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/**
 * Indexes the machines of a cell: which take claims, and which have which value of an attribute. So the cost of a constraint
 * is proportional to its matches, not to the size of the cell.
 *
 * <h2>The cost of upkeep</h2>
 *
 * <p>The owner of the view names each machine that an advance touched, once. The index compares it and writes only the
 * difference. It indexes an attribute from the first plan on that uses it, and which machines take claims from the first job
 * on with constraints or wishes. Before that, it maintains nothing.
 *
 * <p>{@link #MACHINE} is an attribute that every machine has: its name. Owned by one thread, the one that reads the view.
 */
public final class MachineIndex {
    /** The attribute that is the machine itself. */
    public static final String MACHINE = MachineRule.MACHINE;

    private static final int KEPT_MAX = 256;

    private final Map<String, AttributeIndex> attributes = new HashMap<>();
    private final RoaringBitmap ready = new RoaringBitmap();
    private final Map<GroupPlacement, Domains> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<List<Constraint>, MachineSet> sets = new HashMap<>();
    private CellView view;
    private boolean keepsReady;

    public MachineIndex(CellView view) {
        this.view = view;
    }

    // ---- following the view

    /** The machine in the slot may have changed, come or gone. Returns whether the index changed. */
    public boolean look(int slot) {
        boolean changed = keepsReady && lookWhetherReady(slot);
        for (Map.Entry<String, AttributeIndex> each : attributes.entrySet()) {
            changed |= each.getValue().put(slot, value(view, slot, each.getKey()));
        }
        if (changed) {
            kept.clear();
            sets.clear();
        }
        return changed;
    }

    private boolean lookWhetherReady(int slot) {
        return view.isReady(slot) ? ready.checkedAdd(slot) : ready.checkedRemove(slot);
    }

    /** Another view replaces the former one. */
    public void replaced(CellView other) {
        view = other;
        keepsReady = false;
        attributes.clear();
        ready.clear();
        kept.clear();
        sets.clear();
    }

    private void begin() {
        keepsReady = true;
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            lookWhetherReady(slot);
        }
    }

    /** The attribute's value on the machine in the slot. */
    public static Optional<String> value(CellView view, int slot, String attribute) {
        if (!view.machineExists(slot)) {
            return Optional.empty();
        }
        return attribute.equals(MACHINE)
                ? Optional.of(view.machineName(slot))
                : Optional.ofNullable(view.attributes(slot).get(attribute));
    }

    // ---- reading

    /** The machines that meet a group's constraints, classified by its wishes. */
    public Domains domains(GroupPlacement placement) {
        if (!keepsReady) {
            begin();
        }
        Domains domains = kept.computeIfAbsent(placement, asks -> new Domains(asks, this));
        if (kept.size() > KEPT_MAX) {
            kept.remove(kept.keySet().iterator().next());
        }
        return domains;
    }

    /**
     * The machines that meet the constraints, whether they take claims or not. Computed once while no machine changes.
     */
    public MachineSet machines(List<Constraint> constraints) {
        if (!keepsReady) {
            begin();
        }
        if (sets.size() > KEPT_MAX) {
            sets.clear();
        }
        return sets.computeIfAbsent(
                List.copyOf(constraints),
                meets -> MachineSet.of(keep(meets, existing()).toArray()));
    }

    /**
     * The slots of the machines with that value of the attribute, ascending, whether they take claims or not. Only the first
     * call for an attribute reads all machines.
     */
    public int[] slotsWith(String attribute, String value) {
        return attribute(attribute).slotsWith(value);
    }

    /** The machines that take claims and meet the constraints. */
    RoaringBitmap candidates(Iterable<Constraint> constraints) {
        return keep(constraints, ready.clone());
    }

    private RoaringBitmap existing() {
        RoaringBitmap existing = new RoaringBitmap();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                existing.add(slot);
            }
        }
        return existing;
    }

    /** Keeps in the set only the machines that meet the constraints. */
    private RoaringBitmap keep(Iterable<Constraint> constraints, RoaringBitmap set) {
        for (Constraint constraint : constraints) {
            if (!set.isEmpty()) {
                attribute(constraint.attribute()).keep(constraint, set);
            }
        }
        return set;
    }

    AttributeIndex attribute(String name) {
        return attributes.computeIfAbsent(name, this::build);
    }

    private AttributeIndex build(String name) {
        AttributeIndex built = new AttributeIndex();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            built.put(slot, value(view, slot, name));
        }
        return built;
    }
}
