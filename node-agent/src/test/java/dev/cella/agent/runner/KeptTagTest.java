package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.reconciler.GroupRun;
import dev.cella.agent.reconciler.HealthCheck;
import dev.cella.agent.reconciler.HomeTask;
import dev.cella.agent.reconciler.IsolationLevel;
import dev.cella.agent.reconciler.Launch;
import dev.cella.agent.reconciler.RunSettings;
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
    private static final RunSettings EVERYTHING = new RunSettings(
            Optional.of("nobody"),
            "INT",
            60_000,
            IsolationLevel.FULL,
            Optional.of("docker.io/library/redis"),
            Map.of("cpuMilli", 500L),
            Map.of("http", 0L),
            Optional.of(new HealthCheck(HealthCheck.Kind.HTTP, List.of("/healthz"), "http", 10_000, 2_000, 3)),
            true,
            true,
            true,
            true,
            true,
            Optional.of(new HomeTask("web", "main", 3, 2)));

    private static KeptTag tag(RunSettings settings, boolean spare) {
        Assignment assignment = new Assignment(new PlacementId(9, 0), new TaskId(new JobId(7), 0, 3), 1, 1);
        GroupRun run =
                new GroupRun("hello", "main", List.of("true"), Map.of("A", "b"), Optional.of("/srv"), 1_000, settings);
        return new KeptTag("m-1", new Launch(assignment, run, Map.of("ports", "20000"), spare));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void read_isWhatWasWritten(boolean spare) {
        for (RunSettings settings : List.of(RunSettings.PLAIN, EVERYTHING)) {
            assertThat(KeptTag.read(tag(settings, spare).bytes())).contains(tag(settings, spare));
        }
    }

    /** A tag without a home task ends with the spare work and a byte for the home, each of which an older one does not have. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tagOfAnOlderAgent_isRead(boolean spare) {
        byte[] bytes = tag(RunSettings.PLAIN, spare).bytes();
        assertThat(KeptTag.read(Arrays.copyOf(bytes, bytes.length - 1))).contains(tag(RunSettings.PLAIN, spare));
        assertThat(KeptTag.read(Arrays.copyOf(bytes, bytes.length - 2))).contains(tag(RunSettings.PLAIN, false));
    }
}
