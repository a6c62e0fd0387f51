package dev.cella.scheduling;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Visits the places 0 to {@code count - 1} once each, from a random start by a random stride. Costs nothing per place that is
 * not visited. Belongs to one plan.
 */
final class Walk {
    private final int stride;
    private int count;
    private int position;
    private int visited;
    private int @Nullable [] only;

    Walk(int count, SplittableRandom random) {
        this.count = count;
        this.position = count == 0 ? 0 : random.nextInt(count);
        this.stride = count <= 1 ? 1 : drawStride(random);
    }

    /** A stride that visits every place before it returns to the first. */
    private int drawStride(SplittableRandom random) {
        int drawn = 1 + random.nextInt(count - 1);
        while (greatestCommonDivisor(drawn, count) != 1) {
            drawn = drawn % (count - 1) + 1;
        }
        return drawn;
    }

    private static int greatestCommonDivisor(int a, int b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /** Before the first visit: leaves out all places but these, and keeps the order. */
    void visitOnly(IntStream places) {
        long toSteps = count <= 1
                ? 0
                : BigInteger.valueOf(stride)
                        .modInverse(BigInteger.valueOf(count))
                        .longValue();
        long[] stepsAndPlaces = places.mapToLong(place -> {
                    long away = place < position ? place - position + (long) count : place - position;
                    return (away * toSteps % count) << Integer.SIZE | place;
                })
                .sorted()
                .toArray();
        only = Arrays.stream(stepsAndPlaces).mapToInt(each -> (int) each).toArray();
        count = only.length;
    }

    boolean hasNext() {
        return visited < count;
    }

    int next() {
        if (only != null) {
            return only[visited++];
        }
        int place = position;
        int beforeEnd = count - stride;
        position = place < beforeEnd ? place + stride : place - beforeEnd;
        visited++;
        return place;
    }
}
