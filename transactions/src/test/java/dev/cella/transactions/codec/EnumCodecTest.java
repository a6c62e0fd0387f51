package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.JobState;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EnumCodecTest {
    /** Tables and digests use the given numbers, entries and snapshots the places in the enum. Both are equal. */
    @Test
    void numberThatWasGiven_isThePlace() {
        assertThat(JobState.values())
                .allSatisfy(each -> assertThat(EnumCodec.JOB_STATE.code(each)).isEqualTo(each.code()));
        assertThat(TaskState.values())
                .allSatisfy(each -> assertThat(EnumCodec.TASK_STATE.code(each)).isEqualTo(each.code()));
        assertThat(TaskReason.values())
                .allSatisfy(each -> assertThat(EnumCodec.TASK_REASON.code(each)).isEqualTo(each.code()));
    }

    @Test
    void unknownNumber_isDamage_andTheMessageNamesTheEnum() {
        assertUnknown(
                ValueCodec::readJobState, JobState.values().length, "unknown JobState " + JobState.values().length);
        assertUnknown(
                ValueCodec::readTaskState, TaskState.values().length, "unknown TaskState " + TaskState.values().length);
        assertUnknown(
                ValueCodec::readTaskReason,
                TaskReason.values().length,
                "unknown TaskReason " + TaskReason.values().length);
    }

    private static void assertUnknown(Function<ByteReader, ?> read, int code, String says) {
        ByteReader in = new ByteReader(new byte[] {(byte) code});
        assertThatThrownBy(() -> read.apply(in))
                .isInstanceOf(DamagedBytesException.class)
                .hasMessageContaining(says);
    }
}
