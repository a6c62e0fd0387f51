package dev.cella.cli.part;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartLogTest {
    private final LoggerContext context = new LoggerContext();

    @TempDir
    private Path folder;

    @BeforeEach
    void beginLog() {
        context.setMDCAdapter(new LogbackMDCAdapter());
    }

    @AfterEach
    void stopLog() {
        context.stop();
    }

    @Test
    void configure_isAskedByTheLibrary() {
        assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(PartLog.class);
    }

    @Test
    void configure_withAFile_writesLinesOfOperatorsThere() throws Exception {
        Path file = folder.resolve("dev.log");
        PartLog.configure(context, PartLog.file(context, file));

        context.getLogger("dev.cella.state.core.Replica").info("r1 leads");
        context.getLogger("dev.cella.state.core.Replica").debug("nobody reads it");
        context.getLogger("org.apache.ratis.server.RaftServer").info("nobody reads it either");
        context.getLogger("org.apache.ratis.util.LifeCycle").warn("told by another line", new Exception("gone"));
        context.getLogger("dev.cella.agent.NodeAgent").error("no agent", new IllegalStateException("no room"));

        assertThat(Files.readAllLines(file).subList(0, 4))
                .satisfiesExactly(
                        line -> assertThat(line).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]{12}Z INFO  Replica r1 leads"),
                        line -> assertThat(line).endsWith("Z ERROR NodeAgent no agent"),
                        line -> assertThat(line).isEqualTo("java.lang.IllegalStateException: no room"),
                        line -> assertThat(line).contains("at dev.cella.cli.part.PartLogTest"));
    }

    @Test
    void configure_withAFullFile_renamesItAndGoesOn() {
        Path file = folder.resolve("dev.log");
        PartLog.configure(context, PartLog.file(context, file));
        String long1MiB = "x".repeat(1 << 20);

        for (int i = 0; i < 25; i++) {
            context.getLogger("dev.cella.Big").info(long1MiB);
        }

        assertThat(folder).isDirectoryContaining(path -> path.endsWith("dev.log.1"));
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("dev.log", "dev.log.1");
    }
}
