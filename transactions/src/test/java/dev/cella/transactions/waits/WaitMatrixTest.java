package dev.cella.transactions.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitMatrixTest {
    private static final long[] SIZES = {1_000, 4_000};

    @Test
    void matrix_ofAQueue_playsItForward() {
        QueueForecast forecast =
                new QueueForecast(4_000, 4_000, List.of(new Load(3_000, 100, 10)), List.of(new Load(2_000, 100, 5)));

        WaitMatrix matrix = forecast.matrix(0, SIZES, SIZES);

        assertThat(matrix.waitSeconds(1_000, 1_000))
                .as("behind the queued task, which starts when the running one ends")
                .isEqualTo(10);
        assertThat(matrix.waitSeconds(3_000, 1_000)).isEqualTo(15);
        assertThat(matrix.waitSeconds(5_000, 1_000)).isInfinite();
    }

    @Test
    void matrix_behindATaskThatNeverEnds_isInfinite() {
        WaitMatrix matrix = new QueueForecast(
                        4_000, 4_000, List.of(new Load(2_000, 100, Double.POSITIVE_INFINITY)), List.of())
                .matrix(0, SIZES, SIZES);

        assertThat(matrix.waitSeconds(1_000, 1_000)).isZero();
        assertThat(matrix.waitSeconds(4_000, 1_000)).isInfinite();
    }

    @Test
    void matrix_thatLies_isRefusedInWords() {
        assertThatThrownBy(() -> new WaitMatrix(0, SIZES, new long[] {1}, new double[][] {{5}, {4}}))
                .hasMessageContaining("a larger task does not wait less");
        assertThatThrownBy(() -> new WaitMatrix(0, new long[] {2, 2}, new long[] {1}, new double[][] {{0}, {0}}))
                .hasMessageContaining("positive and ascending, not 2 cpuMilli");
        assertThatThrownBy(() -> new WaitMatrix(0, SIZES, SIZES, new double[][] {{0, 0}}))
                .hasMessageContaining("as many rows");
    }
}
