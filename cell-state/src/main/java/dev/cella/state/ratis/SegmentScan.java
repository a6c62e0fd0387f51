package dev.cella.state.ratis;

import dev.cella.state.core.DamagedLogException;
import dev.cella.state.ratis.LogSegments.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Reads one segment of the log in Ratis' format: a header; then for each entry its length, its bytes and a CRC32C of both;
 * then zeros up to the allocated size.
 *
 * <h2>A torn tail</h2>
 *
 * <p>Ratis writes into blocks of zeros and syncs afterwards. A power cut between the two leaves some sectors written and
 * others zero, in any order. None of these entries was acknowledged, because an entry counts only after the sync. So if the
 * first bad entry of the open segment contains a sector that was never written, the log ends before it. Ratis itself refuses
 * such a file. A bad entry without such a sector was changed later: that is damage, and entries after it may have been
 * acknowledged.
 *
 * <p>The length of a bad entry may be what is bad. It would lead too far, to the zeros behind the last entry. So the bad entry
 * ends at the latest where the next whole one begins.
 */
final class SegmentScan {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int SECTOR_BYTES = 512;
    private static final int CHECKSUM_BYTES = Integer.BYTES;
    private static final int VARINT_BYTES_MAX = 5;

    /** What stands before the term and before the index of an entry: they come first, in this order. */
    private static final byte TERM_TAG = 8;

    private static final byte INDEX_TAG = 16;

    private final Segment segment;
    private final Proposers proposers;
    private final byte[] bytes;
    private final Consumer<LogEntryProto> entries;
    private int position;
    private long next;
    private long lastTerm;

    private SegmentScan(Segment segment, Proposers proposers, byte[] bytes, Consumer<LogEntryProto> entries) {
        this.segment = segment;
        this.proposers = proposers;
        this.bytes = bytes;
        this.entries = entries;
        this.next = segment.first();
    }

    /**
     * The end of a segment.
     *
     * @param lastIndex the index of its last whole entry; one less than its first if there is none
     * @param lastTerm that entry's term; 0 if there is none
     * @param bytes the length of its header and whole entries
     * @param isTorn whether a power cut left a part of an entry after them
     */
    record End(long lastIndex, long lastTerm, long bytes, boolean isTorn) {}

    /** Hands over each whole entry, in order. An entry that none of the proposers can have proposed is damage. */
    static End scan(Segment segment, Proposers proposers, Consumer<LogEntryProto> entries)
            throws IOException, DamagedLogException {
        return new SegmentScan(segment, proposers, Files.readAllBytes(segment.file()), entries).end();
    }

    private End end() throws DamagedLogException {
        boolean torn = !readHeader();
        while (!torn && hasMore()) {
            torn = !readEntry();
        }
        if (!segment.isOpen() && segment.last().getAsLong() != next - 1) {
            throw damaged(
                    position,
                    "it ends with entry %d, and its name says %d"
                            .formatted(next - 1, segment.last().getAsLong()));
        }
        return new End(next - 1, lastTerm, position, torn);
    }

    /** False if it is torn. */
    private boolean readHeader() throws DamagedLogException {
        if (Arrays.equals(bytes, 0, Math.min(HEADER.length, bytes.length), HEADER, 0, HEADER.length)) {
            position = HEADER.length;
            return true;
        }
        if (isZero(0, bytes.length)) {
            return brokenOffOr("it is empty");
        }
        return tornOr(HEADER.length, "it does not begin as a segment does");
    }

    private boolean hasMore() {
        return position < bytes.length && !isZero(position, bytes.length);
    }

