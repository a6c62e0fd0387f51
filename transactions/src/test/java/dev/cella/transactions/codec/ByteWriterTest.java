package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cella.transactions.model.Invariants.BrokenInvariantException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader reads what a writer wrote, at the lengths where a number takes one more byte. */
class ByteWriterTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 255, 256, 16_383, 16_384, 2_097_151, 2_097_152})
    void insertLength_standsBeforeWhatWasWritten(int length) {
        byte[] written = new byte[length];
        for (int place = 0; place < length; place++) {
            written[place] = (byte) place;
        }
        ByteWriter out = new ByteWriter();
        out.writeByte(42);
        out.writeRaw(written);
        out.insertLength(1);
        out.writeByte(43);
        ByteReader in = new ByteReader(out.toBytes());
        assertThat(in.readByte()).isEqualTo(42);
        assertThat(in.readBytes()).isEqualTo(written);
        assertThat(in.readByte()).isEqualTo(43);
        in.expectEnd("what was written");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 127, 128, 16_383, 16_384, Integer.MAX_VALUE, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void number_isReadBack(long number) {
        ByteWriter out = new ByteWriter();
        out.writeVarint(number);
        out.writeSigned(number);
        ByteReader in = new ByteReader(out.toBytes());
        assertThat(in.readVarint()).isEqualTo(number);
        assertThat(in.readSigned()).isEqualTo(number);
        in.expectEnd("the numbers");
    }

    @Test
    void number_thatDoesNotEnd_isDamage() {
        byte[] cut = {(byte) 0x80, (byte) 0x80};
        assertThatExceptionOfType(DamagedBytesException.class)
                .isThrownBy(() -> new ByteReader(cut).readVarint())
                .withMessageContaining("ends where a byte should be");
        byte[] tooLong = new byte[11];
        Arrays.fill(tooLong, (byte) 0x80);
        assertThatExceptionOfType(DamagedBytesException.class)
                .isThrownBy(() -> new ByteReader(tooLong).readVarint())
                .withMessageContaining("more than ten bytes");
    }

    @Test
    void writeFrom_isWhatTheOtherHolds_andNothingBehindIt() {
        ByteWriter other = new ByteWriter();
        other.writeRaw(new byte[] {1, 2, 3});
        other.truncate(2);
        ByteWriter out = new ByteWriter();
        out.writeRaw(new byte[255]);
        out.writeFrom(other);
        out.writeByte(4);
        assertThat(Arrays.copyOfRange(out.toBytes(), 255, out.length())).containsExactly(1, 2, 4);
    }

    @Test
    void writeAgain_takesBytesOfBefore_andAllAgainWhereTheyAreTooFew() {
        ByteWriter out = new ByteWriter();
        out.writeRaw(new byte[] {1, 2, 3, 4});
        out.writeAgain(1, 2);
        assertThat(out.toBytes()).containsExactly(1, 2, 3, 4, 2, 3);
        out.writeAgain(4, 5);
        assertThat(out.toBytes()).containsExactly(1, 2, 3, 4, 2, 3, 2, 3, 2, 3, 2);
        out.writeAgain(0, 0);
        assertThat(out.length()).isEqualTo(11);
        out.writeAgain(10, 1_000);
        assertThat(out.toBytes()).hasSize(1_011).endsWith(2, 2, 2);
        out.writeAgain(out.length(), 0);
        assertThatExceptionOfType(BrokenInvariantException.class)
                .isThrownBy(() -> out.writeAgain(out.length(), 1))
                .withMessageContaining("from 1011 on nothing was written");
    }

    @Test
    void frameThatWasNotEnded_isForgottenByTheNext() {
        ChangeWriter changes = new ChangeWriter();
        changes.begin(1, 1, 1, null);
        changes.machineRemoved(7);
        changes.begin(2, 1, 1, null);
        changes.end();
        byte[] taken = changes.take();
        ChangeWriter alone = new ChangeWriter();
        alone.begin(2, 1, 1, null);
        alone.end();
        assertThat(taken).isEqualTo(alone.take());
    }

    @Test
    void frameThatWasNotEnded_isNotTaken() {
        ChangeWriter changes = new ChangeWriter();
        changes.begin(1, 1, 1, null);
        changes.end();
        changes.begin(2, 1, 1, null);
        changes.machineRemoved(7);
        byte[] taken = changes.take();
        assertThat(ChangeReader.split(taken)).hasSize(1);
        changes.begin(2, 1, 1, null);
        changes.end();
        assertThat(changes.take()).hasSameSizeAs(taken);
    }
}
