package dev.cella.state.history;

import dev.cella.transactions.model.Digests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * A few of many numbers, each with the same chance to be included, for estimating the median. It uses reservoir sampling,
 * drawn from the place in the stream, so that every replica keeps the same numbers.
 */
public final class Sample {
    private static final int SIZE = 32;

    /** A number, and how many numbers it stands for. */
    private record Weighted(long value, double weight) {}

    private final long[] values = new long[SIZE];
    private long seen;

    public void add(long value) {
        long place = seen < SIZE ? seen : Math.floorMod(Digests.mix(seen, value), seen + 1);
        if (place < SIZE) {
            values[(int) place] = value;
        }
        seen++;
    }

    /** The median of all numbers behind the samples. */
    public static OptionalLong median(List<Sample> samples) {
        List<Weighted> all = new ArrayList<>();
        double total = 0;
        for (Sample sample : samples) {
            int kept = (int) Math.min(sample.seen, SIZE);
            for (int place = 0; place < kept; place++) {
                all.add(new Weighted(sample.values[place], (double) sample.seen / kept));
            }
            total += sample.seen;
        }
        all.sort(Comparator.comparingLong(Weighted::value));
        double below = 0;
        for (Weighted each : all) {
            below += each.weight();
            if (below >= total / 2) {
                return OptionalLong.of(each.value());
            }
        }
        return OptionalLong.empty();
    }
}
