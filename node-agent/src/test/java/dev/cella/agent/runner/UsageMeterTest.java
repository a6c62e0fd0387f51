package dev.cella.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.agent.keeper.TaskGroup;
import dev.cella.agent.reconciler.Assignment;
import dev.cella.agent.runner.UsageMeter.Measured;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control group of version 2 is a folder with files, here ones that the test wrote. */
class UsageMeterTest {
    private static final long SECOND = 1_000_000_000;
    private static final Assignment TASK = new Assignment(new PlacementId(10, 0), new TaskId(new JobId(7), 0, 0), 1, 1);

    @TempDir
    Path folder;

    private final UsageMeter meter = new UsageMeter();

    private Measured measure(long cpuMillis, long memoryMib, int printed, long atNanos) throws IOException {
        Path group = Files.createDirectories(folder.resolve("group"));
        Path output = Files.createDirectories(folder.resolve("output"));
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.writeString(group.resolve("cpu.stat"), "usage_usec " + cpuMillis * 1_000 + "\nuser_usec 0\n");
        Files.writeString(group.resolve("memory.current"), (memoryMib << 20) + "\n");
        Files.write(output.resolve("stdout.0"), new byte[printed]);
        Files.write(work.resolve("file"), new byte[3 << 20]);
        TaskGroup of = new TaskGroup(true, List.of(group), List.of(), List.of(group));
        List<Measured> all = meter.measure(List.of(new UsageMeter.Subject(TASK, of, work, output, 0)), atNanos);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void rates_areSinceTheLastMeasurement_andTheMeanSinceTheStart() throws IOException {
        assertThat(measure(4_000, 64, 1_000, 10 * SECOND)).isEqualTo(new Measured(TASK, 400, 400, 64, 3, 100));
        assertThat(measure(6_000, 32, 1_600, 12 * SECOND)).isEqualTo(new Measured(TASK, 1_000, 500, 32, 3, 300));
    }

    @Test
    void attempt_afterAGapInItsMeasurements_beginsAgain() throws IOException {
        measure(4_000, 64, 0, 10 * SECOND);
        assertThat(meter.measure(List.of(), 11 * SECOND)).isEmpty();
        assertThat(measure(5_000, 64, 0, 20 * SECOND).cpuMilli()).isEqualTo(250);
    }
}
