package dev.cella.cli.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.DrainMove;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineStatus;
import dev.cella.client.proto.Task;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainPreviewTest {
    private static Task task(String name, long cpuMilli) {
        return Task.newBuilder()
                .setTask(name)
                .putResources("cpuMilli", cpuMilli)
                .build();
    }

    private static Machine machine(String name, MachineStatus status, long cpuMilli) {
        return Machine.newBuilder()
                .setName(name)
                .setStatus(status)
                .putFree("cpuMilli", cpuMilli)
                .build();
    }

    @Test
    void eachTask_getsRoomThatNoOtherHas_onReadyMachinesAlone() {
        List<DrainMove> moves = DrainPreview.of(
                "m-1",
                List.of(task("small", 100), task("large", 900), task("huge", 5_000)),
                List.of(
                        machine("m-1", MachineStatus.MACHINE_STATUS_READY, 9_000),
                        machine("m-2", MachineStatus.MACHINE_STATUS_DRAINED, 9_000),
                        machine("m-3", MachineStatus.MACHINE_STATUS_READY, 950),
                        machine("m-4", MachineStatus.MACHINE_STATUS_READY, 100)));

        assertThat(moves)
                .extracting(move -> move.getTask() + " " + (move.hasMachine() ? move.getMachine() : "none"))
                .containsExactly("huge none", "large m-3", "small m-4");
    }
}
