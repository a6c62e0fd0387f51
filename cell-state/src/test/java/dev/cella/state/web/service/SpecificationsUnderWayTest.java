package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.state.core.Lane;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.transactions.model.Command;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Room for the specifications of jobs while submissions are under way, and on the disk. */
class SpecificationsUnderWayTest {
    private static final int ROOM = 1_000;

    private SimulatedReplica simulated;
    private SpecificationRoom room;
    private boolean diskIsNearlyFull;

    @BeforeEach
    void found() throws Exception {
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), new ManualTime());
        simulated.lead();
        room = new SpecificationRoom(simulated.replica(), ROOM, () -> diskIsNearlyFull);
    }

    @Test
    void submit_whileAnotherIsNotDecided_leavesItsRoomToIt() {
        submit("first", 600, CompletableFuture::new);

        assertThatThrownBy(() -> submit("second", 600, CompletableFuture::new)).isInstanceOf(Problem.class);
        submit("third", 400, CompletableFuture::new);
    }

    /** The cell keeps its bytes, and its caller has not heard of it yet. */
    @Test
    void submit_whileAnotherIsDecidedAndUnderWay_countsItsBytesOnce() {
        Command.SubmitJob first = job("first", 600);
        var unused = room.submit(first, () -> {
            simulated.ask(first);
            return new CompletableFuture<>();
        });

        submit("second", 400, CompletableFuture::new);
        assertThatThrownBy(() -> submit("third", 1, CompletableFuture::new)).isInstanceOf(Problem.class);
    }

    @Test
    void submit_thatFails_givesItsRoomBack() {
        assertThatThrownBy(() -> submit("first", 600, () -> {
                    throw new IllegalStateException("no leader");
                }))
                .hasMessage("no leader");
        submit("second", 600, () -> CompletableFuture.failedFuture(new IllegalStateException("no leader")));

        var unused = room.submit(
                job("third", 1_000),
                () -> simulated.replica().submit(Lane.OPERATORS, Samples.TEST, job("third", 1_000)));
        simulated.settle();

        assertThat(simulated.replica().<Long>read(view -> view.specificationBytes()))
                .isEqualTo(1_000);
    }

    /** The former generation stays on the disk, and is not counted in the room in memory. */
    @Test
    void submit_updateOnADiskThatIsNearlyFull_isRefused() {
        Command.SubmitJob first = job("first", 600);
        simulated.ask(first);
        diskIsNearlyFull = true;

        Command.SubmitJob update = new Command.SubmitJob(
                first.header(), Samples.specification("first"), Command.SubmitMode.CREATE_OR_UPDATE);
        assertThatThrownBy(() -> submit(update, CompletableFuture::new)).hasMessageContaining("nearly full");
        assertThatCode(() -> submit(first, CompletableFuture::new)).doesNotThrowAnyException();
        assertThatCode(() -> submit("second", 1, CompletableFuture::new)).doesNotThrowAnyException();

        diskIsNearlyFull = false;
        assertThatCode(() -> submit(update, CompletableFuture::new)).doesNotThrowAnyException();
    }

    private void submit(String name, int bytes, Supplier<CompletableFuture<Object>> submission) {
        submit(job(name, bytes), submission);
    }

    private void submit(Command.SubmitJob job, Supplier<CompletableFuture<Object>> submission) {
        var unused = room.submit(job, submission);
    }

    private static Command.SubmitJob job(String name, int bytes) {
        return (Command.SubmitJob) Samples.jobOfBytes(name, bytes);
    }
}
