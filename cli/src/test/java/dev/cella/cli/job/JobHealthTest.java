package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.Check;
import dev.cella.client.proto.Group;
import dev.cella.client.proto.GroupStatus;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.TaskCounts;
import dev.cella.client.proto.Update;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobHealthTest {
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");
    private static final Group CHECKED =
            Group.newBuilder().setCheck(Check.newBuilder().addCommand("true")).build();

    private final JobHealth health = new JobHealth();

    @Test
    void serviceWithoutACheck_isHealthyWhenAllOfItRuns() {
        assertThat(left(0, service(Group.getDefaultInstance(), 1, 1))).isZero();
    }

    @Test
    void serviceWithACheck_isHealthyWhenItHasRunForTenSeconds() {
        assertThat(left(0, service(CHECKED, 1, 1))).isEqualTo(10);
        assertThat(left(4, service(CHECKED, 1, 1))).isEqualTo(6);
        assertThat(left(11, service(CHECKED, 1, 1))).isZero();
    }

    @Test
    void updateOfTheGroup_saysHowLong() {
        Update update = Update.newBuilder()
                .setHealthyAfter(com.google.protobuf.Duration.newBuilder().setSeconds(30))
                .build();
        assertThat(left(0, service(CHECKED.toBuilder().setUpdate(update).build(), 1, 1)))
                .isEqualTo(30);
    }

    @Test
    void serviceWithoutACheck_thatWasUpdated_isHealthyWhenItHasRunForTenSeconds() {
        health.updated();
        assertThat(left(0, service(Group.getDefaultInstance(), 1, 2))).isEqualTo(10);
        assertThat(left(10, service(Group.getDefaultInstance(), 1, 2))).isZero();
    }

    /** As when somebody waits for an update that was submitted before. */
    @Test
    void serviceThatIsSeenUnderUpdate_isHealthyWhenItHasRunForTenSeconds() {
        JobProgress updated = service(Group.getDefaultInstance(), 1, 2);
        JobStatus said =
                updated.job().toBuilder().setUpdate("0 of 1 tasks are healthy").build();
        assertThat(left(0, new JobProgress(said))).isEqualTo(10);
        assertThat(left(9, updated)).isEqualTo(1);
    }

    @Test
    void serviceThatIsPartlyOutdated_isHealthyWhenAllOfItHasRunForTenSeconds() {
        JobProgress updated = service(Group.getDefaultInstance(), 1, 2);
        JobStatus before = updated.job().toBuilder().setOutdated(1).build();
        assertThat(left(0, new JobProgress(before))).isZero();
        assertThat(left(3, updated)).isEqualTo(10);
    }

    /** The client may not have seen that the task did not run meanwhile. */
    @Test
    void taskThatWasStartedAgain_beginsTheTimeAgain() {
        left(0, service(CHECKED, 1, 1));
        assertThat(left(9, service(CHECKED, 1, 2))).isEqualTo(10);
        assertThat(left(12, service(CHECKED, 0, 2))).isZero();
        assertThat(left(15, service(CHECKED, 1, 2))).isEqualTo(10);
    }

    @Test
    void serviceWhoseChecksHavePassed_isHealthyAtOnce() {
        assertThat(left(0, checked(0, CHECKED))).isZero();
        assertThat(checked(0, CHECKED).awaitsChecks()).isTrue();
        assertThat(left(3, checked(1, CHECKED))).isZero();
        assertThat(checked(1, CHECKED).awaitsChecks()).isFalse();
    }

    @Test
    void updateThatSaysHowLong_countsItFromTheCheckThatPassed() {
        Update update = Update.newBuilder()
                .setHealthyAfter(com.google.protobuf.Duration.newBuilder().setSeconds(30))
                .build();
        Group group = CHECKED.toBuilder().setUpdate(update).build();
        left(0, checked(0, group));
        assertThat(left(20, checked(1, group))).isEqualTo(30);
        assertThat(left(50, checked(1, group))).isZero();
    }

    @Test
    void serviceThatAwaitsItsChecks_saysSo() {
        assertThat(checked(0, CHECKED).describe()).contains("1 running, 1 unchecked");
        assertThat(checked(0, CHECKED).shortfall()).contains("1 of 1 task have not passed");
    }

    private static JobProgress checked(int checked, Group group) {
        JobStatus.Builder job = service(group.toBuilder().setName("main").build(), 1, 1).job().toBuilder();
        job.getGroupsBuilder(0).setChecked(checked).setUnchecked(1 - checked);
        return new JobProgress(job.build());
    }

    private long left(int second, JobProgress progress) {
        health.saw(progress, START.plusSeconds(second));
        Duration left = health.left(progress, START.plusSeconds(second));
        return left.toSeconds();
    }

    private static JobProgress service(Group group, int running, int attempts) {
        return new JobProgress(JobStatus.newBuilder()
                .setName("web")
                .setType(JobType.JOB_TYPE_SERVICE)
                .setState(JobState.JOB_STATE_RUNNING)
                .setAttempts(attempts)
                .addGroups(GroupStatus.newBuilder().setName("main").setCount(1))
                .setTasks(TaskCounts.newBuilder().setRunning(running).setPending(1 - running))
                .setSpecification(Job.newBuilder().addGroups(group))
                .build());
    }
}
