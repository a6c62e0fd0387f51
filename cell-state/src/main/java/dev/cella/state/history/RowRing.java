package dev.cella.state.history;

import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.ByteWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows as bytes, in order of version, within a bound of bytes. At the bound the oldest rows are dropped, one segment at a
 * time; no row in between is ever left out.
 *
 * <h2>Why segments</h2> A million rows as objects take a quarter of a gigabyte, and a question about one job would look at all
 * of them. A segment is some thousand rows as varints, with a table of the names in them. A question first looks up its names in
 * that table and skips the segment if one is missing. The names are dropped with their segment, so unused names cost nothing.
 *
 * <p>Not safe for threads: its owner guards it.
 */
public final class RowRing {
    private static final int SEGMENT_BYTES = 1 << 16;

    private static final long SET_BACK_MILLIS_MIN = 60_000;

    /** The cost of a name besides its characters. */
    private static final int NAME_BYTES = 64;

    /** Writes one row. {@code version} and {@code millis} are already written, as distances from the latest ones before. */
    @FunctionalInterface
    public interface RowWriter {
        void write(ByteWriter out, Segment names);
    }

    /** The rows, with their names as numbers from 0. */
    public static final class Segment {
        private final long firstRow;
        private final long firstVersion;
        private final long firstMillis;
        /** The number of each name; null once the segment is sealed. */
        private @Nullable Map<String, Integer> open = new HashMap<>();

        private final List<String> names = new ArrayList<>();
        private ByteWriter writer = new ByteWriter();
        private byte[] sealed = new byte[0];
        private int[] byHash = new int[0];
        private int rows;
        private long lastVersion;
        private long lastMillis;
        private long nameBytes;

        private Segment(long firstRow, long version, long millis) {
            this.firstRow = firstRow;
            this.firstVersion = version;
            this.firstMillis = millis;
            this.lastVersion = version;
            this.lastMillis = millis;
        }

        /**
         * The number of the name in this segment. A new name gets a new number. Call this only while a row is written.
         */
        public int numberOf(String name) {
            Map<String, Integer> numbers = open;
            if (numbers == null) {
                throw new IllegalStateException("no row is added to a sealed segment");
            }
            Integer known = numbers.get(name);
            if (known != null) {
                return known;
            }
            numbers.put(name, names.size());
            names.add(name);
            nameBytes += name.length() + NAME_BYTES;
            return names.size() - 1;
        }

        /** The number of the name, or -1 if no row of this segment has it. */
        public int find(String name) {
            Map<String, Integer> numbers = open;
            if (numbers != null) {
                return numbers.getOrDefault(name, -1);
            }
            int hash = name.hashCode();
            int from = 0;
            int to = byHash.length;
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (names.get(byHash[middle]).hashCode() < hash) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            for (int at = from; at < byHash.length && names.get(byHash[at]).hashCode() == hash; at++) {
                if (names.get(byHash[at]).equals(name)) {
                    return byHash[at];
                }
            }
            return -1;
        }

        public String name(int number) {
            return names.get(number);
        }

        public int nameCount() {
            return names.size();
        }

        public int rows() {
            return rows;
        }

        /** How many rows the ring had taken before the first row of this segment. */
        public long firstRow() {
            return firstRow;
        }

        public long firstVersion() {
            return firstVersion;
        }

        public long lastVersion() {
            return lastVersion;
        }

        public long firstMillis() {
            return firstMillis;
        }

        public long lastMillis() {
            return lastMillis;
        }

        private void add(long version, long millis, RowWriter row) {
            writer.writeVarint(version - lastVersion);
            writer.writeSigned(millis - lastMillis);
            row.write(writer, this);
            lastVersion = version;
            lastMillis = Math.max(lastMillis, millis);
            rows++;
        }

        private long bytes() {
            return nameBytes + (open == null ? sealed.length : writer.length());
        }

        private void seal() {
            sealed = writer.toBytes();
            writer = new ByteWriter();
            open = null;
            // The hash in the upper half, signed, and the number in the lower one.
            byHash = IntStream.range(0, names.size())
                    .mapToLong(number -> ((long) names.get(number).hashCode() << Integer.SIZE) | number)
                    .sorted()
                    .mapToInt(pair -> (int) pair)
                    .toArray();
        }

        /** The rows, the oldest first. */
        public byte[] bytesOfRows() {
            return open == null ? sealed : writer.toBytes();
        }

        public ByteReader reader() {
            return new ByteReader(bytesOfRows());
        }
    }

    private final long bytesMax;
    private final Deque<Segment> segments = new ArrayDeque<>();
    private long sealedBytes;
    private long taken;
    private long clearedAt;

    public RowRing(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds a row; versions never go back. */
    public void add(long version, long millis, RowWriter row) {
        Segment newest = segments.peekLast();
        if (newest == null || newest.writer.length() >= SEGMENT_BYTES || isSetBack(newest, millis)) {
            newest = begin(version, millis);
        }
        newest.add(version, millis, row);
        taken++;
    }

    /** Within a segment, times do not go back. Leaders with clocks a little apart are one thing, a clock that was set is another. */
    private static boolean isSetBack(Segment newest, long millis) {
        return millis < newest.lastMillis - SET_BACK_MILLIS_MIN;
    }

    private Segment begin(long version, long millis) {
        Segment full = segments.peekLast();
        if (full != null) {
            full.seal();
            sealedBytes += full.bytes();
        }
        while (sealedBytes > bytesMax && segments.size() > 1) {
            sealedBytes -= segments.removeFirst().bytes();
        }
        Segment next = new Segment(taken, version, millis);
        segments.addLast(next);
        return next;
    }

    /** Drops all rows: later ones do not follow on them. The numbers of rows go on. */
    public void clear() {
        segments.clear();
        sealedBytes = 0;
        clearedAt = taken;
    }

    /** Visits the segments, the newest first, until the reader returns false. */
    public void newestFirst(Predicate<Segment> reader) {
        for (Iterator<Segment> each = segments.descendingIterator(); each.hasNext(); ) {
            if (!reader.test(each.next())) {
                return;
            }
        }
    }

    /** The segments, the oldest first. */
    public Iterable<Segment> oldestFirst() {
        return segments;
    }

    /** How many rows were ever added. */
    public long taken() {
        return taken;
    }

    /** How many rows are kept. */
    public long kept() {
        return segments.isEmpty() ? 0 : taken - segments.getFirst().firstRow;
    }

    public long bytes() {
        return sealedBytes + (segments.isEmpty() ? 0 : segments.getLast().bytes());
    }

    /** The oldest segment if any was dropped before it at the bound, since the last clear: nothing is missing from there on. */
    public Optional<Segment> oldestAfterADrop() {
        return segments.isEmpty() || segments.getFirst().firstRow == clearedAt
                ? Optional.empty()
                : Optional.of(segments.getFirst());
    }
}
