package dev.cella.state.web.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.FeedQuery;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Specification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One reader of the feed by rows, in manual time. */
class RowReaderTest {
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** Two entries of that size do not fit in one frame. */
    private static final int BYTES_OF_A_FRAME = 200 << 10;

    private static final int FRAMES = 3;

    /** Room for one copy of a cell with as many machines. */
    private static final int ROWS_MAX = 300;

    private final ManualTime time = new ManualTime();
    private SimulatedReplica simulated;
    private FeedProjection projection;

    @BeforeEach
    void found() throws Exception {
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), time);
        simulated.lead();
        projection = new FeedProjection(simulated.replica(), new JsonCodec(), time, new CopyRoom(time, ROWS_MAX));
    }

    private long version() {
        return simulated.replica().<Long>read(view -> view.version().number());
    }

    /** The changes are several frames of the feed: the first is sent when its interval is over, and the others are merged. */
    @Test
    void heartbeats_whileChangesOfAPastVersionWaitForTheirInterval_confirmOnlyWhatWasSent() {
        long from = version();
        for (int number = 0; number < FRAMES; number++) {
            simulated.ask(largeJob("j-" + number));
        }
        RowReader reader = new RowReader(
                projection,
                FeedFilter.EVERYTHING,
                Incarnation.UNSAID,
                OptionalLong.of(from),
                new RowReader.Pace(Optional.empty(), Optional.of(EVERY)),
                Runnable::run);
        CompletableFuture<RowFrame> asked = reader.next();
        long sent = from;
        List<String> told = new ArrayList<>();
        for (int beats = 0; beats < 8; beats++) {
            time.advance(HEARTBEAT);
            for (simulated.settle(); asked.isDone(); simulated.settle()) {
                if (asked.join() instanceof RowFrame.Changes changes) {
                    told.addAll(names(changes));
                    sent = changes.last();
                } else {
                    assertThat(asked.join()).isEqualTo(new RowFrame.Heartbeat(projection.incarnation(), sent));
                }
                asked = reader.next();
            }
        }

        assertThat(told).containsExactly("j-0", "j-1", "j-2");
        assertThat(sent).isEqualTo(version());
    }

    private static Command largeJob(String name) {
        Command.SubmitJob empty = (Command.SubmitJob) Samples.emptyJob(name, 1);
        Job job =
                Job.newBuilder().putLabels("note", "x".repeat(BYTES_OF_A_FRAME)).build();
        return new Command.SubmitJob(empty.header(), Specification.of(job.toByteArray()), empty.mode());
    }

    private RowReader reader(OptionalLong from) {
        return new RowReader(
                projection,
                FeedFilter.EVERYTHING,
                Incarnation.UNSAID,
                from,
                RowReader.Pace.EVERY_VERSION,
                Runnable::run);
    }

    private RowReader readerOfASnapshot() {
        RowReader reader = reader(OptionalLong.empty());
        reader.mustHaveRoom(FeedFilter.EVERYTHING);
        return reader;
    }

    private RowFrame next(RowReader reader) {
        CompletableFuture<RowFrame> frame = reader.next();
        simulated.settle();
        return frame.join();
    }

    private RowFrame.Snapshot nextPiece(RowReader reader) {
        return (RowFrame.Snapshot) next(reader);
    }

    private void addMachines(int count) {
        for (int number = 0; number < count; number++) {
            simulated.ask(Samples.machine("m-" + number));
        }
    }

    @Test
    void snapshot_whileTheCellGoesOn_hasTheRowsOfItsVersion() {
        addMachines(ROWS_MAX);
        RowReader reader = readerOfASnapshot();
        long version = version();
        List<ChangedRow> told = new ArrayList<>(nextPiece(reader).rows());
        for (int number = 0; number < ROWS_MAX; number++) {
            simulated.ask(new Command.ChangeMachine(machine("m-" + number), Command.MachineChange.REMOVE, true));
        }
        RowFrame.Snapshot last = nextPiece(reader);
        told.addAll(last.rows());

        assertThat(last.last()).isTrue();
        assertThat(last.version()).isEqualTo(version);
        assertThat(told)
                .hasSize(ROWS_MAX)
                .allSatisfy(row -> assertThat(row.row().orElseThrow().json()).contains("\"status\":\"READY\""));
        assertThat(next(reader)).isInstanceOf(RowFrame.Changes.class);
    }

    private MachineId machine(String name) {
        return simulated
                .replica()
                .read(view -> view.machineId(view.findMachine(name).orElseThrow()));
    }

    @Test
    void snapshots_beyondTheRoom_areRefused_untilOneIsTaken() {
        addMachines(ROWS_MAX);
        RowReader first = readerOfASnapshot();
        assertThat(nextPiece(first).last()).isFalse();

        assertThatThrownBy(this::readerOfASnapshot).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.type()).isEqualTo(ProblemType.OVERLOADED);
            assertThat(problem.retryAfter()).isPresent();
        });
        assertThat(nextPiece(first).last()).isTrue();
        assertThat(nextPiece(readerOfASnapshot()).last()).isFalse();
    }

    @Test
    void readersOverHttpAndGrpc_beyondTheRoom_areRefused() {
        addMachines(ROWS_MAX);
        nextPiece(readerOfASnapshot());
        HttpRequest get = HttpRequest.of(HttpMethod.GET, "/v1/feed");
        WatchRequest part = WatchRequest.newBuilder().setMachine("m-1").build();

        for (FeedQuery query : List.of(
                FeedQuery.getDefaultInstance(),
                FeedQuery.newBuilder().setAt(version()).build())) {
            assertThatThrownBy(() -> FeedRoute.of(projection, headers -> "{}")
                            .handler()
                            .serve(ServiceRequestContext.of(get), get, query))
                    .isInstanceOf(Problem.class);
        }
        assertThatThrownBy(() -> WatchedRows.open(projection, part, Runnable::run))
                .isInstanceOf(Problem.class);
    }

    @Test
    void snapshotOfAReaderThatLeaves_givesItsRoomBack() {
        addMachines(ROWS_MAX);
        RowReader first = readerOfASnapshot();
        nextPiece(first);
        first.close();

        assertThat(nextPiece(readerOfASnapshot()).last()).isFalse();
    }

    @Test
    void snapshotThatIsNotRead_makesRoomForAnother_andItsReaderStartsAgain() {
        addMachines(ROWS_MAX);
        RowReader slow = readerOfASnapshot();
        nextPiece(slow);
        time.advance(CopyRoom.UNUSED_MAX);
        RowReader other = readerOfASnapshot();

        assertThat(nextPiece(other).last()).isFalse();
        assertThat(next(slow)).isInstanceOf(RowFrame.Resync.class);
        CompletableFuture<RowFrame> again = slow.next();
        assertThat(again).isNotDone();
        other.close();
        time.advance(HEARTBEAT);
        assertThat(again.join()).isInstanceOf(RowFrame.Snapshot.class);
    }

    /** Its version stays confirmed, and no change is lost. */
    @Test
    void changesOfAPastVersion_withoutRoom_waitForIt() {
        addMachines(ROWS_MAX);
        RowReader first = readerOfASnapshot();
        nextPiece(first);
        long from = version() - 1;
        RowReader past = reader(OptionalLong.of(from));
        CompletableFuture<RowFrame> changes = past.next();
        simulated.settle();
        assertThat(changes).isNotDone();
        time.advance(HEARTBEAT);
        assertThat(changes.join()).isEqualTo(new RowFrame.Heartbeat(projection.incarnation(), from));
        first.close();

        assertThat(next(past))
                .isInstanceOfSatisfying(
                        RowFrame.Changes.class, told -> assertThat(names(told)).containsExactly("m-" + (ROWS_MAX - 1)));
    }

    private static List<String> names(RowFrame.Changes changes) {
        List<String> names = new ArrayList<>();
        changes.events().forEach(event -> event.rows().forEach(row -> names.add(row.name())));
        return names;
    }
}
