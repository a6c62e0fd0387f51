package dev.cella.transactions.model;

/** The log's own clock in milliseconds. It never goes back, and all comparisons use it. Wall time is for people. */
public record CellTime(long millis) implements Comparable<CellTime> {
    public static final CellTime ZERO = new CellTime(0);

    public CellTime {
        if (millis < 0) {
            throw new IllegalArgumentException("cell time is not negative: " + millis);
        }
    }

    public CellTime plusMillis(long more) {
        return new CellTime(Math.addExact(millis, more));
    }

    @Override
    public int compareTo(CellTime other) {
        return Long.compare(millis, other.millis);
    }
}
