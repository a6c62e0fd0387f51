package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.Machine;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LargestMachineTest {
    private final LargestMachine cell =
            new LargestMachine(List.of(machine("wide", 8000, 1024), machine("deep", 2000, 65_536)));

    @Test
    void tooSmallFor_whatOneMachineHolds_saysNothing() {
        assertThat(cell.tooSmallFor(job(8000, 1024))).isEmpty();
    }

    @Test
    void tooSmallFor_moreThanTheLargest_namesAskedAndLargest() {
        assertThat(cell.tooSmallFor(job(16_000, 512)))
                .containsExactly("group main asks 16000 cpuMilli a task, and the largest machine, wide, has 8000");
    }

    @Test
    void tooSmallFor_whatNoMachineHasTogether_saysSo() {
        assertThat(cell.tooSmallFor(job(8000, 65_536)))
                .containsExactly("group main asks {cpuMilli=8000, memoryMib=65536} a task, and no machine has all of"
                        + " that together");
    }

    @Test
    void tooSmallFor_aCellWithoutMachines_saysNothing() {
        assertThat(new LargestMachine(List.of()).tooSmallFor(job(1, 1))).isEmpty();
    }

    private static Machine machine(String name, long cpuMilli, long memoryMib) {
        return Machine.newBuilder()
                .setName(name)
                .putCapacity("cpuMilli", cpuMilli)
                .putCapacity("memoryMib", memoryMib)
                .build();
    }

    private static Job job(long cpuMilli, long memoryMib) {
        return Job.newBuilder()
                .addGroups(Group.newBuilder()
                        .setName("main")
                        .putResources("cpuMilli", cpuMilli)
                        .putResources("memoryMib", memoryMib))
                .build();
    }
}
