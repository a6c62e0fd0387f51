package dev.cella.transactions.model;

import java.util.Arrays;
import java.util.function.BinaryOperator;

/** Members of those dimensions that are sets, by the places of the dimensions in {@link Dimensions}. Immutable. */
public final class Members {
    public static final Members NONE = new Members(new MemberSet[0]);

    private final MemberSet[] sets;

    private Members(MemberSet[] sets) {
        this.sets = sets;
    }

    private static Members trimmed(MemberSet[] sets) {
        int size = sets.length;
        while (size > 0 && sets[size - 1].isNone()) {
            size--;
        }
        return size == 0 ? NONE : new Members(size == sets.length ? sets : Arrays.copyOf(sets, size));
    }

    /** The same, with other members in the dimension at {@code place}. */
    public Members with(int place, MemberSet members) {
        MemberSet[] changed = Arrays.copyOf(sets, Math.max(sets.length, place + 1));
        Arrays.fill(changed, sets.length, changed.length, MemberSet.NONE);
        changed[place] = members;
        return trimmed(changed);
    }

    public MemberSet at(int place) {
        return place < sets.length ? sets[place] : MemberSet.NONE;
    }

    /** One more than the last place with members. */
    public int size() {
        return sets.length;
    }

    public boolean isNone() {
        return sets.length == 0;
    }

    public boolean contains(Members others) {
        return others.minus(this).isNone();
    }

    public Members plus(Members others) {
        return others.isNone() ? this : isNone() ? others : combine(others, MemberSet::plus);
    }

    public Members minus(Members others) {
        return others.isNone() || isNone() ? this : combine(others, MemberSet::minus);
    }

    public Members and(Members others) {
        return others.isNone() || isNone() ? NONE : combine(others, MemberSet::and);
    }

    private Members combine(Members others, BinaryOperator<MemberSet> operator) {
        MemberSet[] combined = new MemberSet[Math.max(sets.length, others.sets.length)];
        Arrays.setAll(combined, place -> operator.apply(at(place), others.at(place)));
        return trimmed(combined);
    }

    public long digest() {
        long digest = sets.length;
        for (MemberSet set : sets) {
            digest = Digests.mix(digest, set.digest());
        }
        return digest;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Members that && Arrays.equals(sets, that.sets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sets);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int place = 0; place < sets.length; place++) {
            if (!sets[place].isNone()) {
                text.append(text.length() > 1 ? ", " : "")
                        .append(place)
                        .append(": ")
                        .append(sets[place]);
            }
        }
        return text.append('}').toString();
    }
}
