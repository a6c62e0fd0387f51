package dev.cella.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.simulator.engine.Geometry;
import dev.cella.transactions.waits.QueueForecast;
import dev.cella.transactions.waits.QueueForecast.Load;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportedWaitsTest {
    /** If fewer than one in a hundred have no wait, also if nobody has, the list is all machines. */
    @ParameterizedTest
    @CsvSource({"50, 0, 50", "50, 1, 1", "100, 1, 1", "1000, 9, 1000", "1000, 10, 10"})
    void lightlyLoadedMachines_areThoseWithoutAWait(int machines, int idle, int light) {
        ReportedWaits waits = new ReportedWaits(new Geometry(machines, 1000, 1024, 1000, 1024, 0));

        for (int machine = idle; machine < machines; machine++) {
            Load task = new Load(1000, 1024, 10);
            QueueForecast busy = new QueueForecast(0, 0, List.of(task), List.of());
            waits.report(machine, busy.matrix(0, new long[] {1000}, new long[] {1024}));
        }

        assertThat(waits.lightCount()).isEqualTo(light);
    }
}
