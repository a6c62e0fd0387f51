package dev.cella.transactions.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares sets of members with a plain set of numbers, and tests their text. */
class MemberSetTest {
    private static final int MEMBERS = 12;

    @Test
    void operations_ofRandomSets_areThoseOfPlainSets() {
        Random random = new Random(1);
        for (int round = 0; round < 3_000; round++) {
            SortedSet<Integer> one = some(random);
            SortedSet<Integer> other = some(random);
            SortedSet<Integer> both = new TreeSet<>(one);
            both.retainAll(other);
            SortedSet<Integer> rest = new TreeSet<>(one);
            rest.removeAll(other);
            SortedSet<Integer> all = new TreeSet<>(one);
            all.addAll(other);
            assertThat(set(one).plus(set(other))).isEqualTo(set(all)).hasSameHashCodeAs(set(all));
            assertThat(set(one).minus(set(other))).isEqualTo(set(rest));
            assertThat(set(one).and(set(other))).isEqualTo(set(both));
            assertThat(set(one).contains(set(other))).isEqualTo(one.containsAll(other));
            assertThat(set(one).size()).isEqualTo(one.size());
            int count = random.nextInt(MEMBERS);
            SortedSet<Integer> lowest = new TreeSet<>(one.stream().limit(count).toList());
            assertThat(set(one).lowest(count)).isEqualTo(set(lowest));
            assertThat(set(one).digest() == set(other).digest()).isEqualTo(one.equals(other));
        }
    }

    private static SortedSet<Integer> some(Random random) {
        SortedSet<Integer> some = new TreeSet<>();
        for (int member = 0; member < MEMBERS; member++) {
            if (random.nextBoolean()) {
                some.add(member);
            }
        }
        return some;
    }

    private static MemberSet set(SortedSet<Integer> members) {
        return MemberSet.of(members.stream().mapToInt(Integer::intValue).toArray());
    }

    @Test
    void hashCodes_areOfWhatIsInIt() {
        assertThat(MemberSet.of(1)).doesNotHaveSameHashCodeAs(MemberSet.of(2));
        assertThat(members(3, 1)).hasSameHashCodeAs(members(3, 1)).doesNotHaveSameHashCodeAs(members(3, 2));
    }

    @Test
    void members_ofADimensionThatHasNoneLeft_areThoseOfTheOthers() {
        Members both = members(3, 7).with(5, MemberSet.of(9));

        assertThat(both.with(5, MemberSet.NONE)).isEqualTo(members(3, 7));
        assertThat(both.with(5, MemberSet.NONE).size()).isEqualTo(4);
        assertThat(both.contains(members(3, 7))).isTrue();
        assertThat(both.contains(members(3, 8))).isFalse();
        assertThat(members(3, 7).contains(both)).isFalse();
    }

    /** The amount is at least the number of named members. */
    @Test
    void amounts_thatNameMembers_countThem() {
        assertThat(Amounts.of(1, 2).naming(members(3, 7)).at(3)).isEqualTo(1);
        assertThat(Amounts.of(1, 2, 0, 5).naming(members(3, 7)).at(3)).isEqualTo(5);
    }

    private static Members members(int place, int member) {
        return Members.NONE.with(place, MemberSet.of(member));
    }

    @Test
    void text_isReadAsItIsWritten() {
        assertThat(MemberSet.parse("20012, 20000 - 20009,80")).hasToString("80,20000-20009,20012");
        assertThat(MemberSet.parse("0-65535").size()).isEqualTo(65_536);
        assertThat(MemberSet.NONE).hasToString("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "1-", "-1", "1-2-3", "9-8", "65536", "1,,2", "99999999999"})
    void text_thatNamesNoMembers_isRefused(String text) {
        assertThatThrownBy(() -> MemberSet.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void text_thatNamesAMemberTwice_isRefused() {
        assertThatThrownBy(() -> MemberSet.parse("1-5,4-6")).hasMessageContaining("twice: 4-5");
    }

    @Test
    void amounts_chooseTheLowestOfOneSourceAfterAnother() {
        Amounts asked = Amounts.of(0, 4).naming(Members.NONE.with(1, MemberSet.of(7)));
        Members first = Members.NONE.with(1, MemberSet.of(9));
        Members second = Members.NONE.with(1, MemberSet.run(3, 9));
        Amounts chosen = asked.choosing(first, second);
        assertThat(chosen.members().at(1)).hasToString("3-4,7,9");
        assertThat(chosen.at(1)).isEqualTo(4);
        assertThat(asked.choosing(first).members().at(1)).hasToString("7,9");
    }

    @Test
    void amounts_haveInCommonWhatBothName() {
        Amounts some = Amounts.of(5, 2).naming(Members.NONE.with(1, MemberSet.of(1, 2)));
        Amounts others = Amounts.of(3, 2).naming(Members.NONE.with(1, MemberSet.of(2, 3)));
        Amounts both = Amounts.of(3, 1).naming(Members.NONE.with(1, MemberSet.of(2)));
        assertThat(some.min(others)).isEqualTo(both);
        assertThat(some.minus(both).plus(both)).isEqualTo(some);
    }

    @Test
    void amounts_ofWhichOneNamesMembersAndTheOtherOnlyCounts_haveNoneOfThemInCommon() {
        Amounts named = Amounts.of(5, 2).naming(Members.NONE.with(1, MemberSet.of(1, 2)));
        assertThat(named.min(Amounts.of(3, 2))).isEqualTo(Amounts.of(3));
        assertThat(Amounts.of(3, 2).min(named)).isEqualTo(Amounts.of(3));
    }
}
