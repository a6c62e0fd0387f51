package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.cella.client.proto.FeedFrame;
import dev.cella.state.web.feed.MachineFeed;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The part of the cell that an agent of one machine gets from a follower, which takes over a checkpoint, and then leads. No
 * time passes, so that what the agent is told each second does not help.
 */
class AgentPartTest {
    private static final String MACHINE = "m-own";
    private static final Duration REST_MAX = Duration.ofMillis(200);

    private final ManualTime time = new ManualTime();
    private final SimulatedGroup group = new SimulatedGroup();
    private SimulatedReplica leader;
    private SimulatedReplica follower;
    private MachineFeed.Watcher agent;
    private CompletableFuture<FeedFrame> asked;

    @BeforeEach
    void found() throws Exception {
        ReplicaLimits limits = ReplicaLimits.defaults().withCheckpointLogBytes(2_000);
        leader = new SimulatedReplica(group, limits, time);
        follower = new SimulatedReplica(group, limits, time);
        leader.lead();
        leader.ask(Samples.machine(MACHINE));
        leader.ask(Samples.machine("m-other"));
        follower.settle();
        agent = new MachineFeed(follower.replica(), time).watch(List.of(MACHINE), Runnable::run);
        asked = agent.next();
        assertThat(tasksToldNow()).isEmpty();
    }

    /** Loads the frames that are there, at least one. */
    private List<String> tasksToldNow() {
        assertThat(asked).isCompleted();
        CellReplica part = new CellReplica();
        while (asked.isDone()) {
            part = new CellReplica();
            part.load(asked.join().getPart().getChunksList().stream()
                    .map(ByteString::toByteArray)
                    .toList());
            asked = agent.next();
        }
        CellView view = part.view();
        List<String> tasks = new ArrayList<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            view.forEachTaskOn(slot, task -> tasks.add(task.text()));
        }
        return tasks;
    }

    private static void place(SimulatedReplica by, String job, String machine) {
        by.ask(Samples.job(job, 1));
        claim(by, job, machine);
    }

    private static void claim(SimulatedReplica by, String job, String machine) {
        by.ask(by.replica()
                .read(view -> Samples.claimAll(
                        view,
                        "claim-" + job,
                        view.job(job).orElseThrow(),
                        view.findMachine(machine).orElseThrow())));
    }

    @Test
    void replicaTakesACheckpoint_theAgentGetsThePartOfItsState_andThenOfTheChangesAfterIt() throws Exception {
        place(leader, "missed", MACHINE);
        leader.ask(Samples.jobOfBytes("large", 5_000));
        follower.jumpToCheckpointOf(leader);
        follower.runThreads();
        assertThat(follower.member().isBehind()).isFalse();
        assertThat(tasksToldNow()).containsExactly("missed/main/0");

        place(leader, "after", MACHINE);
        place(leader, "elsewhere", "m-other");
        follower.settle();
        assertThat(tasksToldNow()).containsExactlyInAnyOrder("after/main/0", "missed/main/0");
    }

    @Test
    void replicaLeads_theAgentGetsWhatThatPlaces() {
        place(leader, "before", MACHINE);
        follower.lead();
        assertThat(tasksToldNow()).containsExactly("before/main/0");
        place(follower, "after", MACHINE);
        assertThat(tasksToldNow()).containsExactlyInAnyOrder("after/main/0", "before/main/0");
    }

    @Test
    void partIsLarge_theNextOneComesLater() {
        leader.ask(Samples.jobOfBytes("large", 200_000));
        claim(leader, "large", MACHINE);
        follower.settle();
        assertThat(tasksToldNow()).containsExactly("large/main/0");

        place(leader, "after", MACHINE);
        follower.settle();
        assertThat(asked).isNotDone();
        time.advance(REST_MAX);
        assertThat(tasksToldNow()).containsExactlyInAnyOrder("after/main/0", "large/main/0");
    }
}
