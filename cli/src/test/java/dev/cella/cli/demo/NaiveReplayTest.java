package dev.cella.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskState;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the replay finds what is planted: a check that cannot fail says nothing. */
final class NaiveReplayTest {
    private static final Amounts CAPACITY = Amounts.of(1000, 4096);
    private static final Amounts HALF = Amounts.of(500, 1024);

    private final NaiveReplay replay = new NaiveReplay();

    @BeforeEach
    void aMachine() {
        replay.version(1);
        replay.machine("m-1", CAPACITY, CAPACITY);
        replay.machine("m-2", CAPACITY, CAPACITY);
    }

    @Test
    void tasksThatComeAndGo_areRight() {
        replay.version(2);
        place(0, "m-1", 2);
        replay.machine("m-1", CAPACITY, Amounts.of(500, 3072));
        replay.version(3);
        end(0, TaskState.FINISHED);
        replay.machine("m-1", CAPACITY, CAPACITY);
        replay.version(4);
        place(0, "m-2", 4);
        replay.machine("m-2", CAPACITY, Amounts.of(500, 3072));

        assertThat(replay.violation()).isEmpty();
        assertThat(replay.versions()).isEqualTo(4);
    }

    @Test
    void moreThanAMachineHas_isFound() {
        replay.version(2);
        for (int index = 0; index < 3; index++) {
            place(index, "m-1", 2);
        }
        replay.machine("m-1", CAPACITY, Amounts.of(0, 1024));

        assertThat(replay.violation()).contains("version 2: m-1 has 1000 and its tasks hold 1500");
    }

    @Test
    void aTaskInTwoPlaces_isFound() {
        replay.version(2);
        place(0, "m-1", 2);
        replay.machine("m-1", CAPACITY, Amounts.of(500, 3072));
        replay.version(3);
        place(0, "m-2", 3);
        replay.machine("m-2", CAPACITY, Amounts.of(500, 3072));

        assertThat(replay.violation().orElseThrow())
                .startsWith("version 3: task ")
                .endsWith("is on m-2 and still on m-1");
    }

    @Test
    void aMachineThatSaysWrongWhatIsFree_isFound() {
        replay.version(2);
        place(0, "m-1", 2);

        replay.version(3);

        assertThat(replay.violation()).contains("version 2: m-1 says that 1000 are free, and 500 are");
    }

    @Test
    void aVersionThatIsMissing_isFound() {
        replay.version(3);

        assertThat(replay.violation()).contains("version 3 follows 1");
    }

    private void place(int index, String machine, long version) {
        replay.task(
                task(index),
                TaskState.PLACED,
                Optional.of(machine),
                HALF,
                Optional.of(new PlacementId(version, index)));
    }

    private void end(int index, TaskState state) {
        replay.task(task(index), state, Optional.of("m-1"), HALF, Optional.of(new PlacementId(2, index)));
    }

    private static TaskId task(int index) {
        return new TaskId(new JobId(1), 0, index);
    }
}
