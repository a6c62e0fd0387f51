package dev.cella.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.client.proto.JobState;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.MachineStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WordsTest {
    @Test
    void cores_dropWhatSaysNothing() {
        assertThat(Words.cores(2000)).isEqualTo("2");
        assertThat(Words.cores(1500)).isEqualTo("1.5");
        assertThat(Words.cores(10_000)).isEqualTo("10");
        assertThat(Words.cores(0)).isEqualTo("0");
    }

    @Test
    void memory_isInTheUnitThatFits() {
        assertThat(Words.memory(512)).isEqualTo("512 MiB");
        assertThat(Words.memory(1024)).isEqualTo("1 GiB");
        assertThat(Words.memory(23_040)).isEqualTo("22.5 GiB");
    }

    @Test
    void bytes_areMebibytesFromATenthOn() {
        assertThat(Words.bytes(1)).isEqualTo("1 byte");
        assertThat(Words.bytes(100_000)).isEqualTo("100000 bytes");
        assertThat(Words.bytes(16 << 20)).isEqualTo("16 MiB");
        assertThat(Words.bytes(92_274_688)).isEqualTo("88 MiB");
        assertThat(Words.bytes(5L << 29)).isEqualTo("2.5 GiB");
    }

    @Test
    void duration_getsCoarserAsItGetsLonger() {
        assertThat(Words.duration(Duration.ofMillis(-20))).isEqualTo("0.0 s");
        assertThat(Words.duration(Duration.ofMillis(240))).isEqualTo("0.2 s");
        assertThat(Words.duration(Duration.ofSeconds(75))).isEqualTo("1 min 15 s");
        assertThat(Words.duration(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
    }

    @Test
    void word_isTheValueAsJsonHasIt() {
        assertThat(Words.word(JobState.JOB_STATE_RUNNING)).isEqualTo("RUNNING");
        assertThat(Words.word(MachineStatus.MACHINE_STATUS_DOWN)).isEqualTo("DOWN");
        assertThat(Words.word(JobType.JOB_TYPE_BATCH)).isEqualTo("batch");
    }

    @Test
    void plural_ofOneIsSingular() {
        assertThat(Words.plural(1, "task")).isEqualTo("1 task");
        assertThat(Words.plural(3, "task")).isEqualTo("3 tasks");
    }
}
