package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.TaskInputs;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.PoolPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the fair scheduler divides free amounts. */
class FairSharingTest {
    /** Dominant resource fairness' own example: 9 CPUs, 18 GB; A's tasks take 1 CPU and 4 GB, B's 3 CPUs and 1 GB. */
    @Test
    void plan_ofTheWorkedExampleOfDominantResourceFairness_placesThreeAndTwo() {
        FairCell cell = new FairCell().machine("m", "r", 9_000, 18_432);
        cell.job("a", "a", 100, 1_000, 4_096);
        cell.job("b", "b", 100, 3_000, 1_024);

        cell.plan();

        assertThat(cell.placed("a")).isEqualTo(3);
        assertThat(cell.placed("b")).isEqualTo(2);
    }

    @Test
    void plan_ofPoolsOfDifferentWeights_dividesByWeight() {
        FairCell cell = new FairCell().slots(40, 10).pool("a", FairCell.weighing(3));
        cell.job("a", "a", 100, 1, 1);
        cell.job("b", "b", 100, 1, 1);

        cell.plan();

        assertThat(cell.placed("a")).isEqualTo(30);
        assertThat(cell.placed("b")).isEqualTo(10);
    }

    @Test
    void plan_ofAPoolThatWantsLessThanItsShare_givesTheRestToTheOther() {
        FairCell cell = new FairCell().slots(40, 10);
        cell.job("a", "a", 5, 1, 1);
        cell.job("b", "b", 100, 1, 1);

        cell.plan();

        assertThat(cell.placed("a")).isEqualTo(5);
        assertThat(cell.placed("b")).isEqualTo(35);
    }

    /** A scale has added the third task, which has no input. */
    @Test
    void plan_ofAJobWithMoreTasksThanInputs_placesThem_andTheOtherPools() {
        FairCell cell = new FairCell().slots(10, 10);
        List<TaskInputs> inputs =
                List.of(new TaskInputs(Set.of("m1"), Set.of()), new TaskInputs(Set.of("m2"), Set.of()));
        cell.job("a", "a", 3, new GroupInputs(inputs, 0, 0));
        cell.job("b", "b", 2, 1, 1);

        cell.plan();

        assertThat(cell.placed("a")).isEqualTo(3);
        assertThat(cell.placed("b")).isEqualTo(2);
    }

    @Test
    void plan_ofAPoolBelowItsMinimum_servesItFirst() {
        FairCell cell = new FairCell().slots(10, 10).pool("a", withMinimum(8, PoolPolicy.Order.FAIR));
        cell.job("b", "b", 100, 1, 1);
        cell.job("a", "a", 100, 1, 1);

        cell.plan();

        assertThat(cell.placed("a")).isEqualTo(8);
        assertThat(cell.placed("b")).isEqualTo(2);
    }

    @Test
    void plan_ofPoolsBelowOnePool_dividesWhatThatOneGets() {
        FairCell cell = new FairCell().slots(12, 12);
        cell.job("a1", "a/one", 100, 1, 1);
        cell.job("a2", "a/two", 100, 1, 1);
        cell.job("b", "b", 100, 1, 1);

        cell.plan();

        assertThat(List.of(cell.placed("a1"), cell.placed("a2"), cell.placed("b")))
                .containsExactly(3, 3, 6);
    }

    @Test
    void plan_ofAJobAtOnceThatDoesNotFit_leavesItsRoomToOthers() {
        FairCell cell = new FairCell().slots(4, 4);
        cell.jobAtOnce("large", "a", 5);
        cell.job("small", "b", 4, 1, 1);

        cell.plan();

        assertThat(cell.placed("large")).isZero();
        assertThat(cell.placed("small")).isEqualTo(4);
        assertThat(cell.lastPlan().unplaced())
                .singleElement()
                .satisfies(left -> assertThat(left.tasks()).isEqualTo(5));
    }

