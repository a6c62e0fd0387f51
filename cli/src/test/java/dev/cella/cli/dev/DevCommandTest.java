package dev.cella.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.Machine;
import org.junit.jupiter.api.Test;

class DevCommandTest {
    @Test
    void offersNoMemory_inASmallContainer_saysThatNothingFits() {
        assertThat(DevCommand.offersNoMemory(machine(0)))
                .hasValueSatisfying(note -> assertThat(note).contains("no task fits on it"));
        assertThat(DevCommand.offersNoMemory(machine(16))).isEmpty();
    }

    private static Machine machine(long memoryMib) {
        return Machine.newBuilder()
                .putCapacity("cpuMilli", 1_000)
                .putCapacity("memoryMib", memoryMib)
                .build();
    }
}
