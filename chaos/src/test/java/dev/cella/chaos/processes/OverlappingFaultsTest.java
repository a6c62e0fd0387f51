package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two faults at once on one process: the end of the first does not heal the second. */
class OverlappingFaultsTest {
    @TempDir
    private Path folder;

    private List<Part> parts = List.of();

    @BeforeEach
    void start() {
        parts = List.of(new Part(Part.Role.SERVER, "r1", 1, List.of("sleep", "1000"), Map.of(), folder));
    }

    @AfterEach
    void end() {
        part().kill();
    }

    private Part part() {
        return parts.get(0);
    }

    @Test
    void killedTwice_startsAfterTheSecondIsHealed() {
        ProcessFault first = begun(SignalFaults.kill(parts));
        ProcessFault second = begun(SignalFaults.kill(parts));
        first.heal();
        assertThat(part().isAlive()).isFalse();
        second.heal();
        assertThat(part().isAlive()).isTrue();
    }

    @Test
    void restartedWhileKilled_staysDown() {
        ProcessFault kill = begun(SignalFaults.kill(parts));
        part().restart();
        assertThat(part().isAlive()).isFalse();
        kill.heal();
        assertThat(part().isAlive()).isTrue();
    }

    @Test
    void pausedTwice_continuesAfterTheSecondIsHealed() {
        ProcessFault first = begun(SignalFaults.pause(parts, 0));
        ProcessFault second = begun(SignalFaults.pause(parts, 0));
        first.heal();
        awaitPaused(true);
        second.heal();
        awaitPaused(false);
    }

    @Test
    void squeezedWhilePaused_isPausedAllTheTime() {
        ProcessFault pause = begun(SignalFaults.pause(parts, 0));
        ProcessFault squeeze = begun(SignalFaults.squeeze(parts));
        for (int turn = 0; turn < 4; turn++) {
            squeeze.keepUp(turn);
            awaitPaused(true);
        }
        squeeze.heal();
        awaitPaused(true);
        pause.heal();
        awaitPaused(false);
    }

    @Test
    void runIsOver_everyFaultIsHealed() {
        begun(SignalFaults.pause(parts, 0));
        begun(SignalFaults.kill(parts));
        part().heal();
        assertThat(part().isAlive()).isTrue();
        awaitPaused(false);
    }

    @Test
    void thing_isBrokenByItsFirstFault_andHealedByItsLast() {
        ProcessFault first = ProcessFault.on("disk");
        ProcessFault second = ProcessFault.on("disk");
        Holds<String> broken = new Holds<>();
        assertThat(broken.take("disk", first)).isTrue();
        assertThat(broken.take("disk", second)).isFalse();
        assertThat(broken.take("other disk", second)).isTrue();
        assertThat(broken.release("disk", first)).isFalse();
        assertThat(broken.release("disk", second)).isTrue();
    }

    private void awaitPaused(boolean paused) {
        await().until(() -> part().isPaused() == paused);
    }

    private static ProcessFault begun(ProcessFault fault) {
        fault.begin();
        return fault;
    }
}