    /** Task by task, each would get the half of the cell, and both would be taken back. */
    @Test
    void plan_ofTwoJobsAtOnceThatDoNotFitTogether_placesOne() {
        FairCell cell = new FairCell().slots(4, 4);
        cell.jobAtOnce("one", "a", 3);
        cell.jobAtOnce("other", "b", 3);

        cell.plan();

        assertThat(cell.placed("one")).isEqualTo(3);
        assertThat(cell.placed("other")).isZero();
    }

    @Test
    void plan_ofAJobAtOnceThatFitsBesideALargerOne_placesIt() {
        FairCell cell = new FairCell().slots(4, 4);
        cell.jobAtOnce("large", "a", 9);
        cell.jobAtOnce("fits", "b", 4);

        cell.plan();

        assertThat(cell.placed("large")).isZero();
        assertThat(cell.placed("fits")).isEqualTo(4);
    }

    @Test
    void plan_ofAGangThatDoesNotFit_leavesItsRoomToOthers() {
        FairCell cell = new FairCell().slots(4, 4);
        cell.gang("gang", "a", 5);
        cell.job("small", "b", 4, 1, 1);

        cell.plan();

        assertThat(cell.placed("gang")).isZero();
        assertThat(cell.placed("small")).isEqualTo(4);
    }

    @Test
    void plan_ofAFifoPool_servesItsFirstJobAlone() {
        FairCell cell = new FairCell().slots(10, 10).pool("a", withMinimum(0, PoolPolicy.Order.FIFO));
        cell.job("first", "a", 8, 1, 1);
        cell.job("second", "a", 8, 1, 1);

        cell.plan();

        assertThat(cell.placed("first")).isEqualTo(8);
        assertThat(cell.placed("second")).isEqualTo(2);
    }

    @Test
    void plan_ofAFairPool_dividesAmongItsJobs() {
        FairCell cell = new FairCell().slots(10, 10);
        cell.job("first", "a", 8, 1, 1);
        cell.job("second", "a", 8, 1, 1);

        cell.plan();

        assertThat(cell.placed("first")).isEqualTo(5);
        assertThat(cell.placed("second")).isEqualTo(5);
    }

    /** Compares the placements of equal tasks with a max-min solver that knows nothing of pools or plans. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void plan_ofRandomPools_isMaxMinFair(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20; round++) {
            int slots = 1 + random.nextInt(60);
            List<Integer> weights = new ArrayList<>();
            List<Integer> demands = new ArrayList<>();
            FairCell cell = new FairCell().slots(slots, 10);
            for (int pool = 0; pool < 1 + random.nextInt(5); pool++) {
                weights.add(1 + random.nextInt(4));
                demands.add(1 + random.nextInt(40));
                cell.pool("p" + pool, FairCell.weighing(weights.get(pool)));
                cell.job("j" + pool, "p" + pool, demands.get(pool), 1, 1);
            }

            cell.plan();

            List<Integer> placed = new ArrayList<>();
            for (int pool = 0; pool < weights.size(); pool++) {
                placed.add(cell.placed("j" + pool));
            }
            assertThat(placed).as("seed %d, round %d", seed, round).isEqualTo(oneByOne(slots, weights, demands));
        }
    }

    /** Each slot goes to the pool with the least for its weight that wants more; the first one among equals. */
    private static List<Integer> oneByOne(int slots, List<Integer> weights, List<Integer> demands) {
        int[] has = new int[weights.size()];
        for (int slot = 0; slot < slots; slot++) {
            int least = -1;
            for (int pool = 0; pool < has.length; pool++) {
                boolean wants = has[pool] < demands.get(pool);
                if (wants && (least < 0 || has[pool] * weights.get(least) < has[least] * weights.get(pool))) {
                    least = pool;
                }
            }
            if (least >= 0) {
                has[least]++;
            }
        }
        List<Integer> all = new ArrayList<>();
        for (int each : has) {
            all.add(each);
        }
        return all;
    }

    private static PoolPolicy withMinimum(long slots, PoolPolicy.Order order) {
        return new PoolPolicy(1, Amounts.of(slots, slots), Limits.NONE, order, 0, 0);
    }
}
