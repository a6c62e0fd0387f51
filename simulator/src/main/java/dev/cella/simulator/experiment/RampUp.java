package dev.cella.simulator.experiment;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Table 4.1: a framework gets k slots one by one, as the tasks that hold them end. A rigid job waits for all of them; an
 * elastic one uses each at once. Times are in units of the mean task time T.
 */
final class RampUp {
    /** The job would take this long on all its slots. */
    static final double JOB_LENGTH = 2;

    private static final int TRIALS = 4_000;
    private static final long SEED = 41;

    /** How the run times of tasks are distributed. */
    enum TaskTimes {
        CONSTANT,
        EXPONENTIAL;

        String words() {
            return this == CONSTANT ? "constant" : "exponential";
        }

        /** The rest of the time of a task at a random moment. */
        private double rest(SplittableRandom random) {
            double drawn = random.nextDouble();
            return this == CONSTANT ? drawn : -Math.log1p(-drawn);
        }
    }

    /** One row of the table. */
    record Row(double rampUp, double elastic, double rigid) {
        boolean isWithin(double part, Row other) {
            return isWithin(part, rampUp, other.rampUp)
                    && isWithin(part, elastic, other.elastic)
                    && isWithin(part, rigid, other.rigid);
        }

        private static boolean isWithin(double part, double one, double other) {
            return Math.abs(one - other) <= part * other;
        }
    }

    private RampUp() {}

    /** The exact values: the mean of the last of k uniform or exponential times. */
    static Row paper(int slots, TaskTimes times) {
        double rampUp = times == TaskTimes.CONSTANT ? slots / (slots + 1.0) : harmonic(slots);
        double meanWait = times == TaskTimes.CONSTANT ? 0.5 : 1;
        return new Row(rampUp, meanWait + JOB_LENGTH, rampUp + JOB_LENGTH);
    }

    private static double harmonic(int count) {
        double sum = 0;
        for (int term = 1; term <= count; term++) {
            sum += 1.0 / term;
        }
        return sum;
    }

    /** The mean of many trials. */
    static Row measure(int slots, TaskTimes times) {
        SplittableRandom random = new SplittableRandom(SEED);
        double rampUp = 0;
        double elastic = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double[] freed = new double[slots];
            Arrays.setAll(freed, slot -> times.rest(random));
            Arrays.sort(freed);
            rampUp += freed[slots - 1];
            elastic += elastic(freed);
        }
        return new Row(rampUp / TRIALS, elastic / TRIALS, rampUp / TRIALS + JOB_LENGTH);
    }

    /** The time at which the slots have done the whole work together, if each works from when it is freed. */
    private static double elastic(double[] freed) {
        double work = freed.length * JOB_LENGTH;
        double at = 0;
        for (int slots = 0; slots < freed.length; slots++) {
            double done = slots * (freed[slots] - at);
            if (done >= work) {
                return at + work / slots;
            }
            work -= done;
            at = freed[slots];
        }
        return at + work / freed.length;
    }
}
