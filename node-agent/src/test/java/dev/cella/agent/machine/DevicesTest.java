package dev.cella.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevicesTest {
    @TempDir
    Path root;

    @Test
    void members_areTheNumbersOfTheDevices_andNothingElse() throws Exception {
        Path dev = Files.createDirectory(root.resolve("dev"));
        for (String name : List.of("nvidia0", "nvidia1", "nvidia3", "nvidiactl", "nvidia-uvm", "null")) {
            Files.createFile(dev.resolve(name));
        }
        assertThat(Devices.FOUND.members(root)).containsExactlyEntriesOf(Map.of("gpus", "0-1,3"));
    }

    @Test
    void members_withoutDevices_areNone() {
        assertThat(Devices.FOUND.members(root)).isEmpty();
    }

    @Test
    void files_areThePathsOfTheNumbersThatATaskHolds() {
        Devices devices = Devices.FOUND.with("fpgas", "/dev/fpga0-3").with("cards", "/dev/dri/renderD128-131");
        assertThat(Devices.numbersIn("/dev/dri/renderD128-131")).isEqualTo("128-131");
        assertThat(devices.files(Map.of("fpgas", "1-2", "ports", "20000")))
                .containsExactly(Path.of("/dev/fpga1"), Path.of("/dev/fpga2"));
        assertThat(devices.files(Map.of("cards", "130"))).containsExactly(Path.of("/dev/dri/renderD130"));
        assertThat(devices.files(Map.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/fpga", "/etc/fpga0", "/dev/fpga0-", "/dev/../etc/x0-1"})
    void with_pathsThatNameNoDevices_isRefused(String members) {
        assertThatThrownBy(() -> Devices.none().with("fpgas", members)).hasMessageContaining("/dev/fpga0-3");
    }
}
