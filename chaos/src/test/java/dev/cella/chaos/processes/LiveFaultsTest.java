package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cella.chaos.scenario.FaultKind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LiveFaultsTest {
    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void killOfAProcessThatHasEnded_isVoid() throws Exception {
        Process ended = start("true");
        ended.waitFor();
        ProcessFault kill = LiveFaults.fault(FaultKind.REPLICA_KILL, List.of(live(ended)));
        kill.begin();
        kill.heal();
        assertThat(kill.whyVoid(1)).isEqualTo("it was not running");
    }

    @Test
    void killOfAProcess_endsIt() throws Exception {
        Process process = start("sleep", "1000");
        ProcessFault kill = LiveFaults.fault(FaultKind.REPLICA_KILL, List.of(live(process)));
        kill.begin();
        process.waitFor();
        assertThat(kill.whyVoid(1)).isEmpty();
    }

    @Test
    void killOfAProcess_itsCopyIsBack_whenItAllowsFaults() throws Exception {
        Process process = start("sleep", "1000");
        LiveProcess live = killed(process);
        assertThat(live.isBack()).isFalse();
        long copy = copyOf(live);
        assertThat(live.isBack()).isFalse();
        assertThat(live.isLost()).isFalse();
        allow(copy);
        assertThat(live.isBack()).isTrue();
        assertThat(live.successorInWords()).hasValue("r1 runs again as process " + copy + ": its output is lost");
        ProcessHandle.of(copy).orElseThrow().destroyForcibly();
    }

    /** A second process would only contend for the directory of the first, or start outside the unit. */
    @Test
    void killOfAProcess_thatItsSupervisorStartsAgain_startsNone() throws Exception {
        LiveProcess live = killed(start("sleep", "1000"));
        Process supervised = start("sleep", "1000");
        allow(supervised.pid());
        live.startAgain(ProcessFault.on("r1"));
        assertThat(live.isBack()).isTrue();
        assertThat(live.successorInWords())
                .hasValue("r1 runs again as process " + supervised.pid() + ": its supervisor has started it");
    }

    @Test
    void killOfAProcess_whoseCopyEndsAtOnce_losesIt() throws Exception {
        Path lives = Files.createFile(folder.resolve("lives"));
        Process process = start("sh", "-c", "while test -e '" + lives + "'; do sleep 0.1; done");
        LiveProcess live = killed(process);
        Files.delete(lives);
        live.startAgain(ProcessFault.on("r1"));
        await().until(live::isLost);
        assertThat(live.successorInWords()).isEmpty();
    }

    @Test
    void squeeze_isVoid_unlessItsProcessStands() throws Exception {
        Process ended = start("true");
        ended.waitFor();
        assertThat(squeezed(ended).whyVoid(1_000)).isEqualTo("the kernel never showed it stopped");
        assertThat(squeezed(start("sleep", "1000")).whyVoid(1_000)).isEmpty();
    }

    private ProcessFault squeezed(Process process) {
        LiveProcess live = live(process);
        ProcessFault squeeze = LiveFaults.fault(FaultKind.SQUEEZE, List.of(live));
        squeeze.begin();
        for (int turn = 0; turn < 20; turn++) {
            squeeze.keepUp(turn);
        }
        squeeze.heal();
        return squeeze;
    }

    private LiveProcess killed(Process process) throws Exception {
        allow(process.pid());
        LiveProcess live = live(process);
        live.keepDown(ProcessFault.on("r1"));
        process.waitFor();
        return live;
    }

    private static long copyOf(LiveProcess live) {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        live.startAgain(ProcessFault.on("r1"));
        return ProcessHandle.current()
                .children()
                .filter(each -> !before.contains(each))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }

    private LiveProcess live(Process process) {
        return LiveProcess.of(List.of(process.pid()), new LiveTargets(folder)).get(0);
    }

    /** A process that started a second later has the number of one that has ended. */
    @Test
    void targets_areKnownByTheirStart_inTicksOfTheMachine() throws Exception {
        long pid = start("sleep", "1000").pid();
        allow(pid, LiveTarget.startTicksOf(pid) - 100);
        assertThat(new LiveTargets(folder).all()).isEmpty();
        allow(pid);
        assertThat(new LiveTargets(folder).all()).extracting(LiveTarget::pid).containsExactly(pid);
    }

    /** As a server does that was started with {@code --chaos}. */
    private void allow(long pid) throws IOException {
        allow(pid, LiveTarget.startTicksOf(pid));
    }

    private void allow(long pid, long startTicks) throws IOException {
        LiveTarget target = new LiveTarget(
                pid,
                startTicks,
                Set.of(LiveTarget.Role.SERVER),
                "r1",
                List.of(URI.create("http://127.0.0.1:7070")),
                false);
        var unused = new LiveTargets(folder).allow(target);
    }
}
