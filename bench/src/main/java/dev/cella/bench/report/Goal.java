package dev.cella.bench.report;

import java.util.OptionalDouble;

/**
 * A finish line.
 *
 * @param then a wish, which nobody chases
 */
record Goal(Direction direction, double toReach, OptionalDouble then) {
    /** Which figures are good. */
    enum Direction {
        AT_LEAST,
        AT_MOST,
        /** As at most, and the worst figure counts instead of the median. */
        NEVER_ABOVE
    }

    static Goal atLeast(double toReach) {
        return new Goal(Direction.AT_LEAST, toReach, OptionalDouble.empty());
    }

    static Goal atMost(double toReach) {
        return new Goal(Direction.AT_MOST, toReach, OptionalDouble.empty());
    }

    static Goal neverAbove(double toReach) {
        return new Goal(Direction.NEVER_ABOVE, toReach, OptionalDouble.empty());
    }

    Goal then(double wish) {
        return new Goal(direction, toReach, OptionalDouble.of(wish));
    }

    boolean isReachedBy(FigureSpread spread) {
        return switch (direction) {
            case AT_LEAST -> spread.median() >= toReach;
            case AT_MOST -> spread.median() <= toReach;
            case NEVER_ABOVE -> spread.most() <= toReach;
        };
    }
}
