package dev.cella.simulator.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.engine.InputSetUp;
import dev.cella.simulator.engine.RunParameters;
import dev.cella.simulator.workload.JobKind;
import dev.cella.simulator.workload.ReferenceCell;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.simulator.workload.Workload;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlocksTest {
    private static final int MACHINES = 40;
    private static final int REPLICAS = 3;

    @Test
    void replicas_areInTwoRacks_theSecondAndTheThirdTogether() {
        int machinesOfARack = MACHINES / 4;
        for (int[] block : blocks(4)) {
            assertThat(block[1] / machinesOfARack).isNotEqualTo(block[0] / machinesOfARack);
            assertThat(block[2] / machinesOfARack).isEqualTo(block[1] / machinesOfARack);
        }
    }

    /** Where the second's rack has no other machine, the third is anywhere. */
    @ParameterizedTest
    @ValueSource(ints = {21, 40, 100})
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void replicas_areFoundInRacksOfOneMachine(int racks) {
        assertThat(blocks(racks))
                .allSatisfy(block -> assertThat(Arrays.stream(block).distinct()).hasSize(REPLICAS));
    }

    private static List<int[]> blocks(int racks) {
        RunParameters run = RunParameters.of("fair", ReferenceCell.A)
                .withGeometry(new Geometry(MACHINES, 1000, 1024, 1000, 1024, 0))
                .withInput(new InputSetUp(JobKind.EXPONENTIAL, 1, racks, REPLICAS, 0, 0, 1));
        return new Blocks(run).of(new SimulatedJob(Workload.BATCH, 0, 0, 100, VirtualTime.nanos(1.0)));
    }
}
