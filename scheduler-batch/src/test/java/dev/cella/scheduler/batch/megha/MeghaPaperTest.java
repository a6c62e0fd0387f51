package dev.cella.scheduler.batch.megha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.scheduler.batch.megha.GlobalMaster.Choice;
import dev.cella.scheduler.batch.megha.GlobalMaster.Request;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** "Megha: Decentralized Global Fair Scheduling for Federated Clusters", section IV. */
class MeghaPaperTest {
    private static final Federation FEDERATION = new Federation(12, 2, 3);
    private static final UserShares ONE_USER = new UserShares(new double[] {1}, 12);

    /** "The LM assigns each of the GMs one of its partitions" (IV-A). */
    @Test
    void federation_hasAPartitionForEachPairOfMasters() {
        Federation odd = new Federation(1_003, 3, 7);
        int expected = 0;
        for (int local = 0; local < 7; local++) {
            for (int global = 0; global < 3; global++) {
                assertThat(odd.firstWorker(local, global)).isEqualTo(expected);
                expected = odd.endWorker(local, global);
                assertThat(odd.localMaster(expected - 1)).isEqualTo(local);
                assertThat(odd.globalMaster(expected - 1)).isEqualTo(global);
            }
        }
        assertThat(expected).isEqualTo(1_003);
        assertThatThrownBy(() -> new Federation(5, 2, 3)).hasMessageContaining("5 workers are too few");
    }

    /** "it chooses a partition from its internal partitions in a round-robin fashion" (IV-B3). */
    @Test
    void match_takesInternalPartitionsInTurns() {
        GlobalMaster<String> master = master(0, Choice.FIRST_IN_TURNS, ONE_USER);
        submit(master, 3, 0);
        assertThat(master.match()).extracting(Request::worker).containsExactly(0, 4, 8);
    }

    /**
     * "It does this by performing a bit-wise AND operation between all the bit-vectors corresponding to the task's constraints"
     * (IV-B3).
     */
    @Test
    void match_findsWorkersThatMeetAllConstraints() {
        WorkerBits even = bits(IntStream.iterate(0, worker -> worker + 2).limit(6));
        WorkerBits high = bits(IntStream.range(7, 12));
        GlobalMaster<String> master = master(0, Choice.FIRST_IN_TURNS, ONE_USER);
        master.submit("first", 0, List.of(even, high), 0);
        master.submit("second", 0, List.of(even, high), 0);
        master.submit("third", 0, List.of(even, high), 0);
        assertThat(master.match()).extracting(Request::worker).containsExactly(8, 10);
        assertThat(master.waiting()).isEqualTo(1);
    }

    /**
     * "If an eligible worker node is found in one of the external partitions, the GM requests the LM to perform a
     * repartition" (IV-B4).
     */
    @Test
    void match_repartitionsWhenItsOwnPartitionsAreFull() {
        GlobalMaster<String> master = master(0, Choice.FIRST_IN_TURNS, ONE_USER);
        submit(master, 8, 0);
        List<Request<String>> requests = master.match();
        assertThat(requests)
                .extracting(Request::isExternal)
                .containsExactly(false, false, false, false, false, false, true, true);
        assertThat(requests.get(6).worker()).isIn(2, 3, 6, 7, 10, 11);
    }

    /** "the LM responds with a failure message along with the current state of all its partitions" (IV-B6). */
    @Test
    void aStaleView_isRefusedAndBroughtUpToDate() {
        LocalMaster local = new LocalMaster(FEDERATION, 0, false);
        GlobalMaster<String> stale = master(0, Choice.FIRST_IN_TURNS, ONE_USER);
        assertThat(local.launch(0, 0)).isTrue();

        submit(stale, 1, 0);
        Request<String> request = stale.match().get(0);
        assertThat(local.launch(request.worker(), 0)).isFalse();
        stale.putBack(request.waiting());
        stale.learn(local.state());

        List<Request<String>> again = stale.match();
        assertThat(again).hasSize(1);
        assertThat(again.get(0).worker()).isNotEqualTo(0);
        assertThat(again.get(0).waiting().task()).isEqualTo("task0");
    }

