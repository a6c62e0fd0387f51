package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.ReplicaOptions;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.web.RunningCell.Reply;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The feed over gRPC, for clients that watch a part of the cell. */
@Timeout(180)
class FilteredWatchTest {
    /** The feed keeps so little that a hundred commands push out everything before them. */
    @RegisterExtension
    static final RunningCell CELL = new RunningCell(
            ReplicaOptions.defaults().withLimits(ReplicaLimits.defaults().withFeedBytes(4000)));

    @Test
    void machine_itAndWhatIsOnIt_andATaskThatGoesElsewhereIsGone() {
        CELL.putMachine("m-here", 4000, 8192);
        CELL.putMachine("m-there", 4000, 8192);
        CELL.submit("moves", 2);
        WatchedPart machine = watching(WatchRequest.newBuilder().setMachine("m-here"));
        follow(machine);
        assertThat(machine.rows()).containsOnlyKeys("m-here");

        CELL.place("moves-1", "moves/main/0", "m-here", "moves/main/1", "m-there");
        follow(machine);
        assertThat(machine.rows()).containsOnlyKeys("m-here", "moves/main/0");
        assertThat(machine.row("moves/main/0").getTask().getState()).isEqualTo(TaskState.TASK_STATE_PLACED);

        CELL.post("/v1/tasks/moves/main/0:status", "{\"attempt\": 1, \"state\": \"FAILED\"}");
        CELL.post("/v1/transactions", """
                {"id": "moves-2", "scheduler": "batch", "steps": [{"task": "moves/main/0", "kind": "AGAIN", "attempt": 1}]}""");
        CELL.place("moves-3", "moves/main/0", "m-there");
        follow(machine);
        assertThat(machine.rows()).containsOnlyKeys("m-here");
    }

    @Test
    void rows_areThoseOfTheMatchingGet() {
        CELL.putMachine("m-row", 4000, 8192);
        CELL.submit("rows", 1);
        WatchedPart machine = watching(WatchRequest.newBuilder().setMachine("m-row"));
        WatchedPart job = watching(WatchRequest.newBuilder().setJob("rows").setScheduler("batch"));
        WatchedPart nobody = watching(WatchRequest.newBuilder().setJob("rows").setScheduler("other"));
        CELL.place("rows-1", "rows/main/0", "m-row");
        follow(machine);
        follow(job);
        follow(nobody);

        JsonCodec codec = new JsonCodec();
        assertThat(codec.write(machine.row("m-row").getMachine()))
                .isEqualTo(withoutVersion(CELL.get("/v1/machines/m-row")));
        assertThat(codec.write(job.row("rows/main/0").getTask()))
                .isEqualTo(withoutVersion(CELL.get("/v1/tasks/rows/main/0")));
        assertThat(job.rows()).containsOnlyKeys("rows", "rows/main/0");
        assertThat(nobody.rows()).isEmpty();
    }

    private static String withoutVersion(Reply reply) {
        return reply.body().replaceFirst(",?\"version\":\\d+", "").replaceFirst("^\\{,", "{");
    }

    @Test
    void machineThatIsRemoved_isGone() {
        CELL.putMachine("m-gone", 4000, 8192);
        WatchedPart machine = watching(WatchRequest.newBuilder().setMachine("m-gone"));
        follow(machine);
        assertThat(machine.rows()).containsOnlyKeys("m-gone");
        CELL.delete("/v1/machines/m-gone");
        follow(machine);
        assertThat(machine.rows()).isEmpty();
    }

    /** The watcher reads nothing while more happens than the feed keeps; its stream delays nobody. */
    @Test
    void watcherThatReadsNothing_seesEachChangeOfItsPartOnce() {
        CELL.putMachine("m-slow", 1000, 1024);
        WatchedPart machine = watching(WatchRequest.newBuilder().setMachine("m-slow"));
        follow(machine);
        long[] versions = new long[50];
        PausedWatcher watcher = PausedWatcher.of(CELL, machine.request(), frame -> {
            machine.take(frame);
            return machine.versionsHeard().size() >= versions.length;
        });
        for (int number = 0; number < versions.length; number++) {
            CELL.putMachine("m-noise-" + number, 1000 + number, 1024);
            versions[number] = CELL.putMachine("m-slow", 2000 + number, 1024)
                    .json()
                    .get("changedVersion")
                    .asLong();
        }
        assertThat(watcher.frames()).isLessThanOrEqualTo(1);
        watcher.readOn();
        watcher.awaitLast();

        assertThat(machine.versionsHeard())
                .containsExactlyElementsOf(LongStream.of(versions).boxed().toList());
        assertThat(machine.resyncs()).isZero();
    }

    @Test
    void placeThatIsNotKept_isResyncAndThenTheWholePart() {
        CELL.putMachine("m-old", 1000, 1024);
        WatchedPart machine = watching(WatchRequest.newBuilder().setMachine("m-old"));
        follow(machine);
        machine.forgetHistory();
        CELL.putMachine("m-old", 1500, 1024);
        follow(machine);

        assertThat(machine.resyncs()).isEqualTo(1);
        assertThat(machine.row("m-old").getMachine().getCapacityMap()).containsEntry("cpuMilli", 1500L);
    }

    /** Nothing in the watched part changes, but heartbeats still advance the watcher. */
    @Test
    void watcherOfAnUnknownName_advancesWithTheCell() {
        WatchedPart nothing = watching(WatchRequest.newBuilder().setScheduler("nosuch"));
        follow(nothing);
        CELL.putMachine("m-elsewhere", 1000, 1024);
        long shown = CELL.get("/v1/cell").version();
        nothing.follow(CELL.address(), () -> nothing.version() >= shown);

        assertThat(nothing.rows()).isEmpty();
        assertThat(nothing.versionsHeard()).isEmpty();
    }

    private static WatchedPart watching(WatchRequest.Builder part) {
        return new WatchedPart(part.build());
    }

    /** Until it shows the present state. A watcher of an unchanged part advances with the next heartbeat. */
    private static void follow(WatchedPart part) {
        long shown = CELL.get("/v1/cell").version();
        part.follow(CELL.address(), () -> part.isWhole() && part.version() >= shown);
    }
}
