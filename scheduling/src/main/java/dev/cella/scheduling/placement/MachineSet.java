package dev.cella.scheduling.placement;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Some machines of a cell, by slot: a partition, an offer, a job's holds. Immutable. */
public final class MachineSet {
    private final BitSet members = new BitSet();
    private final int[] slots;

    private MachineSet(IntStream chosen) {
        chosen.forEach(members::set);
        slots = members.stream().toArray();
    }

    public static MachineSet of(IntStream slots) {
        return new MachineSet(slots);
    }

    public static MachineSet of(int... slots) {
        return new MachineSet(Arrays.stream(slots));
    }

    public boolean contains(int slot) {
        return members.get(slot);
    }

    public int size() {
        return slots.length;
    }

    /** The machines in both sets. */
    public MachineSet and(MachineSet other) {
        return of(Arrays.stream(slots).filter(other::contains));
    }

    /** The slots, ascending; do not change the array. */
    public int[] slots() {
        return slots;
    }

    /** The slots, ascending. */
    public IntStream stream() {
        return Arrays.stream(slots);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MachineSet that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return slots.length + " machines";
    }
}