    /**
     * "When a task's requirements cannot be satisfied [...] the GM inserts the task request at the end of its task request
     * queue" (IV-B5).
     */
    @Test
    void aTaskWithoutAWorker_waitsForTheNextState() {
        GlobalMaster<String> master = master(0, Choice.RANDOM, ONE_USER);
        submit(master, 13, 0);
        assertThat(master.match()).extracting(Request::worker).hasSize(12).doesNotHaveDuplicates();
        assertThat(master.match()).isEmpty();
        int local = FEDERATION.localMaster(5);
        LocalMaster ofWorker5 = new LocalMaster(FEDERATION, local, false);
        for (int worker = FEDERATION.clusterBegin(local); worker < FEDERATION.clusterEnd(local); worker++) {
            ofWorker5.launch(worker, 0);
        }
        ofWorker5.end(5);
        master.learn(ofWorker5.state());
        assertThat(master.match()).extracting(Request::worker).containsExactly(5);
    }

    /**
     * "If not, the GM finds the user with the largest share violation and preempts the corresponding user's tasks" and "if the
     * requesting user has already consumed her share, the task request is re-inserted" (IV-C).
     */
    @Test
    void underContention_aUserBelowItsSharePreemptsTheLargestViolator() {
        UserShares shares = new UserShares(new double[] {50, 25, 25}, 12);
        GlobalMaster<String> master = master(0, Choice.FIRST_IN_TURNS, shares);
        submit(master, 7, 1);
        assertThat(master.match()).extracting(Request::victim).containsOnly(UserShares.NOBODY);
        submit(master, 5, 2);
        assertThat(master.match()).hasSize(5);

        submit(master, 9, 0);
        List<Request<String>> taken = master.match();

        assertThat(taken).extracting(Request::victim).containsExactlyInAnyOrder(1, 1, 1, 1, 2, 2);
        assertThat(master.waiting()).isEqualTo(3);
    }

    /**
     * "Since preemption requests are made to preempt tasks belonging to other queues, preemption requests have to be
     * verified by the LM." (IV-C)
     */
    @Test
    void aPreemption_isVerifiedAtTheLocalMaster() {
        LocalMaster local = new LocalMaster(FEDERATION, 0, true);
        assertThat(local.launch(1, 2)).isTrue();
        assertThat(local.preempt(1, 0, 1)).isFalse();
        assertThat(local.preempt(1, 2, 1)).isTrue();
        assertThat(local.state().users()).containsExactly(-1, 1, -1, -1);
        local.end(1);
        assertThat(local.state().free().get(1)).isTrue();
    }

    private static GlobalMaster<String> master(int number, Choice choice, UserShares shares) {
        return new GlobalMaster<>(FEDERATION, number, choice, shares, new Random(1));
    }

    private static void submit(GlobalMaster<String> master, int tasks, int user) {
        for (int task = 0; task < tasks; task++) {
            master.submit("task" + task, user, List.of(), 0);
        }
    }

    private static WorkerBits bits(IntStream workers) {
        WorkerBits bits = new WorkerBits(12);
        workers.forEach(worker -> bits.set(worker, true));
        return bits;
    }

    /** Thousands of states may wait for a busy global master: equal ones are one, and none changes any more. */
    @Test
    void state_isOneUntilTheWorkersChange() {
        LocalMaster local = new LocalMaster(new Federation(8, 1, 2), 1, false);
        ClusterState before = local.state();
        assertThat(local.state()).isSameAs(before);
        assertThat(local.launch(5, 0)).isTrue();

        assertThat(local.state()).isNotSameAs(before);
        assertThat(local.state().free().get(5)).isFalse();
        assertThat(before.free().get(5)).isTrue();
    }
}
