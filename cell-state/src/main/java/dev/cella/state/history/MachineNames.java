package dev.cella.state.history;

import dev.cella.transactions.cell.CellView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names of machines by slot, made once: a cell keeps them as bytes, and each look would make a new object. Guarded by
 * {@link CellHistory}.
 */
final class MachineNames {
    private @Nullable String[] bySlot = new @Nullable String[0];

    /** The name of the machine in the slot, or "" where there is none. */
    String of(int slot, CellView view) {
        if (slot < 0 || slot >= view.machineSlots()) {
            return "";
        }
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, view.machineSlots());
        }
        String known = bySlot[slot];
        if (known != null) {
            return known;
        }
        String name = view.machineExists(slot) ? view.machineName(slot) : "";
        bySlot[slot] = name.isEmpty() ? null : name;
        return name;
    }

    /** Called when the machine in the slot comes or goes. */
    void forget(int slot) {
        if (slot < bySlot.length) {
            bySlot[slot] = null;
        }
    }

    void clear() {
        Arrays.fill(bySlot, null);
    }
}
