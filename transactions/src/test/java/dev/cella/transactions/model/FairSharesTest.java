package dev.cella.transactions.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.FairShares.Claimant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FairSharesTest {
    @Test
    void equals_shareEvenly() {
        assertThat(FairShares.divide(90, List.of(of(1, 0, 100), of(1, 0, 100), of(1, 0, 100))))
                .containsExactly(30, 30, 30);
    }

    @Test
    void smallDemand_leavesTheRestToOthersByWeight() {
        assertThat(FairShares.divide(100, List.of(of(1, 0, 10), of(1, 0, 100), of(2, 0, 100))))
                .containsExactly(10, 30, 60);
    }

    @Test
    void minimum_comesFirst_butNotBeyondTheDemand() {
        assertThat(FairShares.divide(100, List.of(of(1, 70, 100), of(1, 0, 100))))
                .containsExactly(70, 30);
        assertThat(FairShares.divide(100, List.of(of(1, 70, 20), of(1, 0, 100))))
                .containsExactly(20, 80);
    }

    @Test
    void minimaAboveTheCapacity_areScaled() {
        assertThat(FairShares.divide(90, List.of(of(1, 100, 100), of(1, 50, 100), of(9, 0, 100))))
                .containsExactly(60, 30, 0);
    }

    @Test
    void enoughForAll_isTheDemand() {
        assertThat(FairShares.divide(1_000, List.of(of(3, 0, 100), of(1, 500, 200))))
                .containsExactly(100, 200);
        assertThat(FairShares.divide(1_000, List.of())).isEmpty();
    }

    /**
     * Gives unit by unit, always to the claimant with the least per weight: the definition itself, on small cases.
     */
    @Test
    void randomCases_areAsFillingUnitByUnitWouldHaveThem() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            List<Claimant> claimants = new ArrayList<>();
            for (int count = 1 + random.nextInt(5); count > 0; count--) {
                claimants.add(of(1 + random.nextInt(4), random.nextInt(20), random.nextInt(60)));
            }
            long guaranteed = claimants.stream()
                    .mapToLong(each -> Math.min(each.minimum(), each.demand()))
                    .sum();
            long capacity = guaranteed + random.nextInt(100);
            long[] shares = FairShares.divide(capacity, claimants);
            long[] filled = filled(capacity, claimants);
            for (int place = 0; place < shares.length; place++) {
                assertThat(Math.abs(shares[place] - filled[place]))
                        .as(
                                "round %s: %s of %s, %s and %s",
                                round, capacity, claimants, Arrays.toString(shares), Arrays.toString(filled))
                        .isLessThanOrEqualTo(claimants.get(place).weight());
            }
            assertThat(Arrays.stream(shares).sum()).isLessThanOrEqualTo(capacity);
        }
    }

    private static long[] filled(long capacity, List<Claimant> claimants) {
        long[] has = claimants.stream()
                .mapToLong(each -> Math.min(each.minimum(), each.demand()))
                .toArray();
        for (long left = capacity - Arrays.stream(has).sum(); left > 0; left--) {
            int next = -1;
            for (int place = 0; place < has.length; place++) {
                Claimant each = claimants.get(place);
                boolean poorer = next < 0 || has[place] * claimants.get(next).weight() < has[next] * each.weight();
                next = has[place] < each.demand() && poorer ? place : next;
            }
            if (next < 0) {
                break;
            }
            has[next]++;
        }
        return has;
    }

    private static Claimant of(long weight, long minimum, long demand) {
        return new Claimant(weight, minimum, demand);
    }
}
