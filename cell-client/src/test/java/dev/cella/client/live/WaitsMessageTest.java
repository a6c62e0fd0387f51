package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.util.Durations;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.WaitRow;
import dev.cella.transactions.waits.WaitMatrix;
import org.junit.jupiter.api.Test;

class WaitsMessageTest {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    @Test
    void matrix_writtenAndRead_isTheSame() {
        WaitMatrix matrix = new WaitMatrix(
                0, new long[] {500, 1_000}, new long[] {64, 128}, new double[][] {{0.25, 2}, {3, NEVER}});

        MachineWaits message = WaitsMessage.of(matrix);
        WaitMatrix read = WaitsMessage.matrix(message, 7);

        assertThat(message.getRows(1).getWaitsCount()).as("never is left out").isEqualTo(1);
        assertThat(read.madeAtSeconds()).isEqualTo(7);
        assertThat(read.waitSeconds(500, 64)).isEqualTo(0.25);
        assertThat(read.waitSeconds(600, 64)).isEqualTo(3);
        assertThat(read.waitSeconds(600, 128)).isInfinite();
    }

    @Test
    void message_thatIsNoMatrix_isRefused() {
        MachineWaits one =
                MachineWaits.newBuilder().addCpuMilli(1).addMemoryMib(1).build();

        assertThatThrownBy(() -> WaitsMessage.matrix(one, 0)).hasMessageContaining("as many rows, not 0");
        assertThatThrownBy(() -> WaitsMessage.matrix(
                        one.toBuilder()
                                .addRows(WaitRow.newBuilder()
                                        .addWaits(Durations.fromMillis(1))
                                        .addWaits(Durations.fromMillis(2)))
                                .build(),
                        0))
                .hasMessageContaining("2 waits for 1 sizes");
    }
}
