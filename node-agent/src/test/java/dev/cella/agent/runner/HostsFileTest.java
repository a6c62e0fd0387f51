package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsFileTest {
    @TempDir
    Path folder;

    @Test
    void write_overALinkOfTheTask_replacesTheLink_andLeavesItsTarget() throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        Files.createSymbolicLink(HostsFile.in(work), precious);
        HostsFile.write(work, "0 h m\n");
        assertThat(Files.readString(precious)).isEqualTo("precious");
        assertThat(Files.isRegularFile(HostsFile.in(work), LinkOption.NOFOLLOW_LINKS))
                .isTrue();
        assertThat(Files.readString(HostsFile.in(work))).isEqualTo("0 h m\n");
        try (var left = Files.list(folder)) {
            assertThat(left).hasSize(2);
        }
    }
}
