package dev.cella.scheduler.batch;

import dev.cella.scheduling.conformance.ConformanceKit;
import org.junit.jupiter.api.Test;

/** What every scheduler must keep. */
class ConformanceTest {
    @Test
    void batch_conforms() {
        ConformanceKit.of(new BatchSchedulerProvider()).check();
    }
}
