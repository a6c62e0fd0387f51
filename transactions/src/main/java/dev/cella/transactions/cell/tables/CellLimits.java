package dev.cella.transactions.cell.tables;

/**
 * The bounds within which a cell works. They decide what is kept and what is refused, so every replica must have the same
 * bounds.
 */
public record CellLimits(int outcomesKept, long outcomeAgeMillisMax, int rowsMax, long endedJobMillis) {
    private static final long DAY_MILLIS = 24 * 3_600_000L;

    /** The limits of a cell that sets none. */
    public static final CellLimits STANDARD = new CellLimits(2_000_000, DAY_MILLIS, 10_000);

    /** Keeps ended jobs for a day of cell time. */
    public CellLimits(int outcomesKept, long outcomeAgeMillisMax, int rowsMax) {
        this(outcomesKept, outcomeAgeMillisMax, rowsMax, DAY_MILLIS);
    }

    public CellLimits {
        if (outcomesKept < 1 || outcomeAgeMillisMax < 1 || rowsMax < 1 || endedJobMillis < 0) {
            throw new IllegalArgumentException("a cell's limits are above 0");
        }
    }
}
