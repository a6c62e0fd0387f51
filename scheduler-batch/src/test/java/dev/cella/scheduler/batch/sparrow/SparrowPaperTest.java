package dev.cella.scheduler.batch.sparrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ousterhout et al., "Sparrow", SOSP 2013, sections 3.2 and 3.3. */
class SparrowPaperTest {
    /** "it places the m tasks in a job on the least loaded of d m randomly selected worker machines" (3.2). */
    @Test
    void batchSampling_probesDMachinesForEachTask() {
        BatchSampling sampling = new BatchSampling(100, 2);
        Random random = new Random(1);
        int[] drawn = new int[100];
        for (int job = 0; job < 5_000; job++) {
            int[] probes = sampling.probes(10, random);
            assertThat(probes).hasSize(20).doesNotHaveDuplicates();
            Arrays.stream(probes).forEach(machine -> drawn[machine]++);
        }
        assertThat(Arrays.stream(drawn).min().orElseThrow()).isGreaterThan(850);
        assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(1_150);
    }

    @Test
    void aJobLargerThanTheCell_probesMachinesAgain() {
        int[] probes = new BatchSampling(3, 2).probes(4, new Random(1));
        assertThat(probes).hasSize(8);
        assertThat(Arrays.copyOf(probes, 3)).containsExactlyInAnyOrder(0, 1, 2);
        assertThatThrownBy(() -> new BatchSampling(10, 0.5)).hasMessageContaining("at least one machine");
    }

    /**
     * "workers do not reply immediately to probes and instead place a reservation for the task at the end of a queue"
     * (3.3).
     */
    @Test
    void lateBinding_givesTheTasksToTheFirstThatAsk() {
        LateBinding job = new LateBinding(2);
        assertThat(job.ask()).hasValue(0);
        assertThat(job.ask()).hasValue(1);
        assertThat(job.ask()).isEmpty();
    }
}
