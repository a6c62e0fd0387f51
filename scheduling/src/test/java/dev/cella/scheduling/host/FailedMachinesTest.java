package dev.cella.scheduling.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailedMachinesTest {
    private static final JobId JOB = new JobId(7);
    private static final JobId OTHER = new JobId(9);
    private static final MachineId M0 = new MachineId(1);
    private static final MachineId M1 = new MachineId(2);
    private static final CellTime NOW = new CellTime(1_000);
    private static final long HOUR_MILLIS = 3_600_000;

    private final FailedMachines failed = new FailedMachines();

    @Test
    void group_avoidsMachinesAfterTwoFailuresOfOneTask() {
        failed.failed(new TaskId(JOB, 0, 0), 1, M0, NOW);
        assertThat(failed.avoidedBy(JOB, 0, NOW)).isEmpty();
        failed.failed(new TaskId(JOB, 0, 0), 1, M0, NOW);
        assertThat(failed.avoidedBy(JOB, 0, NOW)).as("the same attempt").isEmpty();
        failed.failed(new TaskId(JOB, 0, 0), 2, M1, NOW);
        assertThat(failed.avoidedBy(JOB, 0, NOW)).containsExactlyInAnyOrder(M0, M1);
        assertThat(failed.avoidedBy(JOB, 1, NOW)).isEmpty();
    }

    @Test
    void failuresOfAnHourAgo_countNoMore() {
        CellTime later = NOW.plusMillis(HOUR_MILLIS - 1);
        CellTime anHourLater = NOW.plusMillis(HOUR_MILLIS);
        failed.failed(new TaskId(JOB, 0, 0), 1, M0, NOW);
        failed.failed(new TaskId(JOB, 0, 0), 2, M1, later);
        assertThat(failed.avoidedBy(JOB, 0, later)).containsExactlyInAnyOrder(M0, M1);
        assertThat(failed.avoidedBy(JOB, 0, anHourLater)).isEmpty();
        failed.failed(new TaskId(JOB, 0, 0), 3, M1, anHourLater);
        assertThat(failed.avoidedBy(JOB, 0, anHourLater)).containsExactly(M1);
    }

    /** The naive way reads the failures of all tasks. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void randomFailures_avoidWhatTheNaiveWaySays(long seed) {
        Random random = new Random(seed);
        List<List<Failure>> naive = new ArrayList<>();
        IntStream.range(0, 20).forEach(task -> naive.add(new ArrayList<>()));
        CellTime now = NOW;
        for (int step = 0; step < 2_000; step++) {
            now = now.plusMillis(random.nextInt((int) HOUR_MILLIS / 20));
            int index = random.nextInt(20);
            MachineId machine = new MachineId(1 + random.nextInt(30));
            naive.get(index).add(new Failure(machine, now));
            failed.failed(new TaskId(JOB, 0, index), naive.get(index).size(), machine, now);
            Set<MachineId> expected = new HashSet<>();
            for (List<Failure> failures : naive) {
                addAvoided(failures, now, expected);
            }
            assertThat(failed.avoidedBy(JOB, 0, now)).isEqualTo(expected);
            assertThat(failed.copy().avoidedBy(JOB, 0, now)).isEqualTo(expected);
        }
    }

    private record Failure(MachineId machine, CellTime at) {}

    private static void addAvoided(List<Failure> failures, CellTime now, Set<MachineId> avoided) {
        List<MachineId> recent = failures.subList(Math.max(0, failures.size() - 8), failures.size()).stream()
                .filter(failure -> now.millis() - failure.at().millis() < HOUR_MILLIS)
                .map(Failure::machine)
                .toList();
        if (recent.size() > 1) {
            avoided.addAll(recent);
        }
    }

    @Test
    void forget_takesAllGroupsOfTheJobAndNoOther() {
        for (int group = 0; group < 3; group++) {
            for (int attempt = 1; attempt <= 2; attempt++) {
                failed.failed(new TaskId(JOB, group, 5), attempt, M0, NOW);
                failed.failed(new TaskId(OTHER, group, 5), attempt, M1, NOW);
            }
        }
        FailedMachines copy = failed.copy();
        failed.forget(JOB);
        for (int group = 0; group < 3; group++) {
            assertThat(failed.avoidedBy(JOB, group, NOW)).isEmpty();
            assertThat(failed.avoidedBy(OTHER, group, NOW)).containsExactly(M1);
            assertThat(copy.avoidedBy(JOB, group, NOW)).containsExactly(M0);
        }
    }
}
