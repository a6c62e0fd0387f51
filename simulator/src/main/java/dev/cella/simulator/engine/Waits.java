package dev.cella.simulator.engine;

import dev.cella.simulator.workload.VirtualTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/** All waits of one kind. There is one per job, few enough to keep all, so percentiles are exact. */
public final class Waits {
    private long[] nanos = new long[64];
    private int size;

    public void add(long waitNanos) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
        }
        nanos[size++] = waitNanos;
    }

    /** Empty if nothing waited. */
    public OptionalDouble meanSeconds() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += nanos[i];
        }
        return size == 0 ? OptionalDouble.empty() : OptionalDouble.of(VirtualTime.seconds(sum / size));
    }

    /** Mean, quantiles and the longest; empty if nothing waited. */
    public Optional<Quantiles> quantiles() {
        return Quantiles.of(Arrays.copyOf(nanos, size));
    }

    /** The shortest wait that nine in ten do not exceed. */
    public OptionalDouble p90Seconds() {
        return quantiles().stream().mapToDouble(Quantiles::p90).findFirst();
    }
}
