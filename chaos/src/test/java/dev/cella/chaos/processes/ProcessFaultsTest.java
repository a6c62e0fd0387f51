package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessFaultsTest {
    @Test
    void pageOfChaos_saysHowMuchLongerAFaultMayLast() throws Exception {
        assertThat(Files.readString(Path.of("../docs/chaos.md")))
                .contains("lasts up to " + ProcessFaults.LONGER_MILLIS_MAX / 1_000 + " s longer");
    }
}
