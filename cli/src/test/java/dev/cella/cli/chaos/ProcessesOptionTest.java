package dev.cella.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cella.chaos.processes.CouldNotRunException;
import dev.cella.chaos.scenario.FaultKind;
import dev.cella.chaos.scenario.PlannedFault;
import dev.cella.cli.terminal.CommandFailure;
import dev.cella.cli.terminal.TypedCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesOptionTest {
    private static final PlannedFault CUT = new PlannedFault(FaultKind.CUT, "leader", 0, 1);
    private static final PlannedFault KILL = new PlannedFault(FaultKind.REPLICA_KILL, "leader", 0, 1);

    @TempDir
    private Path home;

    @Test
    void cellThatDoesNotStart_endsTheCommandInWords() {
        CommandFailure failure = catchThrowableOfType(
                CommandFailure.class,
                () -> ChaosFailure.inWords(() -> {
                    throw new CouldNotRunException("the processes of the cell were not ready after 120 s");
                }));
        assertThat(failure.errors()).containsExactly("the processes of the cell were not ready after 120 s");
        assertThat(failure.hint()).contains("busy");
    }

    @Test
    void machineCanDoSomeOfTheFaults_saysWhichWillBeVoid_andWhatIsMissing() {
        TypedCommand typed = new TypedCommand(home);
        ProcessesOption.checkPossible(List.of(CUT, KILL), Map.of(FaultKind.CUT, "run it as root"), typed.terminal());
        assertThat(typed.err()).isEqualTo("note:  cut will be VOID: run it as root\n");
    }

    @Test
    void machineCanDoNoneOfTheFaults_nothingStarts() {
        TypedCommand typed = new TypedCommand(home);
        CommandFailure failure = catchThrowableOfType(
                CommandFailure.class,
                () -> ProcessesOption.checkPossible(
                        List.of(CUT), Map.of(FaultKind.CUT, "run it as root"), typed.terminal()));
        assertThat(failure.exitCode().number()).isEqualTo(ChaosExit.COULD_NOT_RUN.number());
        assertThat(failure.errors())
                .containsExactly("no fault of this scenario can be injected among processes on this machine");
        assertThat(typed.err()).isEqualTo("note:  cut will be VOID: run it as root\n");
    }
}
