package dev.cella.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class MainTest {
    private static Properties after(Properties given, int processors) {
        Main.useCommonPool(given, processors);
        return given;
    }

    @Test
    void useCommonPool_fewProcessors_hasTwoWorkers() {
        assertThat(after(new Properties(), 1)).containsEntry(Main.COMMON_POOL, "2");
        assertThat(after(new Properties(), 2)).containsEntry(Main.COMMON_POOL, "2");
    }

    @Test
    void useCommonPool_more_isLeftToTheJvm() {
        assertThat(after(new Properties(), 3)).isEmpty();
    }

    @Test
    void useCommonPool_givenByHand_stays() {
        Properties given = new Properties();
        given.setProperty(Main.COMMON_POOL, "1");
        assertThat(after(given, 2)).containsEntry(Main.COMMON_POOL, "1");
    }

    @Test
    void leaveOutAtStart_givenByHand_stays() {
        Properties given = new Properties();
        given.setProperty("io.netty.jfr.enabled", "true");
        Main.leaveOutAtStart(given);
        assertThat(given)
                .containsEntry("io.netty.jfr.enabled", "true")
                .containsEntry("com.linecorp.armeria.warnNettyVersions", "false");
    }
}
