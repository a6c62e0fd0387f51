package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.agent.keeper.OwnFiles;
import dev.cella.agent.machine.MachineCapacity;
import dev.cella.agent.runner.WorkFolders;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineOptionsTest {
    private static final MachineOptions MACHINE = MachineOptions.hollow("m", new MachineCapacity(1_000, 1_024, 0));

    @Test
    void withMembers_takesNumbersAndPathsOfDevices() {
        MachineOptions more = MACHINE.withMembers(Map.of("ports", "8080, 8000-8001", "fpgas", "/dev/fpga0-3"));
        assertThat(more.members()).containsEntry("ports", "8000-8001,8080").containsEntry("fpgas", "0-3");
    }

    /** An agent's data may be on another disk than the work of its tasks. */
    @Test
    void thisMachine_asksForTheDiskThatTasksWorkOn() throws Exception {
        Path data = Path.of("/srv/cella");
        Path expected = OwnFiles.userId().equals(0)
                ? Path.of("/var/tmp/cella-work-" + Integer.toHexString("/srv/cella".hashCode()))
                : Path.of("/srv/cella/work");
        assertThat(WorkFolders.root(data)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "", "1-2-3", "70000", "3,3", "/dev/null"})
    void withMembers_thatNameNone_isRefused(String members) {
        assertThatThrownBy(() -> MACHINE.withMembers(Map.of("fpgas", members)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
