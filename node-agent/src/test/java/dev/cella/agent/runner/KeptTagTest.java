package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.Launch;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptTagTest {
    private static KeptTag tag(boolean spare) {
        Assignment assignment = new Assignment(new PlacementId(9, 0), new TaskId(new JobId(7), 0, 3), 1, 1);
        GroupRun run = new GroupRun("hello", "main", List.of("true"), Map.of(), Optional.empty(), 1_000);
        return new KeptTag("m-1", new Launch(assignment, run, Map.of(), spare));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void read_isWhatWasWritten(boolean spare) {
        assertThat(KeptTag.read(tag(spare).bytes())).contains(tag(spare));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tagOfAnAgentThatKnewNoSpareWork_isRead(boolean spare) {
        byte[] bytes = tag(spare).bytes();
        assertThat(KeptTag.read(Arrays.copyOf(bytes, bytes.length - 1))).contains(tag(false));
    }
}
