package dev.cella.chaos.simulated;

import dev.cella.scheduling.Measure;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Observed;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The observations of one simulated scheduler: none while all is well, because a plan must be right without them. While the
 * fault lasts, a value is a lie: nothing, much too large, or old and of the future. The loop's own measurements come before
 * these, as live.
 */
final class BadObservations implements Observations {
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long LARGE = Long.MAX_VALUE / 4;

    /** Waits for a machine's smallest and largest task. */
    private static final long[] SIZES = {1, 1_000_000};

    private final LongSupplier nowMillis;
    private boolean lies;
    private long lied;

    BadObservations(LongSupplier nowMillis) {
        this.nowMillis = nowMillis;
    }

    void lie(boolean asked) {
        lies = asked;
    }

    /** How many lies plans have read. */
    long lied() {
        return lied;
    }

    @Override
    public Optional<Observed> find(int cell, Measure measure, String subject) {
        if (!lies) {
            return Optional.empty();
        }
        lied++;
        return Optional.of(
                switch (kind(subject)) {
                    case 0 -> new Observed(0, 0);
                    case 1 -> new Observed(LARGE, 0);
                    default -> new Observed(1, LARGE);
                });
    }

    @Override
    public Optional<WaitMatrix> waits(int cell, String machine) {
        if (!lies) {
            return Optional.empty();
        }
        lied++;
        return Optional.of(
                switch (kind(machine)) {
                    case 0 -> matrix(0, 0);
                    case 1 -> matrix(Double.POSITIVE_INFINITY, 0);
                    default -> matrix(0, kind(machine + "/age") == 0 ? HOUR_MILLIS : -HOUR_MILLIS);
                });
    }

    private WaitMatrix matrix(double waitSeconds, long laterMillis) {
        return new WaitMatrix((nowMillis.getAsLong() + laterMillis) / 1_000.0, SIZES, SIZES, new double[][] {
            {waitSeconds, waitSeconds}, {waitSeconds, waitSeconds}
        });
    }

    /** Another lie for each subject and each second. */
    private int kind(String subject) {
        return (int) Math.floorMod(Digests.mix(Digests.of(subject), nowMillis.getAsLong() / 1_000), 3L);
    }
}