    private boolean readEntry() throws DamagedLogException {
        ByteBuffer in = ByteBuffer.wrap(bytes, position, bytes.length - position);
        long length = readVarint(in);
        int begin = in.position();
        if (length <= 0 || length > RatisSettings.ENTRY_BYTES_MAX) {
            return tornOr(RatisSettings.ENTRY_BYTES_MAX, "no entry has the length that stands there");
        }
        int end = begin + (int) length;
        if (end + CHECKSUM_BYTES > bytes.length) {
            return brokenOffOr("it ends in the middle of entry " + next);
        }
        if (checksum(position, end) != in.getInt(end)) {
            return tornOr(
                    end + CHECKSUM_BYTES - position, "entry " + next + " has another checksum than stands behind it");
        }
        take(begin, (int) length);
        position = end + CHECKSUM_BYTES;
        return true;
    }

    /** Returns 0 or less if none stands there. */
    private static long readVarint(ByteBuffer in) {
        long number = 0;
        for (int shift = 0; shift < VARINT_BYTES_MAX * 7 && in.hasRemaining(); shift += 7) {
            byte part = in.get();
            number |= (long) (part & 0x7f) << shift;
            if (part >= 0) {
                return number;
            }
        }
        return 0;
    }

    private int checksum(int from, int to) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue();
    }

    private void take(int begin, int length) throws DamagedLogException {
        LogEntryProto entry = parse(begin, length);
        if (entry.getIndex() != next) {
            throw damaged(position, "entry %d stands where entry %d should".formatted(entry.getIndex(), next));
        }
        if (proposers.isForeign(entry)) {
            throw damaged(position, "entry %d is of another cell".formatted(next));
        }
        lastTerm = entry.getTerm();
        next++;
        entries.accept(entry);
    }

    private LogEntryProto parse(int begin, int length) throws DamagedLogException {
        try {
            return LogEntryProto.parseFrom(ByteBuffer.wrap(bytes, begin, length));
        } catch (InvalidProtocolBufferException failure) {
            throw damaged(position, "entry %d cannot be read".formatted(next));
        }
    }

    /** Returns false for a torn tail; throws for damage. */
    private boolean tornOr(int length, String what) throws DamagedLogException {
        if (segment.isOpen() && isTorn(position, nextWhole(Math.min(bytes.length, position + length)))) {
            return false;
        }
        throw damaged(position, what);
    }

    /** Where the entry after the bad one begins, if that is whole; else the given end. */
    private int nextWhole(int end) {
        for (int start = position + 1; start < end; start++) {
            if (isWhole(start, next + 1)) {
                return start;
            }
        }
        return end;
    }

    private boolean isWhole(int start, long index) {
        ByteBuffer in = ByteBuffer.wrap(bytes, start, bytes.length - start);
        long length = readVarint(in);
        long end = in.position() + length;
        return length > 0
                && end + CHECKSUM_BYTES <= bytes.length
                && beginsWith(in, index)
                && checksum(start, (int) end) == in.getInt((int) end);
    }

    private static boolean beginsWith(ByteBuffer in, long index) {
        return in.get() == TERM_TAG
                && readVarint(in) > 0
                && in.hasRemaining()
                && in.get() == INDEX_TAG
                && readVarint(in) == index;
    }

    /** As {@link #tornOr}, also for a file that had not grown further when the power was cut. */
    private boolean brokenOffOr(String what) throws DamagedLogException {
        int end = nextWhole(bytes.length);
        if (segment.isOpen() && (end == bytes.length || isTorn(position, end))) {
            return false;
        }
        throw damaged(position, what);
    }

    /** Returns whether a sector of that range was never written. */
    private boolean isTorn(int from, int to) {
        for (int sector = from; sector < to; sector = sectorAfter(sector)) {
            if (isZero(sector, Math.min(to, sectorAfter(sector)))) {
                return true;
            }
        }
        return false;
    }

    private static int sectorAfter(int place) {
        return (place / SECTOR_BYTES + 1) * SECTOR_BYTES;
    }

    private boolean isZero(int from, int to) {
        for (int place = from; place < to; place++) {
            if (bytes[place] != 0) {
                return false;
            }
        }
        return true;
    }

    private DamagedLogException damaged(int at, String what) {
        return new DamagedLogException(segment.file(), at, what);
    }
}
