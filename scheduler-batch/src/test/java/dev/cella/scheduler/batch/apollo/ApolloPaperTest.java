package dev.cella.scheduler.batch.apollo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.cella.scheduler.batch.apollo.StableMatching.Match;
import dev.cella.scheduler.batch.apollo.StableMatching.Request;
import dev.cella.transactions.waits.QueueForecast;
import dev.cella.transactions.waits.QueueForecast.Load;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Boutin et al., "Apollo", OSDI 2014, section 3. */
class ApolloPaperTest {
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;

    /** The paper does not say how much faster a task runs on the server that it prefers; here it takes half of the time. */
    private static final double PREFERRED = 0.5;

    private static final StableMatching MATCHING = new StableMatching(100);

    /**
     * "each cell corresponding to the expected wait time for a task that requires a certain amount of CPU and memory [...] the
     * value 10 in cell 12 GB, 4 cores denotes that a task that needs 4 CPU cores and 12GB of memory has to wait 10 seconds"
     * (3.2).
     */
    @Test
    void matrix_isTheForecastOfTheQueue() {
        QueueForecast queue = new QueueForecast(
                8_000, 16, List.of(new Load(4_000, 8, 10), new Load(2_000, 4, 3)), List.of(new Load(2_000, 2, 4)));

        WaitMatrix matrix = queue.matrix(100, new long[] {1_000, 4_000, 8_000}, new long[] {2, 12, 32});

        assertThat(queue.waitSeconds(0)).isZero();
        assertThat(matrix.waitSeconds(500, 1)).isEqualTo(3);
        assertThat(matrix.waitSeconds(4_000, 12)).isEqualTo(10);
        assertThat(matrix.waitSeconds(4_000, 2)).isEqualTo(4);
        assertThat(matrix.waitSeconds(8_000, 2)).isEqualTo(10);
        assertThat(matrix.waitSeconds(8_000, 17)).isInfinite();
        assertThat(matrix.waitSeconds(9_000, 1)).isInfinite();
    }

    @Test
    void matrix_thatLies_isRefusedInWords() {
        long[] sizes = {1, 2};
        assertThatThrownBy(() -> new WaitMatrix(0, sizes, new long[] {1}, new double[][] {{3}, {2}}))
                .hasMessageContaining("a larger task does not wait less");
        assertThatThrownBy(() -> new WaitMatrix(0, sizes, new long[] {1}, new double[][] {{Double.NaN}, {2}}))
                .hasMessageContaining("not negative");
        assertThatThrownBy(() -> new WaitMatrix(0, sizes, new long[] {1}, new double[][] {{1}}))
                .hasMessageContaining("2 sizes");
    }

    /**
     * "D is the optimal choice among those four choices. This can be recognized only when we consider data locality and wait
     * time together" (3.3, Figure 4: one input of 100 MB on server A, one of 5 GB on server C).
     */
    @Test
    void figure4_isReproducedToTheCentisecond() {
        int[] racks = {0, 0, 1, 1};
        double[] waits = {0, 0, 40, 5};
        List<ReadSpeeds.Part> input = List.of(new ReadSpeeds.Part(A, 0, 100), new ReadSpeeds.Part(C, 1, 5_000));

        double[] io = IntStream.range(0, 4)
                .mapToDouble(server -> ReadSpeeds.FIGURE_4.seconds(input, server, racks[server]))
                .toArray();
        double[] completion = IntStream.range(0, 4)
                .mapToDouble(server -> new CompletionEstimate(0, waits[server], io[server]).withoutFailureSeconds())
                .toArray();

        assertThat(io).containsExactly(new double[] {63.125, 63.5, 32.5, 51.25}, within(1e-9));
        assertThat(completion).containsExactly(new double[] {63.125, 63.5, 72.5, 56.25}, within(1e-9));
        assertThat(Arrays.stream(completion).min().orElseThrow()).isEqualTo(completion[D]);
    }

    /** "C = Psucc Esucc + Kfail (1 - Psucc) Esucc" (3.3, formula 2). */
    @Test
    void failure_costsItsPenalty() {
        CompletionEstimate estimate = new CompletionEstimate(1, 4, 5);
        assertThat(estimate.seconds(1, 3)).isEqualTo(10);
        assertThat(estimate.seconds(0.9, 3)).isCloseTo(9 + 3, within(1e-9));
    }

