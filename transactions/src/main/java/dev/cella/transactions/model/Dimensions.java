package dev.cella.transactions.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The ordered registry of a cell's dimensions. A dimension is known by its place in the registry; places never change, and new
 * dimensions come at the end. The first three exist from the founding on.
 */
public record Dimensions(List<Dimension> list) {
    public static final int CPU_MILLI = 0;
    public static final int MEMORY_MIB = 1;
    public static final int DISK_MIB = 2;

    /** The limit keeps the rows of machines narrow. */
    public static final int SIZE_MAX = 32;

    /** The dimensions of every cell from its founding on. */
    public static final Dimensions FOUNDING = new Dimensions(List.of(
            new Dimension("cpuMilli", Dimension.Kind.COUNT),
            new Dimension("memoryMib", Dimension.Kind.COUNT),
            new Dimension("diskMib", Dimension.Kind.COUNT)));

    public Dimensions {
        list = List.copyOf(list);
        if (list.size() > SIZE_MAX) {
            throw new IllegalArgumentException("a cell has at most " + SIZE_MAX + " dimensions");
        }
    }

    public int size() {
        return list.size();
    }

    public Dimension at(int place) {
        return list.get(place);
    }

    public String nameAt(int place) {
        return list.get(place).name();
    }

    /** The place of the dimension of that name, or -1. */
    public int find(String name) {
        for (int place = 0; place < list.size(); place++) {
            if (list.get(place).name().equals(name)) {
                return place;
            }
        }
        return -1;
    }

    /** Returns whether the dimension at {@code place} is a set, whose members are named. */
    public boolean isSet(int place) {
        return place < list.size() && list.get(place).kind() == Dimension.Kind.SET;
    }

    public boolean hasSets() {
        return list.stream().anyMatch(dimension -> dimension.kind() == Dimension.Kind.SET);
    }

    /** The first dimension that is no set although the amounts name members of it, or -1. */
    public int firstNamedInVain(Amounts amounts) {
        for (int place = 0; place < amounts.members().size(); place++) {
            if (!amounts.members().at(place).isNone() && !isSet(place)) {
                return place;
            }
        }
        return -1;
    }

    /** The first set dimension of which the amounts do not name all members, or -1. */
    public int firstUnnamed(Amounts amounts) {
        for (int place = 0; place < amounts.size(); place++) {
            if (isSet(place) && amounts.members().at(place).size() != amounts.at(place)) {
                return place;
            }
        }
        return -1;
    }

    /** The registry with one more dimension at its end. */
    public Dimensions with(Dimension added) {
        List<Dimension> longer = new ArrayList<>(list);
        longer.add(added);
        return new Dimensions(longer);
    }
}
