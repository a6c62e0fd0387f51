package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KeeperMainTest {
    private final List<Process> keepers = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void stop() throws Exception {
        for (Process keeper : keepers) {
            keeper.destroyForcibly().waitFor();
        }
    }

    private Process start() throws IOException {
        Process keeper = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KeeperMain.class.getName(),
                        socket().toString(),
                        folder.resolve("attempts").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        keepers.add(keeper);
        return keeper;
    }

    private Path socket() {
        return folder.resolve("keeper.sock");
    }

    private boolean answers() throws IOException {
        if (!Files.exists(socket())) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket()));
        }
    }

    @Test
    void twoKeepersOfOneDataDirectory_oneStays() throws Exception {
        start();
        start();
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(
                                keepers.stream().filter(Process::isAlive).count())
                        .isEqualTo(1));
        await().atMost(Duration.ofMinutes(1)).until(this::answers);
    }
}
