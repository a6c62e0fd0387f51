package dev.cella.state.history;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.cell.CellView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The names of machines by slot, made once: a cell keeps them as bytes, and each look would make a new object. Guarded by
 * {@link CellHistory}.
 */
final class MachineNames {
    /** No machine. */
    static final int NONE = -1;

    private @Nullable String[] bySlot = new @Nullable String[0];

    /** The number of each slot's name in the segment that is written, and 1; 0 where it is not known. */
    private int[] numbers = new int[0];

    private @Nullable Segment numbered;

    /** The name of the machine in the slot, or "" where there is none. */
    String of(int slot, CellView view) {
        if (slot < 0 || slot >= view.machineSlots()) {
            return "";
        }
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, view.machineSlots());
            numbers = Arrays.copyOf(numbers, bySlot.length);
        }
        String known = bySlot[slot];
        if (known != null) {
            return known;
        }
        String name = view.machineExists(slot) ? view.machineName(slot) : "";
        bySlot[slot] = name.isEmpty() ? null : name;
        return name;
    }

    /** The number of that name in the segment that is written. */
    int numberIn(Segment segment, int slot, CellView view) {
        if (segment != numbered) {
            numbered = segment;
            Arrays.fill(numbers, 0);
        }
        boolean isKnown = slot >= 0 && slot < numbers.length && numbers[slot] > 0;
        return isKnown ? numbers[slot] - 1 : learn(segment, slot, view);
    }

    private int learn(Segment segment, int slot, CellView view) {
        String name = of(slot, view);
        int number = segment.numberOf(name);
        if (!name.isEmpty()) {
            numbers[slot] = number + 1;
        }
        return number;
    }

    /** Called when the machine in the slot comes or goes. */
    void forget(int slot) {
        if (slot < bySlot.length) {
            bySlot[slot] = null;
            numbers[slot] = 0;
        }
    }

    void clear() {
        Arrays.fill(bySlot, null);
        Arrays.fill(numbers, 0);
    }
}
