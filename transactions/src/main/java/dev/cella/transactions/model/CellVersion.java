package dev.cella.transactions.model;

/**
 * A number that grows by one with every command applied to the common cell state. It is valid within one {@link Incarnation}
 * only. {@link #NONE} stands before the first command.
 */
public record CellVersion(long number) implements Comparable<CellVersion> {
    public static final CellVersion NONE = new CellVersion(0);

    public CellVersion {
        if (number < 0) {
            throw new IllegalArgumentException("a cell version is not negative: " + number);
        }
    }

    public CellVersion next() {
        return new CellVersion(number + 1);
    }

    public boolean isAfter(CellVersion other) {
        return number > other.number;
    }

    @Override
    public int compareTo(CellVersion other) {
        return Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return Long.toString(number);
    }
}
