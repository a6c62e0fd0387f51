package dev.cella.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LastCheckTest {
    private final LastCheck check = new LastCheck();

    private static Launch launch(int placement, long cpuMilli, String ports) {
        RunSettings settings = new RunSettings(
                Optional.empty(),
                "TERM",
                0,
                IsolationLevel.NONE,
                Optional.empty(),
                Map.of("cpuMilli", cpuMilli),
                Map.of(),
                Optional.empty(),
                false,
                false,
                false,
                false,
                false);
        GroupRun run = new GroupRun("job", "main", List.of("true"), Map.of(), Optional.empty(), 0, settings);
        Assignment assignment =
                new Assignment(new PlacementId(placement, 0), new TaskId(new JobId(7), 0, placement), 1, 1);
        return new Launch(assignment, run, ports.isEmpty() ? Map.of() : Map.of("ports", ports), false);
    }

    private Optional<String> take(Launch launch) {
        return check.take(launch, dimension -> 1_000);
    }

    @Test
    void moreThanIsFree_isRefused_untilItIsReleased() {
        assertThat(take(launch(1, 700, ""))).isEmpty();
        assertThat(take(launch(2, 301, ""))).contains("it asks 301 cpuMilli, and 300 are free");
        assertThat(take(launch(3, 300, ""))).isEmpty();
        check.release(new PlacementId(1, 0));
        assertThat(take(launch(4, 700, ""))).isEmpty();
    }

    @Test
    void refusedAttempt_holdsNothing() {
        assertThat(take(launch(1, 1_001, "20000"))).isPresent();
        check.release(new PlacementId(1, 0));
        assertThat(take(launch(2, 1_000, "20000"))).isEmpty();
    }

    @Test
    void portOfAnother_isRefused() {
        check.adopt(launch(1, 100, "20000-20002"));
        assertThat(take(launch(2, 100, "20002-20003"))).contains("another attempt has ports 20002");
        check.release(new PlacementId(1, 0));
        assertThat(take(launch(3, 100, "20002-20003"))).isEmpty();
    }
}
