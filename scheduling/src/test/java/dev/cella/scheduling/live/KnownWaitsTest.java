package dev.cella.scheduling.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.WaitRow;
import dev.cella.transactions.model.CellTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class KnownWaitsTest {
    private final KnownWaits waits = new KnownWaits();

    private static MachineWaits matrix(String machine, long agoMillis) {
        return MachineWaits.newBuilder()
                .setMachine(machine)
                .setSaidAgo(Durations.fromMillis(agoMillis))
                .addCpuMilli(1_000)
                .addMemoryMib(1_000)
                .addRows(WaitRow.newBuilder().addWaits(Durations.fromMillis(2_500)))
                .build();
    }

    @Test
    void heard_aMatrix_countsFromWhenItWasMade() {
        var unused = waits.ask(new CellTime(10_000));
        waits.heard(List.of(matrix("m", 3_000)), new CellTime(10_100));

        assertThat(waits.find("m").orElseThrow().madeAtSeconds()).isEqualTo(7.1);
        assertThat(waits.find("m").orElseThrow().waitSeconds(1, 1)).isEqualTo(2.5);
        assertThat(waits.find("other")).isEmpty();
    }

    @Test
    void ask_again_goesBackToTheLastAnswer() {
        long everything = Durations.toMillis(waits.ask(new CellTime(10_000)));
        waits.heard(List.of(), new CellTime(10_100));
        long newer = Durations.toMillis(waits.ask(new CellTime(11_000)));
        long afterALostAnswer = Durations.toMillis(waits.ask(new CellTime(12_000)));

        assertThat(newer).isBetween(1_000L, everything - 1);
        assertThat(afterALostAnswer).isEqualTo(newer + 1_000);
    }

    @Test
    void heard_ofAMachineThatSaysNothingMore_isForgotten() {
        waits.heard(List.of(matrix("m", 0)), new CellTime(10_000));
        waits.heard(List.of(matrix("n", 0)), new CellTime(80_000));

        assertThat(waits.find("m")).isEmpty();
        assertThat(waits.find("n")).isPresent();
    }
}
