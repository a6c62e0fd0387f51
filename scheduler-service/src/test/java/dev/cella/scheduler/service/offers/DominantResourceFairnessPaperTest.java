package dev.cella.scheduler.service.offers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.scheduler.service.offers.Allocation.FreeMachine;
import dev.cella.scheduler.service.offers.Allocation.MadeOffer;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Compares the allocator's dominant resource fairness (Ghodsi et al., NSDI 2011) with a solver that shares no code with it:
 * the shares at which the first dimension is full, in closed form.
 */
class DominantResourceFairnessPaperTest {
    private static final int CASES = Integer.getInteger("cella.drf.cases", 300);

    /** A user of the paper: its weight, and what each of its tasks asks. */
    private static final class User {
        private final int weight;
        private final long[] demand;

        User(int weight, long... demand) {
            this.weight = weight;
            this.demand = demand;
        }

        int weight() {
            return weight;
        }

        long[] demand() {
            return demand;
        }

        double dominant(long[] totals) {
            double share = 0;
            for (int dimension = 0; dimension < totals.length; dimension++) {
                share = Math.max(share, (double) demand[dimension] / totals[dimension]);
            }
            return share;
        }
    }

    /**
     * Launches one task at a time from an offer of everything left, while the next user in turn can. Returns the number of
     * tasks of each.
     */
    private static int[] fill(long[] totals, List<User> users) {
        List<Role> roles = new ArrayList<>();
        List<Framework> frameworks = new ArrayList<>();
        for (int user = 0; user < users.size(); user++) {
            Role role = new Role(
                    String.format(Locale.ROOT, "u%02d", user), users.get(user).weight(), Amounts.NONE, totals);
            Framework framework = new Framework(role.name(), role, Amounts.NONE, Integer.MAX_VALUE);
            framework.add(new Framework.Seat(new SessionId(user + 1), false, 0, machine -> false));
            roles.add(role);
            frameworks.add(framework);
        }
        long[] left = totals.clone();
        int[] tasks = new int[users.size()];
        while (true) {
            Amounts all = Amounts.of(left.clone());
            List<MadeOffer> offers = new Allocation(roles, AllocationPolicy.DRF, new SplittableRandom(1))
                    .divide(List.of(new FreeMachine(0, all)));
            Framework next = offers.get(0).framework();
            int user = frameworks.indexOf(next);
            long[] demand = users.get(user).demand();
            next.returns(all);
            for (int dimension = 0; dimension < left.length; dimension++) {
                if (demand[dimension] > left[dimension]) {
                    return tasks;
                }
            }
            next.holds(Amounts.of(demand.clone()));
            Arrays.setAll(left, dimension -> left[dimension] - demand[dimension]);
            tasks[user]++;
        }
    }

    /** "user A can run 3 tasks ... user B 2": 9 CPUs, 18 GB; A's tasks use 1 CPU and 4 GB, B's 3 CPUs and 1 GB. */
    @Test
    void workedExample_sharesAreTwoThirdsEach() {
        List<User> users = List.of(new User(1, 1, 4), new User(1, 3, 1));
        long[] totals = {9, 18};
        int[] tasks = fill(totals, users);
        assertThat(tasks).containsExactly(3, 2);
        assertThat(tasks[0] * users.get(0).dominant(totals)).isEqualTo(2.0 / 3);
        assertThat(tasks[1] * users.get(1).dominant(totals)).isEqualTo(2.0 / 3);
    }

    /**
     * All weighted dominant shares grow together until the first dimension is full: {@code s = min over r of T_r / sum over i
     * of (w_i d_ir / m_i)}. Whole tasks stop at most one task away from there.
     */
    @Test
    void randomCases_areWithinOneTaskOfTheClosedForm() {
        for (int seed = 0; seed < CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long[] totals = random.longs(1 + random.nextInt(3), 2_000, 10_000).toArray();
            List<User> users = new ArrayList<>();
            int count = 1 + random.nextInt(8);
            for (int user = 0; user < count; user++) {
                users.add(new User(
                        1 + random.nextInt(4),
                        random.longs(totals.length, 1, 60).toArray()));
            }
            int[] tasks = fill(totals, users);
            double fair = solve(totals, users);
            double largest = users.stream()
                    .mapToDouble(user -> user.dominant(totals) / user.weight())
                    .max()
                    .orElseThrow();
            double slack = slack(totals, users, fair);
            for (int user = 0; user < count; user++) {
                double share = tasks[user]
                        * users.get(user).dominant(totals)
                        / users.get(user).weight();
                assertThat(share)
                        .as("seed %d, user %d of %d: fair is %f", seed, user, count, fair)
                        .isBetween(fair - largest - slack, fair + largest);
            }
        }
    }

