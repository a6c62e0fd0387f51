package dev.cella.transactions.model;

import java.util.Arrays;

/**
 * The most that may be held of each dimension, by its place in {@link Dimensions}; a missing limit means unlimited.
 */
public final class Limits {
    public static final long UNLIMITED = Long.MAX_VALUE;

    public static final Limits NONE = new Limits(new long[0]);

    private final long[] values;

    private Limits(long[] values) {
        this.values = values;
    }

    /** Limits by the places of their dimensions; {@link #UNLIMITED} for dimensions without a limit. */
    public static Limits of(long... values) {
        int size = 0;
        for (int place = 0; place < values.length; place++) {
            if (values[place] != UNLIMITED && (values[place] < 0 || values[place] > Amounts.AMOUNT_MAX)) {
                throw new IllegalArgumentException(
                        "a limit is from 0 to " + Amounts.AMOUNT_MAX + ", not " + values[place]);
            }
            size = values[place] == UNLIMITED ? size : place + 1;
        }
        if (size > Dimensions.SIZE_MAX) {
            throw new IllegalArgumentException("more limits than dimensions: " + size);
        }
        return size == 0 ? NONE : new Limits(Arrays.copyOf(values, size));
    }

    /** The limit of the dimension at {@code place}, or {@link #UNLIMITED}. */
    public long at(int place) {
        return place < values.length ? values[place] : UNLIMITED;
    }

    /** One more than the last place with a limit. */
    public int size() {
        return values.length;
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
        return other instanceof Limits that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int place = 0; place < values.length; place++) {
            text.append(place == 0 ? "" : ", ").append(values[place] == UNLIMITED ? "-" : values[place]);
        }
        return text.append(']').toString();
    }
}
