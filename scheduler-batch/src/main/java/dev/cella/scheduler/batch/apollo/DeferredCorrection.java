package dev.cella.scheduler.batch.apollo;

import java.util.Optional;

/**
 * Decides again about a task that is still queued, when its machine reports again (3.4, "Duplicate Scheduling"). Competing
 * decisions are not resolved when they are made: many do no harm.
 *
 * @param significantSeconds what makes a wait "significantly higher" than another
 */
public record DeferredCorrection(double significantSeconds) {
    private static final double SIGNIFICANT_SECONDS = 1;
    private static final double SIGNIFICANT_PART = 0.25;

    /** Why a duplicate is considered. */
    public enum Reason {
        /** "the updated expected wait time is significantly higher than the original" */
        HIGHER_THAN_ORIGINAL,
        /** "the expected wait time is greater than the average among the tasks in the same stage" */
        ABOVE_AVERAGE,
        /** "the elapsed wait time is already greater than the average" */
        WAITED_ABOVE_AVERAGE
    }

    public DeferredCorrection {
        if (!(significantSeconds >= 0)) {
            throw new IllegalArgumentException("a difference of waits is not negative");
        }
    }

    /** For tasks with this mean run time: a difference is significant from a second on, and from a quarter of the run on. */
    public static DeferredCorrection ofRun(double meanSeconds) {
        return new DeferredCorrection(Math.max(SIGNIFICANT_SECONDS, SIGNIFICANT_PART * meanSeconds));
    }

    /**
     * The reason for another decision; empty if the first one holds.
     *
     * @param originalSeconds the expected wait by which the decision was made
     * @param updatedSeconds the expected wait from now on
     * @param elapsedSeconds since the task was queued
     * @param averageSeconds of the waits of the tasks in the same stage
     */
    public Optional<Reason> reason(
            double originalSeconds, double updatedSeconds, double elapsedSeconds, double averageSeconds) {
        if (elapsedSeconds + updatedSeconds > originalSeconds + significantSeconds) {
            return Optional.of(Reason.HIGHER_THAN_ORIGINAL);
        }
        if (updatedSeconds > averageSeconds + significantSeconds) {
            return Optional.of(Reason.ABOVE_AVERAGE);
        }
        return elapsedSeconds > averageSeconds + significantSeconds
                ? Optional.of(Reason.WAITED_ABOVE_AVERAGE)
                : Optional.empty();
    }
}