    /** "As shown in Figure 5, the stable matcher matches Task2 to C and Task3 to B" (3.3); the greedy one T2 to B, T3 to C. */
    @Test
    void figure5_isReproducedExactly() {
        double local = 1;
        double remote = 2;
        int[] servers = {A, B, C};
        double[][] times = {{local, remote, remote}, {local, remote, remote}, {remote, local, remote}};

        assertThat(greedy(times)).containsExactly(A, B, C);
        assertThat(MATCHING.match(requests(servers, times)))
                .extracting(Match::machine)
                .containsExactly(A, C, B);
    }

    /**
     * "the stable matching algorithm performs within 5% of the optimal matching under the simulated conditions while the greedy
     * approach [...] was 57% slower than the optimal matching" (5.5, Figure 12: 100 servers of one slot, waits and run times
     * exponential with an average of 1, each task with a preferred server).
     */
    @Test
    void figure12_stableIsWithinFivePercentOfOptimal_greedyIsClearlyWorse() {
        double greedy = 0;
        double stable = 0;
        double optimal = 0;
        for (int seed = 1; seed <= 20; seed++) {
            double[][] times = figure12(100, new Random(seed));
            int[] order = IntStream.range(0, 100).toArray();
            greedy += total(times, greedy(times));
            stable += MATCHING.match(requests(order, times)).stream()
                    .mapToDouble(Match::completionSeconds)
                    .sum();
            optimal += total(times, Assignment.cheapest(times));
        }
        assertThat(stable).isBetween(optimal, 1.05 * optimal);
        assertThat(greedy).isGreaterThan(1.15 * optimal);
    }

    /** Completion by task and server. */
    private static double[][] figure12(int size, Random random) {
        double[] waits = random.doubles(size).map(drawn -> -Math.log(1 - drawn)).toArray();
        double[][] times = new double[size][size];
        for (double[] ofTask : times) {
            double run = -Math.log(1 - random.nextDouble());
            int preferred = random.nextInt(size);
            for (int server = 0; server < size; server++) {
                ofTask[server] = waits[server] + (server == preferred ? PREFERRED * run : run);
            }
        }
        return times;
    }

    private static List<Request> requests(int[] servers, double[][] times) {
        return Arrays.stream(times).map(each -> new Request(servers, each)).toList();
    }

    /** Each task in its order takes the free server on which it completes first. */
    private static int[] greedy(double[][] times) {
        Set<Integer> taken = new HashSet<>();
        int[] chosen = new int[times.length];
        for (int task = 0; task < times.length; task++) {
            int best = -1;
            for (int server = 0; server < times[task].length; server++) {
                boolean isFree = !taken.contains(server);
                best = isFree && (best < 0 || times[task][server] < times[task][best]) ? server : best;
            }
            taken.add(best);
            chosen[task] = best;
        }
        return chosen;
    }

    private static double total(double[][] times, int[] servers) {
        return IntStream.range(0, servers.length)
                .mapToDouble(task -> times[task][servers[task]])
                .sum();
    }

    @Test
    void aTaskWithoutAFreeCandidate_isLeftOut() {
        List<Match> matches = MATCHING.match(List.of(
                new Request(new int[] {A}, new double[] {1}),
                new Request(new int[] {A}, new double[] {1}),
                new Request(new int[] {B}, new double[] {Double.POSITIVE_INFINITY})));
        assertThat(matches).containsExactly(new Match(0, A, 1));
    }

    /** "In practice, a scheduling batch contains less than 1,000 tasks" (5.5): such a batch on candidates of 20,000 servers. */
    @Test
    void aBatchOfAThousand_isMatchedToAThousandMachines() {
        Random random = new Random(7);
        List<Request> batch = new ArrayList<>();
        for (int task = 0; task < 1_000; task++) {
            int[] servers = random.ints(0, 20_000).distinct().limit(40).toArray();
            batch.add(new Request(servers, random.doubles(servers.length).toArray()));
        }
        List<Match> matches = MATCHING.match(batch);
        assertThat(matches).hasSize(1_000).extracting(Match::machine).doesNotHaveDuplicates();
    }

    /**
     * "(i) the updated expected wait time is significantly higher than the original; (ii) the expected wait time is greater
     * than the average among the tasks in the same stage; (iii) the elapsed wait time is already greater than the average"
     * (3.4).
     */
    @Test
    void aQueuedTask_isDecidedAgainForThreeReasons() {
        DeferredCorrection correction = new DeferredCorrection(1);
        assertThat(correction.reason(5, 4, 1, 10)).isEmpty();
        assertThat(correction.reason(5, 8, 1, 10)).contains(DeferredCorrection.Reason.HIGHER_THAN_ORIGINAL);
        assertThat(correction.reason(20, 12, 1, 10)).contains(DeferredCorrection.Reason.ABOVE_AVERAGE);
        assertThat(correction.reason(20, 4, 12, 10)).contains(DeferredCorrection.Reason.WAITED_ABOVE_AVERAGE);
    }

