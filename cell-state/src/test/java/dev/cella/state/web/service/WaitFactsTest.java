package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.WaitRow;
import dev.cella.state.core.Time;
import dev.cella.transactions.model.MachineId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaitFactsTest {
    private static final MachineId HERE = new MachineId(1);
    private static final MachineId GONE = new MachineId(2);
    private static final MachineWaits WAITS = MachineWaits.newBuilder()
            .addCpuMilli(1_000)
            .addMemoryMib(1_024)
            .addRows(WaitRow.newBuilder().addWaits(Durations.fromSeconds(1)))
            .build();

    private final WaitFacts waits = new WaitFacts(
            new Time() {
                @Override
                public long monotonicNanos() {
                    return 0;
                }

                @Override
                public long wallMillis() {
                    return 0;
                }

                @Override
                public Cancellation after(Duration delay, Runnable task) {
                    throw new UnsupportedOperationException("no timer is needed");
                }
            },
            HERE::equals);

    @Test
    void waitsOfAMachineThatTheCellDoesNotHave_areDropped() {
        assertThat(waits.put(HERE, WAITS)).isEmpty();
        assertThat(waits.put(GONE, WAITS)).isEmpty();

        assertThat(waits.ask(Duration.ofSeconds(10))).containsOnlyKeys(HERE);
    }
}
