package dev.cella.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.Timeline;
import dev.cella.client.proto.TimelineStep;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobHistoryTest {
    private static final String TASK = "j/main/0";

    private final JobStatus job =
            JobStatus.newBuilder().setName("j").setSubmittedVersion(10).build();

    private static TimelineStep.Builder step(long version, String step, int attempt) {
        TimelineStep.Builder told = TimelineStep.newBuilder()
                .setVersion(version)
                .setAt(time(version))
                .setStep(step)
                .setTask(TASK);
        return attempt == 0 ? told : told.setAttempt(attempt);
    }

    private static Timestamp time(long seconds) {
        return Timestamp.newBuilder().setSeconds(seconds).build();
    }

    private static Timeline timeline(TimelineStep.Builder... steps) {
        Timeline.Builder timeline = Timeline.newBuilder();
        List.of(steps).forEach(timeline::addSteps);
        return timeline.build();
    }

    @Test
    void attempts_areWhatTheirStepsSay_andWaitingAgainEndsNone() {
        Timeline timeline = timeline(
                step(10, "SUBMITTED", 0).setTask("j"),
                step(11, "CONFLICTED", 0).setMachine("m-9"),
                step(12, "PLACED", 1).setMachine("m-1"),
                step(13, "RUNNING", 1),
                step(14, "FAILED", 1).setExitCode(3).setReason("EXIT_CODE"),
                step(14, "PENDING", 1),
                step(15, "PLACED", 2).setMachine("m-2"));

        JobHistory history = JobHistory.of(job, timeline);

        assertThat(history.isWhole()).isTrue();
        assertThat(history.attempts())
                .containsExactly(
                        Task.newBuilder()
                                .setTask(TASK)
                                .setAttempt(1)
                                .setState(TaskState.TASK_STATE_FAILED)
                                .setMachine("m-1")
                                .setExitCode(3)
                                .setReason("EXIT_CODE")
                                .setStartedAt(time(13))
                                .setEndedAt(time(14))
                                .build(),
                        Task.newBuilder()
                                .setTask(TASK)
                                .setAttempt(2)
                                .setState(TaskState.TASK_STATE_PLACED)
                                .setMachine("m-2")
                                .build());
    }

    @Test
    void earlierJobOfTheSameName_isNotShown() {
        assertThat(JobHistory.of(job, timeline(step(9, "PLACED", 1), step(12, "PLACED", 1)))
                        .attempts())
                .hasSize(1);
    }

    @Test
    void rowsOfNewestAttempts_standForWhatTheirStepsSay_andAddThoseWithoutSteps() {
        Task row =
                Task.newBuilder().setTask(TASK).setAttempt(1).setGeneration(4).build();
        Task other = row.toBuilder().setTask("j/main/1").build();
        Task waits = row.toBuilder().setTask("j/main/2").setAttempt(0).build();

        JobHistory history = JobHistory.of(job, timeline(step(12, "PLACED", 1))).with(List.of(row, other, waits));

        assertThat(history.attempts()).containsExactly(row, other);
    }

    @Test
    void timelineThatLacksSteps_isNotWhole() {
        Timeline cut = timeline(step(12, "PLACED", 1)).toBuilder()
                .setKeptFromVersion(11)
                .build();
        assertThat(JobHistory.of(job, cut).isWhole()).isFalse();

        Timeline.Builder full = Timeline.newBuilder();
        for (int count = 0; count < JobHistory.STEPS_MAX; count++) {
            full.addSteps(step(12 + count, "PLACED", count + 1));
        }
        assertThat(JobHistory.of(job, full.build()).isWhole()).isFalse();
    }
}