    /**
     * "When the confidence in the wait-time matrix is low, the scheduler will produce a pessimistic estimate by looking up the
     * wait time of a task consuming more CPU and memory" (3.4).
     */
    @Test
    void anOldMatrix_isReadOneSizeLarger() {
        WaitMatrix matrix = new WaitMatrix(100, new long[] {1, 2}, new long[] {1, 2}, new double[][] {{3, 4}, {5, 9}});
        MatrixConfidence confidence = new MatrixConfidence(10);
        assertThat(confidence.waitSeconds(matrix, 1, 1, 100)).isEqualTo(3);
        assertThat(confidence.waitSeconds(matrix, 1, 1, 102)).isEqualTo(1);
        assertThat(confidence.waitSeconds(matrix, 1, 1, 111)).isEqualTo(9);
        assertThat(confidence.waitSeconds(matrix, 2, 2, 111)).isEqualTo(9);
        assertThat(confidence.waitSeconds(matrix, 3, 1, 111)).isInfinite();
    }

    /** "two servers randomly picked from a set of lightly-loaded servers" (3.3), beside the input's servers and their racks. */
    @Test
    void candidates_areTheInputsTheirRacksAndTwoLightlyLoaded() {
        List<ReadSpeeds.Part> input = List.of(new ReadSpeeds.Part(4, 0, 900), new ReadSpeeds.Part(90, 9, 10));
        Random random = new Random(1);
        int[] candidates = CandidateMachines.PAPER.of(input, rack -> new int[] {3, 4, 5}, () -> 50 + random.nextInt(4));
        assertThat(candidates).startsWith(4, 3, 5).doesNotContain(90).hasSizeBetween(4, 5);
        assertThat(Arrays.stream(candidates).skip(3)).allMatch(each -> each >= 50);
    }

    /**
     * "When the time it would take to rerun a task is significantly less than the time it would take to let it complete, a
     * duplicate copy is started" (3.4).
     */
    @Test
    void aStraggler_isCopiedIfTheCopyIsDoneMuchEarlier() {
        Stragglers stragglers = new Stragglers(0.5);
        assertThat(stragglers.needsCopy(100, 0.1, 60)).isTrue();
        assertThat(stragglers.needsCopy(100, 0.6, 60)).isFalse();
        assertThat(stragglers.needsCopy(50, 0, 60)).isFalse();
        assertThat(stragglers.needsCopy(61, 0, 60)).isTrue();
    }

    /** "a job with n tokens can have up to cn opportunistic tasks dispatched for some constant c" (3.5). */
    @Test
    void tokens_boundRegularAndOpportunisticTasks() {
        SpareAllowance allowance = new SpareAllowance(2);
        assertThat(allowance.dispatch(10, 0, 0, 50)).isEqualTo(new SpareAllowance.Dispatch(10, 0, 20, 1));
        assertThat(allowance.dispatch(10, 8, 20, 50)).isEqualTo(new SpareAllowance.Dispatch(2, 0, 0, 1));
        assertThat(allowance.dispatch(10, 8, 5, 0)).isEqualTo(new SpareAllowance.Dispatch(0, 2, 0, 20.0 / 3));
    }

    /** "a weight of 2 means a task has twice the probability to be picked" (3.5). */
    @Test
    void opportunisticTasks_areDrawnByWeightUntilNoneFits() {
        List<SpareDraw.Entry> queue = List.of(
                new SpareDraw.Entry(0, 1, 1, 1), new SpareDraw.Entry(1, 2, 1, 1), new SpareDraw.Entry(2, 1, 9, 1));
        Random random = new Random(3);
        int[] picked = new int[3];
        for (int draw = 0; draw < 9_000; draw++) {
            picked[SpareDraw.draw(queue, 1, 1, random).get(0).task()]++;
        }
        assertThat(picked[1]).isBetween((int) (1.9 * picked[0]), (int) (2.1 * picked[0]));
        assertThat(picked[2]).isZero();
        assertThat(SpareDraw.draw(queue, 2, 2, random)).hasSize(2);
    }
}
