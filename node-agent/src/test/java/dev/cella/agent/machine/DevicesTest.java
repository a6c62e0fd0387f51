package dev.cella.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevicesTest {
    @TempDir
    Path root;

    @Test
    void find_takesTheNumbersOfTheDevices_andNothingElse() throws Exception {
        Path dev = Files.createDirectory(root.resolve("dev"));
        for (String name : List.of("nvidia0", "nvidia1", "nvidia3", "nvidiactl", "nvidia-uvm", "null")) {
            Files.createFile(dev.resolve(name));
        }
        assertThat(Devices.find(root)).containsExactlyEntriesOf(Map.of("gpus", "0-1,3"));
    }

    @Test
    void find_withoutDevices_findsNothing() {
        assertThat(Devices.find(root)).isEmpty();
    }
}
