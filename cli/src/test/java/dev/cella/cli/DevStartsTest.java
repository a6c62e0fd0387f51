package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code cella dev --replicas 3}, started again and again on the same port and data. Every third start comes right after a
 * Ctrl-C of the former dev, which is still stopping then. {@code -Dcella.devStarts=30} is the long form.
 */
@EnabledOnOs(OS.LINUX)
final class DevStartsTest {
    private static final int STARTS = Integer.getInteger("cella.devStarts", 2);
    private static final int EACH_AFTER_INTERRUPT = STARTS <= 2 ? 1 : 3;

    @TempDir
    private Path home;

    @Test
    @Timeout(3_600)
    void dev_ofThreeReplicas_isReadyAtEveryStart() throws Exception {
        Deque<DevProcess> stopping = new ArrayDeque<>();
        try {
            DevProcess dev = start("0");
            String port = Integer.toString(dev.port());
            for (int start = 1; start < STARTS; start++) {
                dev.interrupt();
                stopping.add(dev);
                if ((start - 1) % EACH_AFTER_INTERRUPT != 0) {
                    dev.exitCode();
                }
                dev = start(port);
            }
            stopping.add(dev);
            dev.stop();
            for (DevProcess former : stopping) {
                former.exitCode();
            }
        } finally {
            stopping.forEach(DevProcess::close);
        }
    }

    private DevProcess start(String port) throws IOException {
        DevProcess dev = DevProcess.start(home, "--port", port, "--replicas", "3", "--machines", "20");
        assertThat(dev.lines())
                .as("what dev printed: %s", dev.lines())
                .last()
                .asString()
                .startsWith("next:");
        return dev;
    }
}
