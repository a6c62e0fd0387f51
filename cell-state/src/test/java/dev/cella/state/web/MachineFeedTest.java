package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceBlockingStub;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The feed over gRPC, for agents that name their machines. */
@Timeout(180)
class MachineFeedTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    /** What an agent has of the cell, and how much it took. */
    private static final class Agent {
        private final Iterator<FeedFrame> frames;
        private CellView view = new CellReplica().view();
        private long bytes;

        Agent(String machine) {
            frames = Stubs.of(CELL.address(), FeedServiceBlockingStub.class)
                    .watch(WatchRequest.newBuilder().addAgentMachines(machine).build());
        }

        CellView await(Predicate<CellView> wanted) {
            while (!wanted.test(view)) {
                FeedFrame frame = frames.next();
                bytes += frame.getSerializedSize();
                if (frame.hasPart()) {
                    CellReplica part = new CellReplica();
                    part.load(frame.getPart().getChunksList().stream()
                            .map(ByteString::toByteArray)
                            .toList());
                    assertThat(part.view().version().number())
                            .isEqualTo(frame.getPart().getVersion());
                    assertThat(view.version().isAfter(part.view().version())).isFalse();
                    view = part.view();
                }
            }
            return view;
        }

        List<String> tasks() {
            List<String> tasks = new ArrayList<>();
            for (int slot = 0; slot < view.machineSlots(); slot++) {
                view.forEachTaskOn(slot, task -> tasks.add(task.text()));
            }
            return tasks;
        }
    }

    private static void placeMany(String job, String machine, int tasks) {
        CELL.submit(job, tasks);
        for (int from = 0; from < tasks; from += 1_000) {
            String[] claims = new String[2_000];
            for (int place = 0; place < 1_000; place++) {
                claims[2 * place] = job + "/main/" + (from + place);
                claims[2 * place + 1] = machine;
            }
            assertThat(CELL.place(job + "-" + from, claims).status()).isEqualTo(200);
        }
    }

    private static void report(String task, String state) {
        String body = "{\"attempt\": 1, \"state\": \"%s\"}".formatted(state);
        assertThat(CELL.post("/v1/tasks/" + task + ":status", body).status()).isEqualTo(200);
    }

    @Test
    void agentOfOneMachine_getsBytesForItsOwnTasksOnly() {
        CELL.putMachine("m-large", 100_000_000, 100_000_000);
        CELL.putMachine("m-own", 4000, 8192);
        CELL.submit("own", 2);
        Agent agent = new Agent("m-own");
        assertThat(agent.await(view -> view.machine("m-own").isPresent()).machine("m-large"))
                .isEmpty();

        placeMany("large", "m-large", 10_000);
        CELL.place("own-1", "own/main/0", "m-own", "own/main/1", "m-large");
        agent.await(view -> !agent.tasks().isEmpty());
        assertThat(agent.tasks()).containsExactly("own/main/0");
        assertThat(agent.bytes).as("bytes of all frames").isLessThan(20_000);

        report("own/main/0", "RUNNING");
        report("own/main/0", "FINISHED");
        CellView ended = agent.await(view -> agent.tasks().isEmpty());
        assertThat(ended.job("own").map(job -> ended.taskState(job.group(0), 0)))
                .contains(TaskState.FINISHED);
    }

    @Test
    void machineThatIsRegisteredLater_isShown_andIsGoneWhenItIsRemoved() {
        Agent agent = new Agent("m-later");
        CellView before = agent.await(CellView::isFounded);
        assertThat(before.machine("m-later")).isEmpty();
        CELL.putMachine("m-later", 4000, 8192);
        agent.await(view -> view.machine("m-later").isPresent());
        CELL.delete("/v1/machines/m-later");
        agent.await(view -> view.machine("m-later").isEmpty());
    }

    /** An agent waits for the version that its call was answered with, whatever that changed. */
    @Test
    void versionIsTold_alsoWhenNothingOfTheMachineChanges() {
        CELL.putMachine("m-still", 4000, 8192);
        Agent agent = new Agent("m-still");
        agent.await(view -> view.machine("m-still").isPresent());
        long version = CELL.putMachine("m-other", 1000, 1024).version();
        assertThat(agent.await(view -> view.version().number() >= version).machine("m-other"))
                .isEmpty();
    }

    @Test
    void hostsFile_bringsTheOtherTasksOfTheGroupAndTheirMachines() {
        CELL.putMachine("m-peer-1", 4000, 8192);
        CELL.putMachine("m-peer-2", 4000, 8192);
        CELL.post(
                "/v1/jobs", RunningCell.job("peers", 2).replace("\"command\": [", "\"command\": [\"${hostsFile}\", "));
        Agent agent = new Agent("m-peer-1");
        CELL.place("peers-1", "peers/main/0", "m-peer-1");
        agent.await(view -> agent.tasks().size() == 1);
        CELL.place("peers-2", "peers/main/1", "m-peer-2");
        CellView both = agent.await(view -> agent.tasks().size() == 2);
        assertThat(both.machine("m-peer-2")).isPresent();
        report("peers/main/1", "FAILED");
        agent.await(view -> agent.tasks().size() == 1);
    }
}
