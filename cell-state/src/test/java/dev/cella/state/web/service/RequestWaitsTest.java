package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.transactions.cell.CellView;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that asks for a change and leaves before it comes. */
class RequestWaitsTest {
    private static final long NEVER = Long.MAX_VALUE - 1;
    private static final Freshness CHANGED =
            new Freshness(false, OptionalLong.empty(), OptionalLong.of(NEVER), Duration.ofSeconds(60));
    private static final Freshness LATER =
            new Freshness(false, OptionalLong.of(NEVER), OptionalLong.empty(), Duration.ofSeconds(60));

    private final ServiceRequestContext request = ServiceRequestContext.of(HttpRequest.of(HttpMethod.GET, "/v1/jobs"));
    private final AtomicInteger questions = new AtomicInteger();
    private SimulatedReplica simulated;
    private Reads reads;

    @BeforeEach
    void found() throws Exception {
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), new ManualTime());
        simulated.lead();
        reads = new Reads(simulated.replica());
    }

    private long version(CellView view) {
        questions.incrementAndGet();
        return view.version().number();
    }

    private Shown<Long> shown(CellView view) {
        return new Shown<>(0L, 0, version(view));
    }

    @Test
    void clientOfAChange_leaves_theCellIsAskedNoMore() throws Exception {
        CompletableFuture<Shown<Long>> answer = request.run(() -> reads.read(CHANGED, this::shown));
        CompletableFuture<Shown<Long>> cheap = request.run(() -> reads.read(CHANGED, this::version, this::shown));
        simulated.ask(Samples.machine("m-1"));
        assertThat(answer).isNotDone();
        assertThat(cheap).isNotDone();
        request.cancel();
        request.whenRequestCancelled().join();
        int before = questions.get();
        simulated.ask(Samples.machine("m-2"));

        assertThat(answer).isCompletedExceptionally();
        assertThat(cheap).isCompletedExceptionally();
        assertThat(questions).hasValue(before);
    }

    @Test
    void clientOfALaterVersion_leaves_itsWaitEnds() throws Exception {
        CompletableFuture<Shown<Long>> answer = request.run(() -> reads.read(LATER, this::shown));
        assertThat(answer).isNotDone();
        request.cancel();
        request.whenRequestCancelled().join();

        assertThat(answer).isCompletedExceptionally();
    }
}
