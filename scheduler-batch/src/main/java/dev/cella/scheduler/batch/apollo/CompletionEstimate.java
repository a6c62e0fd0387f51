package dev.cella.scheduler.batch.apollo;

/**
 * When a task would complete on a machine (3.3, formulas 1 and 2).
 *
 * @param initSeconds I: fetching the files that are not there yet
 * @param waitSeconds W: from the machine's wait-time matrix
 * @param runSeconds R: reading the input, and computing
 */
public record CompletionEstimate(double initSeconds, double waitSeconds, double runSeconds) {
    public CompletionEstimate {
        if (!(initSeconds >= 0 && waitSeconds >= 0 && runSeconds >= 0)) {
            throw new IllegalArgumentException("no part of an estimate is negative: " + initSeconds + " s, "
                    + waitSeconds + " s, " + runSeconds + " s");
        }
    }

    /** E = I + W + R: if the machine does not fail. */
    public double withoutFailureSeconds() {
        return initSeconds + waitSeconds + runSeconds;
    }

    /** C = P E + K (1 - P) E: a failure costs K times the time without one. */
    public double seconds(double successProbability, double failurePenalty) {
        if (!(successProbability >= 0 && successProbability <= 1) || !(failurePenalty >= 1)) {
            throw new IllegalArgumentException("a probability is from 0 to 1 and a failure costs at least the run, not "
                    + successProbability + " and " + failurePenalty + " times");
        }
        double e = withoutFailureSeconds();
        return successProbability * e + failurePenalty * (1 - successProbability) * e;
    }
}
