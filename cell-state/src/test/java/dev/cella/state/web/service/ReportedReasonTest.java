package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReportedReasonTest {
    private static TaskReason read(String word, TaskState state, int featureLevel) {
        return ReportedReason.of("reason", word, state, featureLevel);
    }

    private static TaskReason read(TaskReason reason, TaskState state) {
        return read(reason.name(), state, EntryCodec.FEATURE_LEVEL_MAX);
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskReason.class,
            names = {"PREEMPTED", "DRAINED", "UPDATED", "MACHINE_LOST", "TOO_MANY_FAILURES", "COPY"})
    void reasonOfTheCell_isRefused_unlessItRepeatsWhyTheTaskWasToldToStop(TaskReason reason) {
        for (TaskState state : new TaskState[] {TaskState.RUNNING, TaskState.FINISHED, TaskState.FAILED}) {
            assertThatThrownBy(() -> read(reason, state))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            problem -> assertThat(problem.errors())
                                    .singleElement()
                                    .satisfies(fault -> assertThat(fault.path()).isEqualTo("reason")));
        }
        assertThat(read(reason, TaskState.KILLED)).isEqualTo(TaskReason.NONE);
        assertThat(read(reason, TaskState.PREEMPTED)).isEqualTo(TaskReason.NONE);
    }

    @ParameterizedTest
    @EnumSource(
            value = TaskReason.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {
                "PREEMPTED",
                "DRAINED",
                "UPDATED",
                "MACHINE_LOST",
                "TOO_MANY_FAILURES",
                "COPY",
                "AWAITS_CHECK",
                "CHECKED"
            })
    void reasonOfAnExecutor_isTakenAsItIs(TaskReason reason) {
        for (TaskState state : TaskState.values()) {
            assertThat(read(reason, state)).isEqualTo(reason);
        }
    }

    @Test
    void spareWorkWithoutRoom_isLostBecauseItWasPreempted() {
        assertThat(read(TaskReason.PREEMPTED, TaskState.LOST)).isEqualTo(TaskReason.PREEMPTED);
        assertThatThrownBy(() -> read(TaskReason.COPY, TaskState.LOST)).isInstanceOf(Problem.class);
    }

    @ParameterizedTest
    @CsvSource({"timeout, 1, TIMEOUT", "out-of-disk, 3, NONE", "out-of-disk, 4, OUT_OF_DISK", "does-not-fit, 3, NONE"})
    void reasonAboveTheLevelOfTheCell_isNone(String word, int featureLevel, TaskReason reason) {
        assertThat(read(word, TaskState.FAILED, featureLevel)).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({"8", "10"})
    void copy_isInNoCommand_whateverTheLevel(int featureLevel) {
        assertThatThrownBy(() -> read("COPY", TaskState.FAILED, featureLevel)).isInstanceOf(Problem.class);
        assertThat(read("COPY", TaskState.KILLED, featureLevel)).isEqualTo(TaskReason.NONE);
    }

    @ParameterizedTest
    @CsvSource({"true, 12, CHECKED", "false, 12, AWAITS_CHECK", "true, 11, NONE", "false, 11, NONE"})
    void check_isReadFromItsLevelOn(boolean checked, int featureLevel, TaskReason reason) {
        assertThat(ReportedReason.ofCheck("checked", checked, TaskState.RUNNING, featureLevel))
                .isEqualTo(reason);
    }

    @Test
    void check_belongsToRunning_andIsNoReason() {
        assertThatThrownBy(() -> ReportedReason.ofCheck("checked", true, TaskState.FAILED, 12))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> read(TaskReason.CHECKED, TaskState.RUNNING)).isInstanceOf(Problem.class);
    }
}
