package dev.cella.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Bytes that our writers never write, at the bounds of the readers: the last value that is read, and the first that is
 * refused.
 */
class HostileBytesTest {
    private static final Transaction TRANSACTION = Transaction.builder(new TransactionId("t"), "batch")
            .claim(new TaskId(new JobId(300), 0, 3), 1, 7)
            .claim(new TaskId(new JobId(301), 0, 4), 1, 8)
            .build();
    private static final Command.ReportTask REPORT = new Command.ReportTask(
            300, 0, 999, 3, 512, 7, TaskState.FAILED, -9, TaskReason.TIMEOUT, 1_700_000_000_000L, 0);

    private static ByteReader bytes(Consumer<ByteWriter> writes) {
        ByteWriter out = new ByteWriter();
        writes.accept(out);
        return new ByteReader(out.toBytes());
    }

    private static void assertDamaged(Function<ByteReader, ?> read, Consumer<ByteWriter> writes, String says) {
        ByteReader in = bytes(writes);
        assertThatThrownBy(() -> read.apply(in))
                .isInstanceOf(DamagedBytesException.class)
                .hasMessageContaining(says);
    }

    private static byte[] longer(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /** An overflow of the sum would be another exception, which ends the replica that applies the bytes. */
    @Test
    void members_beyondTheLastOne_areDamage() {
        for (int more : new int[] {MemberSet.MEMBER_MAX, Integer.MAX_VALUE}) {
            assertDamaged(ValueCodec::readAmounts, out -> writeRun(out, more), "a set has no member " + (1L + more));
        }
        assertThat(ValueCodec.readAmounts(bytes(out -> writeRun(out, 0))).members())
                .isEqualTo(Members.NONE.with(0, MemberSet.of(1)));
    }

    /** Amounts that name the members of the first dimension from 1 to {@code 1 + more}. */
    private static void writeRun(ByteWriter out, int more) {
        out.writeVarint(64 + 1);
        out.writeVarint(0);
        out.writeVarint(1);
        out.writeVarint(1);
        out.writeVarint(1);
        out.writeVarint(more);
    }

    // ---- whole values, with a byte too many

    @Test
    void command_withAByteTooMany_isRefused() {
        byte[] bytes = CommandCodec.encode(new Principal("me"), new Command.StopJob(new JobId(300)));
        assertThat(CommandCodec.decode(bytes).command()).isEqualTo(new Command.StopJob(new JobId(300)));
        assertThatThrownBy(() -> CommandCodec.decode(longer(bytes))).isInstanceOf(DamagedBytesException.class);
    }

    /** Decoding without the principal skips it, but refuses the same damage. */
    @Test
    void command_byAnyPrincipal_isReadOrRefusedAlikeWithAndWithoutIt() {
        List<String> answers = new ArrayList<>();
        for (String principal : List.of("", "a", "a".repeat(253), "a".repeat(254), "é".repeat(253), "é".repeat(254))) {
            byte[] text = principal.getBytes(StandardCharsets.UTF_8);
            answers.add(assertReadAlike(stopBy(text)));
            answers.add(assertReadAlike(Arrays.copyOf(stopBy(text), 2 + text.length / 2)));
        }
        answers.add(assertReadAlike(stopBy(new byte[] {(byte) 0xC3, 'a'})));
        assertThat(answers)
                .contains(new Command.StopJob(new JobId(5)).toString())
                .hasSizeGreaterThan(12);
        assertThat(answers).anyMatch(said -> said.contains("a principal has 1 to"));
        assertThat(answers).anyMatch(said -> said.contains("not UTF-8"));
    }

    /** The most frequent command has its own reader. */
    @Test
    void report_cutAnywhereOrLonger_isRefusedAlikeWithAndWithoutItsPrincipal() {
        byte[] report = CommandCodec.encode(new Principal("me"), REPORT);
        assertThat(assertReadAlike(report)).isEqualTo(REPORT.toString());
        assertThat(assertReadAlike(longer(report))).contains("1 bytes too many");
        for (int length = 0; length < report.length; length++) {
            assertThat(assertReadAlike(Arrays.copyOf(report, length)))
                    .as("cut at " + length)
                    .contains(DamagedBytesException.class.getSimpleName());
        }
    }

    private static byte[] stopBy(byte[] principal) {
        byte[] whole = CommandCodec.encode(new Principal("a"), new Command.StopJob(new JobId(5)));
        ByteWriter out = new ByteWriter();
        out.writeByte(whole[0]);
        out.writeBytes(principal);
        out.writeRaw(Arrays.copyOfRange(whole, 3, whole.length));
        return out.toBytes();
    }

    private static String assertReadAlike(byte[] bytes) {
        String said = said(() -> CommandCodec.decodeCommand(bytes));
        assertThat(said).isEqualTo(said(() -> CommandCodec.decode(bytes).command()));
        return said;
    }

    private static String said(Supplier<Command> read) {
        try {
            return read.get().toString();
        } catch (DamagedBytesException | IllegalArgumentException refused) {
            return refused.toString();
        }
    }

    @Test
    void transaction_byItself_isReadTheSame_butNotWithAByteTooMany() {
        byte[] bytes = TransactionCodec.encode(TRANSACTION);
        assertThat(TransactionCodec.decode(bytes).digest()).isEqualTo(TRANSACTION.digest());
        assertThatThrownBy(() -> TransactionCodec.decode(longer(bytes))).isInstanceOf(DamagedBytesException.class);
    }

    /** The checksum is right, so the extra byte was there when the entry was written. */
    @Test
    void entry_withAByteAfterItsLastCommand_isRefused() {
        EntryHeader header =
                new EntryHeader(EntryCodec.FEATURE_LEVEL_MAX, new CellTime(1), 2, new Incarnation(0x0102030405060708L));
        byte[] entry = EntryCodec.encode(header, List.of(new byte[] {9}, new byte[] {8}));
        assertThat(EntryCodec.decode(entry).commands()).containsExactly(new byte[] {9}, new byte[] {8});
        assertThat(EntryCodec.decode(entry).header()).isEqualTo(header);
        ByteWriter sum = new ByteWriter();
        sum.writeRaw(EntryCodec.encode(header, List.of(new byte[] {9}, new byte[] {8}, new byte[0])));
        byte[] more = sum.toBytes();
        int count = more.length - 6;
        assertThat(more[count]).isEqualTo((byte) 3);
        more[count] = 2;
        assertThatThrownBy(() -> EntryCodec.decode(summed(more)))
                .isInstanceOf(DamagedBytesException.class)
                .hasMessageContaining("1 bytes too many after the last command");
    }

    private static byte[] summed(byte[] entry) {
        CRC32C checksum = new CRC32C();
        checksum.update(entry, 9, entry.length - 9);
        ByteWriter out = new ByteWriter();
        out.writeRaw(entry);
        out.putFixedInt(5, (int) checksum.getValue());
        return out.toBytes();
    }

    @Test
    void frame_withAByteAfterItsEnd_isRefused() {
        ChangeWriter writer = new ChangeWriter();
        writer.begin(7, 1_000, 2_000, null);
        writer.end();
        byte[] frame = writer.take();
        byte[] more = longer(frame);
        more[0]++;
        new ChangeReader(new IgnoredChanges()).readFrames(frame);
        assertThatThrownBy(() -> new ChangeReader(new IgnoredChanges()).readFrames(more))
                .isInstanceOf(DamagedBytesException.class);
        assertThat(ChangeReader.split(concatenated(frame, frame))).containsExactly(frame, frame);
    }

    private static byte[] concatenated(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    // ---- numbers at their bounds

    @Test
    void amounts_ofAsManyDimensionsAsThereCanBe_areRead_andNoMore() {
        long[] values = new long[Dimensions.SIZE_MAX];
        Arrays.fill(values, 1);
        ByteReader most = bytes(out -> ValueCodec.writeAmounts(out, Amounts.of(values)));
        assertThat(ValueCodec.readAmounts(most)).isEqualTo(Amounts.of(values));
        assertDamaged(
                ValueCodec::readAmounts,
                out -> out.writeVarint(Dimensions.SIZE_MAX + 1),
                "more amounts than there are dimensions: 33");
        assertDamaged(
                ValueCodec::readAmounts, out -> out.writeVarint(128), "more amounts than there are dimensions: 128");
    }

    @Test
    void amounts_withMembersOfNothing_areReadToTheirEnd() {
        ByteReader in = bytes(out -> out.writeRaw(new byte[] {64, 0}));
        assertThat(ValueCodec.readAmounts(in)).isEqualTo(Amounts.NONE);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void members_ofAsManyDimensionsAsThereCanBe_areRead_andNoMore() {
        for (int size = Dimensions.SIZE_MAX; size <= Dimensions.SIZE_MAX + 1; size++) {
            byte[] sets = new byte[size];
            int count = size;
            Consumer<ByteWriter> writes = out -> {
                out.writeByte(64);
                out.writeVarint(count);
                out.writeRaw(sets);
            };
            if (size == Dimensions.SIZE_MAX) {
                assertThat(ValueCodec.readAmounts(bytes(writes)).members()).isEqualTo(Members.NONE);
            } else {
                assertDamaged(ValueCodec::readAmounts, writes, "members of more dimensions than there are: 33");
            }
        }
    }

    @Test
    void claim_ofAReferenceThatIsNotThere_isRefused() {
        byte[] bytes = TransactionCodec.encode(TRANSACTION);
        int[] differ = differences(bytes, TransactionCodec.encode(withTheSecondJobFirst()));
        byte[] other = bytes.clone();
        other[differ[differ.length - 1]] = 2;
        assertThatThrownBy(() -> TransactionCodec.decode(other))
                .isInstanceOf(DamagedBytesException.class)
                .hasMessageContaining("a claim refers to 2 of 2");
    }

    /**
     * As {@link #TRANSACTION}, but the second claim is for the same job as the first, and a third one for the other job.
     */
    private static Transaction withTheSecondJobFirst() {
        return Transaction.builder(new TransactionId("t"), "batch")
                .references(new long[] {300, 301}, new int[2], new int[] {1, 1})
                .expectClaims(2)
                .claimOf(0, 3, 7)
                .claimOf(0, 4, 8)
                .build();
    }

    private static int[] differences(byte[] one, byte[] other) {
        assertThat(one).hasSameSizeAs(other);
        List<Integer> at = new ArrayList<>();
        for (int place = 0; place < one.length; place++) {
            if (one[place] != other[place]) {
                at.add(place);
            }
        }
        return at.stream().mapToInt(Integer::intValue).toArray();
    }

    @Test
    void choice_afterTheLastOne_isRefused() {
        int choices = Verdict.values().length;
        assertDamaged(EnumCodec.VERDICT::read, out -> out.writeByte(choices), "unknown Verdict " + choices);
    }

    @Test
    void count_largerThanTheRestAllows_isRefused() {
        assertThat(bytes(out -> out.writeRaw(new byte[] {2, 0, 0, 0, 0})).readCount(2))
                .isEqualTo(2);
        assertDamaged(
                in -> in.readCount(2),
                out -> out.writeRaw(new byte[] {3, 0, 0, 0, 0}),
                "3 things announced in 4 bytes");
    }

    @Test
    void damage_isReportedWithItsPosition() {
        ByteReader slice = new ByteReader(new byte[] {1, 1, 1, 7, 1}, 2, 3);
        assertThat(slice.readByte()).isEqualTo(1);
        assertThat(slice.offset()).isEqualTo(1);
        assertThatThrownBy(slice::readBoolean)
                .isInstanceOf(DamagedBytesException.class)
                .hasMessage("not a boolean: 7 (at byte 2)");
    }

    @Test
    void nothing_isRead() {
        ByteReader in = bytes(out -> out.writeText("abc"));
        assertThat(in.readSlice(0).hasRemaining()).isFalse();
        assertThat(in.readText()).isEqualTo("abc");
        assertThatThrownBy(() -> in.readSlice(-1)).isInstanceOf(DamagedBytesException.class);
    }

    @Test
    void number_writtenLongerThanItNeedBe_isReadToItsEnd() {
        ByteReader in = new ByteReader(new byte[] {(byte) 0x80, 0, (byte) 0x85, (byte) 0x80, 0, 7});
        assertThat(in.readVarint()).isZero();
        assertThat(in.readVarint()).isEqualTo(5);
        assertThat(in.readVarint()).isEqualTo(7);
    }

    @Test
    void skipByte_atTheEnd_skipsNothing() {
        ByteReader slice = new ByteReader(new byte[] {7, 7, 7}, 1, 1);
        assertThat(slice.skipByte(8)).isFalse();
        assertThat(slice.skipByte(7)).isTrue();
        assertThat(slice.skipByte(7)).isFalse();
        assertThat(slice.offset()).isEqualTo(1);
    }

    @Test
    void text_atTheVeryEnd_isReadAndNothingBehindIt() {
        ByteReader in = new ByteReader(new byte[] {1, 'a'});
        assertThat(in.readText()).isEqualTo("a");
        assertThat(in.hasRemaining()).isFalse();
    }

    @Test
    void skipAscii_ofAsManyCharactersAsMayBe_passesOverThem() {
        for (int length = 1; length <= 4; length++) {
            String text = "x".repeat(length);
            ByteReader in = bytes(out -> out.writeText(text));
            assertThat(in.skipAscii(2, 3)).as(text).isEqualTo(length == 2 || length == 3);
            assertThat(in.offset()).as(text).isEqualTo(length == 2 || length == 3 ? 1 + length : 0);
        }
    }

    // ---- more bytes than a writer's first array holds

    @Test
    void writer_ofWhateverIsWritten_growsAsItNeeds() {
        ByteWriter out = new ByteWriter();
        for (int each = 0; each < 1_000; each++) {
            out.writeByte(each);
        }
        for (int each = 0; each < 1_000; each++) {
            out.writeFixedInt(each);
        }
        out.writeRaw(new byte[100_000]);
        ByteReader in = new ByteReader(out.toBytes());
        for (int each = 0; each < 1_000; each++) {
            assertThat(in.readByte()).isEqualTo(each & 0xFF);
        }
        for (int each = 0; each < 1_000; each++) {
            assertThat(in.readFixedInt()).isEqualTo(each);
        }
        assertThat(in.remaining()).isEqualTo(100_000);
    }

    // ---- changes of one group and then of another group of the job

    @Test
    void changes_ofAnotherGroupOfTheSameJob_areOfThatGroup() {
        ChangeWriter writer = new ChangeWriter();
        writer.begin(7, 1_000, 2_000, new Origin(new TransactionId("t"), "batch", 0, 7));
        writer.tasksPlaced(5, 0, GroupPlacements.of(3, 17, 0));
        writer.tasksPlaced(5, 1, GroupPlacements.of(4, 18, 1));
        writer.tasksPlaced(6, 1, GroupPlacements.of(5, 19, 2));
        writer.end();
        List<String> read = new ArrayList<>();
        new ChangeReader(new IgnoredChanges() {
                    @Override
                    public void tasksPlaced(long job, int group, GroupPlacements placed) {
                        for (int place = 0; place < placed.count(); place++) {
                            read.add(job + "/" + group + "/" + placed.index(place) + " on " + placed.slot(place)
                                    + " as " + placed.ordinal(place));
                        }
                    }
                })
                .readFrames(writer.take());
        assertThat(read).containsExactly("5/0/3 on 17 as 0", "5/1/4 on 18 as 1", "6/1/5 on 19 as 2");
    }
}
