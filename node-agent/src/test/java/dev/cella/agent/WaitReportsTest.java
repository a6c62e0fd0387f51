package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.live.WaitsMessage;
import dev.cella.client.proto.ReportedWaits;
import dev.cella.transactions.waits.WaitMatrix;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitReportsTest {
    private static final int MANY = 10_000;

    private final WaitReports reports = new WaitReports();

    private List<Long> take(int machines) {
        return reports.take(machines, WaitReportsTest::report).stream()
                .map(ReportedWaits::getRegisteredVersion)
                .toList();
    }

    private static Optional<ReportedWaits> report(int place) {
        return Optional.of(
                ReportedWaits.newBuilder().setRegisteredVersion(place).build());
    }

    @Test
    void take_ofMoreMachinesThanOneRenewalMayCarry_goesRoundInOrder() {
        List<Long> first = take(MANY);
        List<Long> second = take(MANY);
        List<Long> third = take(MANY);

        assertThat(first).hasSize(WaitReports.REPORTS_MAX).startsWith(0L, 1L);
        assertThat(second).hasSize(WaitReports.REPORTS_MAX).startsWith((long) WaitReports.REPORTS_MAX);
        assertThat(third).contains(MANY - 1L, 0L).hasSize(WaitReports.REPORTS_MAX);
    }

    @Test
    void take_fromFewerMachinesThanBefore_beginsAgain() {
        take(MANY);

        assertThat(take(2)).containsExactly(0L, 1L);
        assertThat(take(0)).isEmpty();
        assertThat(reports.take(3, place -> place == 2 ? report(2) : Optional.empty()))
                .extracting(ReportedWaits::getRegisteredVersion)
                .containsExactly(2L);
    }

    /** The cell refuses a request of more than 4 MiB, and then the machines would lose their leases. */
    @Test
    void fullRenewal_isSmallEnoughForTheCell() {
        long[] sizes = {500_000, 1_000_000, 2_000_000, 4_000_000};
        double[][] waits = IntStream.range(0, sizes.length)
                .mapToObj(row -> IntStream.range(0, sizes.length)
                        .mapToDouble(column -> 1_000_000.123)
                        .toArray())
                .toArray(double[][]::new);
        ReportedWaits largest = ReportedWaits.newBuilder()
                .setRegisteredVersion(Long.MAX_VALUE)
                .setWaits(WaitsMessage.of(new WaitMatrix(0, sizes, sizes, waits)))
                .build();

        assertThat((long) largest.getSerializedSize() * WaitReports.REPORTS_MAX).isLessThan(2 << 20);
    }
}
