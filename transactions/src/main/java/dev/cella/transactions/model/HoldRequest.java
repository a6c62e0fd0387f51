package dev.cella.transactions.model;

/**
 * Asks to reserve amounts on a machine until a time by the cell's clock. It is for a job that retrying alone would starve, or
 * it is an offer to a session of another scheduler. One of the two versions is 0.
 */
public record HoldRequest(long jobVersion, long sessionVersion, int machine, Amounts amounts, long expiresAfterMillis) {
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
        if (jobVersion < 0 || sessionVersion < 0 || (jobVersion == 0) == (sessionVersion == 0)) {
            throw new IllegalArgumentException("a hold is for a job or for a session");
        }
    }

    public HoldRequest(JobId job, int machine, Amounts amounts, long expiresAfterMillis) {
        this(job.version(), 0, machine, amounts, expiresAfterMillis);
    }

    /** Offers amounts to a session. */
    public static HoldRequest offer(SessionId to, int machine, Amounts amounts, long expiresAfterMillis) {
        return new HoldRequest(0, to.version(), machine, amounts, expiresAfterMillis);
    }

    public boolean isOffer() {
        return sessionVersion != 0;
    }

    /** The job that it is for, unless it is an offer. */
    public JobId job() {
        return new JobId(jobVersion);
    }
}