    private static double solve(long[] totals, List<User> users) {
        double least = Double.MAX_VALUE;
        for (int dimension = 0; dimension < totals.length; dimension++) {
            least = Math.min(least, totals[dimension] / growth(totals, users, dimension));
        }
        return least;
    }

    /** How much of a dimension all users take while every weighted share grows by one. */
    private static double growth(long[] totals, List<User> users, int dimension) {
        double growth = 0;
        for (User user : users) {
            growth += user.weight() * user.demand()[dimension] / user.dominant(totals);
        }
        return growth;
    }

    /** The amount of the first full dimension that the last tasks, which no longer fit, may leave unused. */
    private static double slack(long[] totals, List<User> users, double fair) {
        double slack = 0;
        for (int dimension = 0; dimension < totals.length; dimension++) {
            double unused = 0;
            for (User user : users) {
                unused = Math.max(unused, (double) user.demand()[dimension]);
            }
            double growth = growth(totals, users, dimension);
            if (totals[dimension] / growth <= fair * 1.2) {
                slack = Math.max(slack, unused / growth);
            }
        }
        return slack;
    }

    /**
     * "No user prefers another's allocation": with the allocation of a user of equal weight, no user could run more tasks.
     */
    @Test
    void randomCases_haveNoEnvyBeyondOneTask_andLyingDoesNotPay() {
        for (int seed = 0; seed < CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed ^ 0x5eedL);
            long[] totals = random.longs(2, 2_000, 10_000).toArray();
            List<User> users = new ArrayList<>();
            for (int user = 0; user < 4; user++) {
                users.add(new User(1, random.longs(2, 1, 60).toArray()));
            }
            int[] tasks = fill(totals, users);
            for (int user = 0; user < users.size(); user++) {
                for (int other = 0; other < users.size(); other++) {
                    assertThat(tasksOf(users.get(user), users.get(other), tasks[other]))
                            .as("seed %d: what %d could run of what %d has", seed, user, other)
                            .isLessThanOrEqualTo(tasks[user] + 1 + lastTask(users, user, totals));
                }
            }
            lieAbout(random.nextInt(4), users, totals, tasks, random, seed);
        }
    }

    /**
     * "If there are n users, then a user should not be able to allocate more tasks in a cluster partition consisting of 1/n of
     * all resources": sharing is an incentive.
     */
    @Test
    void randomCases_giveEachUserAtLeastAnEqualPartOfTheCell() {
        for (int seed = 0; seed < CASES; seed++) {
            SplittableRandom random = new SplittableRandom(seed ^ 0x1ceL);
            long[] totals = random.longs(1 + random.nextInt(3), 2_000, 10_000).toArray();
            int count = 1 + random.nextInt(8);
            List<User> users = new ArrayList<>();
            for (int user = 0; user < count; user++) {
                users.add(new User(1, random.longs(totals.length, 1, 60).toArray()));
            }
            int[] tasks = fill(totals, users);
            for (int user = 0; user < count; user++) {
                long alone = Long.MAX_VALUE;
                for (int dimension = 0; dimension < totals.length; dimension++) {
                    alone = Math.min(
                            alone, totals[dimension] / count / users.get(user).demand()[dimension]);
                }
                assertThat(tasks[user] + 1 + lastTask(users, user, totals))
                        .as("seed %d: user %d of %d alone on its part", seed, user, count)
                        .isGreaterThanOrEqualTo(alone);
            }
        }
    }

    private static long tasksOf(User user, User other, int tasks) {
        long fit = Long.MAX_VALUE;
        for (int dimension = 0; dimension < user.demand().length; dimension++) {
            fit = Math.min(fit, other.demand()[dimension] * tasks / user.demand()[dimension]);
        }
        return fit;
    }

    /** How many tasks of the user weigh as much as the largest task of any user: at the end shares differ by that. */
    private static long lastTask(List<User> users, int user, long[] totals) {
        double largest =
                users.stream().mapToDouble(each -> each.dominant(totals)).max().orElseThrow();
        return (long) Math.ceil(largest / users.get(user).dominant(totals)) + 1;
    }

    private static void lieAbout(
            int liar, List<User> users, long[] totals, int[] honest, SplittableRandom random, int seed) {
        User truth = users.get(liar);
        long[] said = truth.demand().clone();
        said[random.nextInt(said.length)] += 1 + random.nextInt(40);
        List<User> lied = new ArrayList<>(users);
        lied.set(liar, new User(1, said));
        int[] tasks = fill(totals, lied);
        long useful = tasksOf(truth, lied.get(liar), tasks[liar]);
        assertThat(Math.min(useful, tasks[liar]))
                .as("seed %d: user %d lies", seed, liar)
                .isLessThanOrEqualTo(honest[liar] + 1 + lastTask(lied, liar, totals));
    }
}
