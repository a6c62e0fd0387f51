package dev.cella.scheduler.batch.apollo;

import dev.cella.transactions.waits.WaitMatrix;

/**
 * Reads wait-time matrices with the confidence that their age deserves (3.4): from an old one the wait of a larger task is
 * taken.
 *
 * @param trustedSeconds up to this age a matrix is taken as it is
 */
public record MatrixConfidence(double trustedSeconds) {
    public MatrixConfidence {
        if (!(trustedSeconds >= 0)) {
            throw new IllegalArgumentException("an age is not negative, as " + trustedSeconds + " s is");
        }
    }

    /** The expected wait from now on. The matrix counts from when it was made. */
    public double waitSeconds(WaitMatrix matrix, long cpuMilli, long memoryMib, double nowSeconds) {
        double age = Math.max(0, nowSeconds - matrix.madeAtSeconds());
        return age <= trustedSeconds
                ? Math.max(0, matrix.waitSeconds(cpuMilli, memoryMib) - age)
                : matrix.pessimisticWaitSeconds(cpuMilli, memoryMib);
    }
}
