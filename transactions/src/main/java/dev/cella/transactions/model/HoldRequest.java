package dev.cella.transactions.model;

/** Asks to reserve amounts on a machine for a job that retrying alone would starve, until the cell's time is over. */
public record HoldRequest(JobId job, int machine, Amounts amounts, long expiresAfterMillis) {
    /** A week. */
    public static final long EXPIRES_AFTER_MILLIS_MAX = 7 * 24 * 3_600_000L;

    public HoldRequest {
        if (machine < 0
                || expiresAfterMillis <= 0
                || expiresAfterMillis > EXPIRES_AFTER_MILLIS_MAX
                || amounts.isNone()) {
            throw new IllegalArgumentException(
                    "a hold wants amounts on a machine for more than 0 ms and at most a week");
        }
    }
}
