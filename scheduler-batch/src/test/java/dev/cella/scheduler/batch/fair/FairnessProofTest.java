package dev.cella.scheduler.batch.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.PoolPolicy;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What plans place, against a solver that knows nothing of pools, trees or plans and computes with whole numbers; and the
 * four properties of dominant resource fairness (Ghodsi et al., NSDI 2011). Tasks cannot be cut, so sharing and truth pay up to
 * one task of any pool, which may be as large as several own tasks. {@code -Dcella.cases=10000} is the long form.
 */
class FairnessProofTest {
    private static final int CASES = Integer.getInteger("cella.cases", 300);
    private static final int DIMENSIONS = 2;

    /** A pool with one job: what a task of it asks, how many it wants, its weight and its minimum. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Claimant(long[] task, int wants, int weight, long[] minimum) {
        Claimant asking(long[] other, int tasks) {
            return new Claimant(other, tasks, weight, minimum);
        }

        /** How many tasks of it fit into that. */
        long fitsInto(long[] amounts) {
            long fit = Long.MAX_VALUE;
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                fit = Math.min(fit, amounts[dimension] / task[dimension]);
            }
            return fit;
        }

        long[] times(long count) {
            return Arrays.stream(task).map(each -> each * count).toArray();
        }
    }

    /** A machine as large as the cell, so that nothing is lost between machines. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Case(long[] capacity, List<Claimant> claimants) {
        static Case drawn(SplittableRandom random, boolean weights, boolean minima) {
            long[] capacity = {60 + random.nextInt(200), 60 + random.nextInt(200)};
            List<Claimant> claimants = new ArrayList<>();
            for (int count = 1 + random.nextInt(5); count > 0; count--) {
                long[] task = {1 + random.nextInt(6), 1 + random.nextInt(6)};
                long[] minimum = {minima ? random.nextInt(80) : 0, minima ? random.nextInt(80) : 0};
                int weight = weights ? 1 + random.nextInt(4) : 1;
                claimants.add(new Claimant(task, 1 + random.nextInt(120), weight, minimum));
            }
            return new Case(capacity, claimants);
        }

        Case with(int place, Claimant other) {
            List<Claimant> changed = new ArrayList<>(claimants);
            changed.set(place, other);
            return new Case(capacity, changed);
        }

        /** What the scheduler places, by claimant. */
        int[] planned() {
            FairCell cell = new FairCell().machine("m", "r", capacity[0], capacity[1]);
            for (int place = 0; place < claimants.size(); place++) {
                Claimant each = claimants.get(place);
                cell.pool("p" + place, policy(each));
                cell.job("j" + place, "p" + place, each.wants, each.task[0], each.task[1]);
            }
            cell.plan();
            int[] placed = new int[claimants.size()];
            Arrays.setAll(placed, place -> cell.placed("j" + place));
            return placed;
        }

        private static PoolPolicy policy(Claimant each) {
            return new PoolPolicy(each.weight, Amounts.of(each.minimum), Limits.NONE, PoolPolicy.Order.FAIR, 0, 0);
        }

        /** How many tasks of the claimant the largest task of any takes the room of. */
        long slack(Claimant claimant) {
            long most = 1;
            for (Claimant other : claimants) {
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    long own = claimant.task[dimension];
                    most = Math.max(most, (other.task[dimension] + own - 1) / own);
                }
            }
            return most;
        }

        long[] left(int[] placed) {
            long[] left = capacity.clone();
            for (int place = 0; place < placed.length; place++) {
                long[] used = claimants.get(place).times(placed[place]);
                for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                    left[dimension] -= used[dimension];
                }
            }
            return left;
        }
    }

    // ---- the solver

    /** Fills task by task. A claimant that is first in need and gets no more is out. */
    private static int[] solved(Case of) {
        int[] has = new int[of.claimants.size()];
        boolean[] out = new boolean[has.length];
        while (true) {
            int next = neediest(of, has, out);
            if (next < 0) {
                return has;
            }
            boolean more = has[next] < of.claimants.get(next).wants
                    && of.claimants.get(next).fitsInto(of.left(has)) > 0;
            has[next] += more ? 1 : 0;
            out[next] = !more;
        }
    }

    private static int neediest(Case of, int[] has, boolean[] out) {
        int neediest = -1;
        for (int place = 0; place < has.length; place++) {
            if (!out[place] && (neediest < 0 || isNeedier(of, has, place, neediest))) {
                neediest = place;
            }
        }
        return neediest;
    }

    private static boolean isNeedier(Case of, int[] has, int one, int other) {
        long[] partOfOne = partOfMinimum(of.claimants.get(one), has[one]);
        long[] partOfOther = partOfMinimum(of.claimants.get(other), has[other]);
        boolean oneLacks = partOfOne[0] < partOfOne[1];
        boolean otherLacks = partOfOther[0] < partOfOther[1];
        if (oneLacks != otherLacks) {
            return oneLacks;
        }
        return oneLacks
                ? isLess(partOfOne, partOfOther)
                : isLess(share(of, of.claimants.get(one), has[one]), share(of, of.claimants.get(other), has[other]));
    }

    /** The least part of its minimum that it has, over dimensions, as a fraction; 1 where it lacks nothing. */
    private static long[] partOfMinimum(Claimant claimant, int has) {
        long[] least = {1, 1};
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            long due = Math.min(claimant.minimum[dimension], claimant.wants * claimant.task[dimension]);
            long[] part = {has * claimant.task[dimension], due};
            least = due > 0 && isLess(part, least) ? part : least;
        }
        return least;
    }

    /** The dominant share by the weight, as a fraction. */
    private static long[] share(Case of, Claimant claimant, int has) {
        long[] most = {0, 1};
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            long[] part = {has * claimant.task[dimension], of.capacity[dimension] * claimant.weight};
            most = isLess(most, part) ? part : most;
        }
        return most;
    }

    private static boolean isLess(long[] one, long[] other) {
        BigInteger left = BigInteger.valueOf(one[0]).multiply(BigInteger.valueOf(other[1]));
        return left.compareTo(BigInteger.valueOf(other[0]).multiply(BigInteger.valueOf(one[1]))) < 0;
    }

    // ---- against the solver

    @Test
    void shares_areThoseOfTheSolver() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < CASES; round++) {
            Case drawn = Case.drawn(random, round % 2 == 1, round % 4 >= 2);
            assertThat(drawn.planned()).as("case %d", round).isEqualTo(solved(drawn));
        }
    }

    // ---- properties

    /** Nobody is worse off than with a part of its own, as large as everybody else's. */
    @Test
    void sharingIsAnIncentive() {
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < CASES; round++) {
            Case drawn = Case.drawn(random, false, false);
            int[] placed = drawn.planned();
            long[] part = Arrays.stream(drawn.capacity)
                    .map(each -> each / placed.length)
                    .toArray();
            for (int place = 0; place < placed.length; place++) {
                Claimant each = drawn.claimants.get(place);
                assertThat(placed[place] + drawn.slack(each))
                        .as("case %d, pool %d", round, place)
                        .isGreaterThanOrEqualTo(Math.min(each.wants, each.fitsInto(part)));
            }
        }
    }

    /** Nobody could run more tasks with another one's allocation, except its last task, which it got when it had less. */
    @Test
    void nobodyEnviesAnother() {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < CASES; round++) {
            Case drawn = Case.drawn(random, false, false);
            int[] placed = drawn.planned();
            for (int one = 0; one < placed.length; one++) {
                for (int other = 0; other < placed.length; other++) {
                    Claimant envious = drawn.claimants.get(one);
                    long with = envious.fitsInto(drawn.claimants.get(other).times(Math.max(0, placed[other] - 1)));
                    assertThat(placed[one] + 1L)
                            .as("case %d, pool %d of pool %d", round, one, other)
                            .isGreaterThanOrEqualTo(Math.min(envious.wants, with));
                }
            }
        }
    }

    /** The rest holds no task of a claimant that wants one. */
    @Test
    void nothingIsLeftThatSomebodyCouldUse() {
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < CASES; round++) {
            Case drawn = Case.drawn(random, true, true);
            int[] placed = drawn.planned();
            for (int place = 0; place < placed.length; place++) {
                Claimant each = drawn.claimants.get(place);
                boolean wantsMore = placed[place] < each.wants;
                assertThat(wantsMore && each.fitsInto(drawn.left(placed)) > 0)
                        .as("case %d, pool %d", round, place)
                        .isFalse();
            }
        }
    }

    /** A claimant that asks for more than it needs runs no more of its tasks. */
    @Test
    void lyingAboutDemandsDoesNotPay() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < CASES; round++) {
            Case drawn = Case.drawn(random, false, false);
            int liar = random.nextInt(drawn.claimants.size());
            Claimant honest = drawn.claimants.get(liar);
            long[] lie = {honest.task[0] + random.nextInt(4), honest.task[1] + random.nextInt(4)};
            Claimant lying = honest.asking(lie, honest.wants + random.nextInt(40));
            int truth = drawn.planned()[liar];
            int[] lied = drawn.with(liar, lying).planned();

            long useful = Math.min(honest.wants, honest.fitsInto(lying.times(lied[liar])));

            assertThat(useful).as("case %d", round).isLessThanOrEqualTo(truth + drawn.slack(honest));
        }
    }

    // ---- what cannot be

    /** "If the sum of all pools' minimum shares exceeds the number of slots", none gets more than its part of them (4). */
    @Test
    void minimaAboveTheCell_areServedInProportion() {
        Claimant large = new Claimant(new long[] {1, 1}, 500, 1, new long[] {200, 200});
        Claimant small = new Claimant(new long[] {1, 1}, 500, 1, new long[] {100, 100});

        int[] placed = new Case(new long[] {90, 90}, List.of(large, small)).planned();

        assertThat(placed).containsExactly(60, 30);
    }

    @Test
    void poolThatMayHaveNothing_getsNothing_andItsJobSaysWhy() {
        FairCell cell = new FairCell().slots(4, 4);
        cell.job("shrinks", "a", 2, 1, 1);
        cell.plan();
        cell.pool("a", new PoolPolicy(1, Amounts.NONE, Limits.of(0, 0), PoolPolicy.Order.FAIR, 0, 0));
        cell.job("late", "a", 2, 1, 1);
        cell.job("other", "b", 2, 1, 1);

        cell.plan();

        assertThat(cell.placed("shrinks")).isEqualTo(2);
        assertThat(cell.placed("late")).isZero();
        assertThat(cell.placed("other")).isEqualTo(2);
        assertThat(cell.lastPlan().unplaced())
                .anySatisfy(left -> assertThat(left.sentence()).contains("held back by", "pool a"));
    }
}
