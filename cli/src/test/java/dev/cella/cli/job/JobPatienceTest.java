package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.TaskCounts;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobPatienceTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final JobPatience patience = new JobPatience(Duration.ofMinutes(5), START);

    @Test
    void service_withOneOfSixTasksPlaced_isGivenUp() {
        saw(0, service(0, 6, 0));
        saw(10, service(1, 5, 0));
        saw(200, service(1, 5, 0));

        assertThat(isOver(309)).isFalse();
        assertThat(isOver(310)).isTrue();
    }

    @Test
    void service_whoseTasksCrashAgainAndAgain_isGivenUp() {
        saw(0, service(0, 2, 0));
        saw(10, service(2, 0, 0));
        for (int second = 20; second < 310; second += 10) {
            saw(second, service(second % 20 == 0 ? 1 : 2, second % 20 == 0 ? 1 : 0, 0));
        }

        assertThat(isOver(310)).isTrue();
    }

    @Test
    void service_ofWhichMoreAndMoreRuns_isWaitedFor() {
        for (int minute = 0; minute < 20; minute++) {
            saw(60 * minute, service(minute, 20 - minute, 0));
        }

        assertThat(isOver(60 * 20)).isFalse();
    }

    @Test
    void batchJob_withATaskOnAMachine_isWaitedForHoweverLongItRuns() {
        saw(0, batch(1, 5));
        saw(3_000, batch(1, 5));

        assertThat(isOver(3_100)).isFalse();
    }

    @Test
    void batchJob_withNothingOnAMachine_isGivenUp() {
        saw(0, batch(0, 6));
        saw(299, batch(0, 6));

        assertThat(isOver(299)).isFalse();
        assertThat(isOver(300)).isTrue();
    }

    private void saw(int second, JobStatus job) {
        patience.saw(new JobProgress(job), START.plusSeconds(second));
    }

    private boolean isOver(int second) {
        return patience.isOver(START.plusSeconds(second));
    }

    private static JobStatus service(long running, long pending, long failed) {
        return job(JobType.JOB_TYPE_SERVICE, running, pending, failed);
    }

    private static JobStatus batch(long running, long pending) {
        return job(JobType.JOB_TYPE_BATCH, running, pending, 0);
    }

    private static JobStatus job(JobType type, long running, long pending, long failed) {
        return JobStatus.newBuilder()
                .setName("web")
                .setType(type)
                .setState(JobState.JOB_STATE_RUNNING)
                .setTasks(TaskCounts.newBuilder()
                        .setRunning(running)
                        .setPending(pending)
                        .setFailed(failed))
                .addGroups(GroupStatus.newBuilder().setCount(running + pending + failed))
                .build();
    }
}
