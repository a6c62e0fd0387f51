package dev.cella.simulator.engine;

import dev.cella.simulator.workload.VirtualTime;
import java.util.Arrays;
import java.util.Optional;

/**
 * How long something took, in seconds: exact, over all values. The p90 is the smallest value that nine in ten do not
 * exceed.
 */
public record Quantiles(double mean, double p50, double p90, double p99, double max) {
    /** Empty if there are no values. */
    static Optional<Quantiles> of(long[] nanos) {
        if (nanos.length == 0) {
            return Optional.empty();
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        double sum = 0;
        for (long each : sorted) {
            sum += each;
        }
        return Optional.of(new Quantiles(
                VirtualTime.seconds(sum / sorted.length),
                at(sorted, 0.5),
                at(sorted, 0.9),
                at(sorted, 0.99),
                at(sorted, 1)));
    }

    private static double at(long[] sorted, double fraction) {
        int rank = (int) Math.ceil(fraction * sorted.length);
        return VirtualTime.seconds(sorted[Math.max(1, rank) - 1]);
    }
}
