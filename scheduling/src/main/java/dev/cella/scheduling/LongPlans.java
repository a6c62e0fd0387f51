package dev.cella.scheduling;

import java.time.Duration;

/**
 * For a scheduler whose plans may take longer than a moment: an optimiser that thinks for seconds. Its plans are made on a
 * copy of the cells, so meanwhile its session is renewed, its views advance, and other plans may begin. The cells may differ
 * when the plan arrives; the conflict rule handles that.
 *
 * @param underWayMax how many plans may be under way at once. Each is made without the claims of the others, and the memory of
 *     the last one that ends is kept
 * @param timeMax how long to wait for a plan before its jobs lose their turn
 */
public record LongPlans(int underWayMax, Duration timeMax) {
    public LongPlans {
        if (underWayMax < 1) {
            throw new IllegalArgumentException("a scheduler makes a plan at a time or several, not " + underWayMax);
        }
        if (timeMax.toMillis() < 1) {
            throw new IllegalArgumentException("a plan may take 1 ms or longer, not " + timeMax);
        }
    }
}
