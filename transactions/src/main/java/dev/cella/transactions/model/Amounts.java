package dev.cella.transactions.model;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/**
 * An amount in each dimension, by its place in {@link Dimensions}; a missing amount is zero. Amounts are whole numbers from 0
 * to {@link #AMOUNT_MAX}, so that sums over a cell cannot overflow.
 *
 * <p>The amount of a dimension that is a set is the number of its members. An amount that somebody has names all members. A
 * requested amount may name some of them, or none if any will do. So code that only counts, such as a quota, need not know
 * about sets.
 */
public final class Amounts {
    /** JSON numbers are exact up to this value. */
    public static final long AMOUNT_MAX = (1L << 53) - 1;

    public static final Amounts NONE = new Amounts(new long[0], Members.NONE);

    private final long[] values;
    private final Members members;

    private Amounts(long[] values, Members members) {
        this.values = values;
        this.members = members;
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
        return size == 0 ? NONE : new Amounts(Arrays.copyOf(values, size), Members.NONE);
    }

    /**
     * These amounts with the members {@code named}. The amounts must be at least as large as the number of named members.
     */
    public Amounts naming(Members named) {
        if (named.equals(members)) {
            return this;
        }
        long[] counted = Arrays.copyOf(values, Math.max(values.length, named.size()));
        for (int place = 0; place < named.size(); place++) {
            counted[place] = Math.max(counted[place], named.at(place).size());
        }
        Amounts unnamed = of(counted);
        return named.isNone() ? unnamed : new Amounts(unnamed.values, named);
    }

    /** The named members. */
    public Members members() {
        return members;
    }

    public boolean namesMembers() {
        return !members.isNone();
    }

    /** The amount in the dimension at {@code place}. */
    public long at(int place) {
        return place < values.length ? values[place] : 0;
    }

    /** One more than the last place with an amount that is not zero. */
    public int size() {
        return values.length;
    }

    /** The rest after taking {@code others} away. {@code others} must not be larger in any dimension. */
    public Amounts minus(Amounts others) {
        return others.isNone()
                ? this
                : combine(others, (mine, other) -> mine - other).naming(members.minus(others.members));
    }

    public Amounts plus(Amounts others) {
        if (isNone() || others.isNone()) {
            return isNone() ? others : this;
        }
        return combine(others, Math::addExact).naming(members.plus(others.members));
    }

    /** The smaller amount in each dimension, with the members that both name. */
    public Amounts min(Amounts others) {
        if (isNone() || others.isNone()) {
            return NONE;
        }
        Amounts smaller = combine(others, Math::min);
        return namesMembers() || others.namesMembers() ? smaller.only(members, others.members) : smaller;
    }

    private Amounts only(Members mine, Members theirs) {
        Members both = mine.and(theirs);
        long[] counted = values.clone();
        for (int place = 0; place < counted.length; place++) {
            boolean named = !mine.at(place).isNone() || !theirs.at(place).isNone();
            counted[place] = named ? both.at(place).size() : counted[place];
        }
        return of(counted).naming(both);
    }

    /**
     * The same amounts with members chosen where fewer are named than asked for: the lowest of the first source, then of the
     * next. If the sources have too few, fewer are named.
     */
    public Amounts choosing(Members... sources) {
        Members chosen = members;
        for (int place = 0; place < values.length; place++) {
            for (Members source : sources) {
                MemberSet named = chosen.at(place);
                int more = (int) Math.min(values[place] - named.size(), MemberSet.MEMBER_MAX + 1);
                if (more > 0 && !source.at(place).isNone()) {
                    chosen = chosen.with(
                            place, named.plus(source.at(place).minus(named).lowest(more)));
                }
            }
        }
        return naming(chosen);
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
        return members.isNone() ? digest : Digests.mix(digest, members.digest());
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Amounts that
                        && Arrays.equals(values, that.values)
                        && members.equals(that.members));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.toString(values) + (members.isNone() ? "" : members);
    }
}
