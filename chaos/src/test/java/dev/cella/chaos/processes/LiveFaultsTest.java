package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.scenario.FaultKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveFaultsTest {
    @Test
    void killOfAProcessThatHasEnded_isVoid() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        ProcessFault kill = LiveFaults.fault(FaultKind.REPLICA_KILL, List.of(ended.pid()));
        kill.begin();
        kill.heal();
        assertThat(kill.whyVoid(1)).isEqualTo("it was not running");
    }

    @Test
    void killOfAProcess_endsIt() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        ProcessFault kill = LiveFaults.fault(FaultKind.REPLICA_KILL, List.of(process.pid()));
        kill.begin();
        process.waitFor();
        assertThat(kill.whyVoid(1)).isEmpty();
    }
}
