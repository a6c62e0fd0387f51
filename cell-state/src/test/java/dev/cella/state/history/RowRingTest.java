package dev.cella.state.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.codec.ByteReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RowRingTest {
    private static final int NAMES = 3;

    private final RowRing ring = new RowRing(1L << 30);

    /** Row {@code number} has three names of its own and one that all rows share. */
    private void add(int number) {
        ring.add(number, number, (out, segment) -> {
            out.writeVarint(segment.numberOf("all"));
            for (int name = 0; name < NAMES; name++) {
                out.writeVarint(segment.numberOf(name(number, name)));
            }
        });
    }

    private static String name(int row, int name) {
        return "name-" + (row * NAMES + name);
    }

    @Test
    void everyName_isFoundInTheSegmentThatHasIt_whileItIsWrittenAndAfterwards() {
        int rows = 10_000;
        for (int row = 0; row < rows; row++) {
            add(row);
        }

        List<Integer> found = new ArrayList<>();
        for (Segment segment : ring.oldestFirst()) {
            ByteReader in = segment.reader();
            for (int row = (int) segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                in.readVarint();
                in.readSigned();
                assertThat(segment.name(in.readInt())).isEqualTo("all");
                for (int name = 0; name < NAMES; name++) {
                    int number = in.readInt();
                    assertThat(segment.name(number)).isEqualTo(name(row, name));
                    assertThat(segment.find(name(row, name))).isEqualTo(number);
                }
                found.add(row);
            }
            assertThat(segment.find(name(rows, 0))).isEqualTo(-1);
        }
        assertThat(found).hasSize(rows);
    }

    /** Within a segment, times do not go back: later rows would have the time before the change for hours. */
    @Test
    void rowAfterAClockThatWasSetBack_hasItsOwnTime() {
        long hour = 3_600_000;
        ring.add(1, 10 * hour, (out, segment) -> {});
        ring.add(2, 10 * hour - 1_000, (out, segment) -> {});
        ring.add(3, 8 * hour, (out, segment) -> {});

        List<Long> begins = new ArrayList<>();
        ring.oldestFirst().forEach(segment -> begins.add(segment.firstMillis()));
        assertThat(begins).containsExactly(10 * hour, 8 * hour);
    }

    @Test
    void namesOfOneHash_areNotTakenForEachOther() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        ring.add(1, 1, (out, segment) -> {
            out.writeVarint(segment.numberOf("Aa"));
            out.writeVarint(segment.numberOf("BB"));
        });
        Segment segment = ring.oldestFirst().iterator().next();

        assertThat(segment.name(segment.find("Aa"))).isEqualTo("Aa");
        assertThat(segment.name(segment.find("BB"))).isEqualTo("BB");
        assertThat(segment.find("CC")).isEqualTo(-1);
    }
}
