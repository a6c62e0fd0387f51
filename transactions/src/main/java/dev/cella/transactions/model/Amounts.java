package dev.cella.transactions.model;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/**
 * An amount in each dimension, by its place in {@link Dimensions}; what is not said is zero. Whole numbers from 0 to
 * {@link #AMOUNT_MAX}, so that sums over a cell cannot wrap unseen.
 */
public final class Amounts {
    /** JSON numbers are exact up to here. */
    public static final long AMOUNT_MAX = (1L << 53) - 1;

    public static final Amounts NONE = new Amounts(new long[0]);

    private final long[] values;

    private Amounts(long[] values) {
        this.values = values;
    }

    /** Amounts by the places of their dimensions: cpuMilli, memoryMib, diskMib, then extras. */
    public static Amounts of(long... values) {
        if (values.length > Dimensions.SIZE_MAX) {
            throw new IllegalArgumentException("more amounts than dimensions: " + values.length);
        }
        int size = 0;
        for (int place = 0; place < values.length; place++) {
            if (values[place] < 0 || values[place] > AMOUNT_MAX) {
                throw new IllegalArgumentException("an amount is from 0 to " + AMOUNT_MAX + ", not " + values[place]);
            }
            if (values[place] != 0) {
                size = place + 1;
            }
        }
        return size == 0 ? NONE : new Amounts(Arrays.copyOf(values, size));
    }

    /** The amount in the dimension at {@code place}. */
    public long at(int place) {
        return place < values.length ? values[place] : 0;
    }

    /** One more than the last place with an amount that is not zero. */
    public int size() {
        return values.length;
    }

    /** What is left after taking {@code others} away, which are not more in any dimension. */
    public Amounts minus(Amounts others) {
        return others.isNone() ? this : combine(others, (mine, other) -> mine - other);
    }

    public Amounts plus(Amounts others) {
        if (isNone() || others.isNone()) {
            return isNone() ? others : this;
        }
        return combine(others, Math::addExact);
    }

    /** The smaller amount in each dimension. */
    public Amounts min(Amounts others) {
        return isNone() || others.isNone() ? NONE : combine(others, Math::min);
    }

    private Amounts combine(Amounts others, LongBinaryOperator operator) {
        long[] combined = new long[Math.max(values.length, others.values.length)];
        Arrays.setAll(combined, place -> operator.applyAsLong(at(place), others.at(place)));
        return of(combined);
    }

    public boolean isNone() {
        return values.length == 0;
    }

    public long digest() {
        long digest = values.length;
        for (long value : values) {
            digest = Digests.mix(digest, value);
        }
        return digest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Amounts that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values);
    }
}
