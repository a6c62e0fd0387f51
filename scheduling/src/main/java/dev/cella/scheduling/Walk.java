package dev.cella.scheduling;

import java.util.SplittableRandom;

/**
 * Visits the places 0 to {@code count - 1} once each, from a random start by a random stride. Costs nothing per place that is
 * not visited. Belongs to one plan.
 */
final class Walk {
    private final int count;
    private final int stride;
    private int position;
    private int visited;

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

    boolean hasNext() {
        return visited < count;
    }

    int next() {
        int place = position;
        int beforeEnd = count - stride;
        position = place < beforeEnd ? place + stride : place - beforeEnd;
        visited++;
        return place;
    }
}
