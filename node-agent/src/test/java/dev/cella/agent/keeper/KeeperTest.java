package dev.cella.agent.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class KeeperTest {
    @TempDir
    Path folder;

    @Test
    void argumentWithAnyLetters_underAnAgentWhoseLocaleIsAscii_reachesItsTaskAsItIs() throws Exception {
        ProcessBuilder agent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintingAgentMain.class.getName(),
                        folder.toString())
                .inheritIO();
        agent.environment().put("LC_ALL", "C");
        assertThat(agent.start().waitFor()).isZero();
        assertThat(Files.readString(folder.resolve("attempt/stdout.0"))).isEqualTo(PrintingAgentMain.TEXT);
    }
}
