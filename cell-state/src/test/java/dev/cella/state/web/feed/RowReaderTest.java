package dev.cella.state.web.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.json.JsonCodec;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Incarnation;
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
    private static final FeedFilter EVERYTHING = FeedFilter.of(WatchRequest.getDefaultInstance());
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** Two entries of that size do not fit in one frame. */
    private static final int BYTES_OF_A_FRAME = 200 << 10;

    private static final int FRAMES = 3;

    private final ManualTime time = new ManualTime();
    private SimulatedReplica simulated;
    private FeedProjection projection;

    @BeforeEach
    void found() throws Exception {
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), time);
        simulated.lead();
        projection = new FeedProjection(simulated.replica(), new JsonCodec(), time);
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
                EVERYTHING,
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
                    assertThat(asked.join()).isEqualTo(new RowFrame.Heartbeat(sent));
                }
                asked = reader.next();
            }
        }

        assertThat(told).containsExactly("j-0", "j-1", "j-2");
        assertThat(sent).isEqualTo(version());
    }

    private static Command largeJob(String name) {
        Command.SubmitJob empty = (Command.SubmitJob) Samples.emptyJob(name, 1);
        Job job = Job.newBuilder().putLabels("note", "x".repeat(BYTES_OF_A_FRAME)).build();
        return new Command.SubmitJob(empty.header(), Specification.of(job.toByteArray()), empty.mode());
    }

    private static List<String> names(RowFrame.Changes changes) {
        List<String> names = new ArrayList<>();
        changes.events().forEach(event -> event.rows().forEach(row -> names.add(row.name())));
        return names;
    }
}
