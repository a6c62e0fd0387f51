package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.ValueCodec;
import java.util.Arrays;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs as bytes, in pages by identity, for copies. A job's row is an object that changes in place, so a copy cannot share
 * it. A page of jobs is written again for the first copy after one of them has changed; all copies share it until the next
 * change. The first copy writes all pages, so no change is noted before it, and a cell without copies keeps nothing here.
 * Owned by the thread that applies changes.
 */
public final class JobPages {
    /** Identities are versions, so most pages have few jobs. */
    private static final int IDENTITY_BITS = 10;

    private static final long NO_PAGE = -1;
    private static final int NOT_COPIED = 0;

    private final NavigableMap<Long, byte[]> pages = new TreeMap<>();
    private final Set<Long> touched = new HashSet<>();
    private long touchedLast = NO_PAGE;
    private int format = NOT_COPIED;

    void touch(JobRow job) {
        long page = job.id().version() >>> IDENTITY_BITS;
        if (page != touchedLast) {
            note(page);
            touchedLast = page;
        }
    }

    private void note(long page) {
        if (format != NOT_COPIED) {
            touched.add(page);
        }
    }

    /** How many pages have changed since they were written. */
    int noted() {
        return touched.size();
    }

    /** If the format differs from the previous one, every page is written again. */
    Copy copy(NavigableMap<Long, JobRow> jobs, int newFormat) {
        if (format != newFormat) {
            pages.clear();
            jobs.keySet().forEach(id -> touched.add(id >>> IDENTITY_BITS));
            format = newFormat;
        }
        for (long page : touched) {
            renew(page, jobs.subMap(page << IDENTITY_BITS, (page + 1) << IDENTITY_BITS));
        }
        touched.clear();
        touchedLast = NO_PAGE;
        long[] numbers = pages.keySet().stream().mapToLong(Long::longValue).toArray();
        return new Copy(numbers, pages.values().toArray(byte[][]::new));
    }

    private void renew(long page, SortedMap<Long, JobRow> jobs) {
        if (jobs.isEmpty()) {
            pages.remove(page);
            return;
        }
        ByteWriter out = new ByteWriter();
        out.writeByte(SnapshotFormat.JOBS);
        for (JobRow job : jobs.values()) {
            out.writeVarint(job.id().version());
            ValueCodec.writeHeader(out, job.header());
            ValueCodec.writeSpecification(out, job.specification());
            job.writeRest(out, format);
        }
        pages.put(page, out.toBytes());
    }

    /** The pages at one moment. Any thread may read them. */
    public static final class Copy {
        private final long[] numbers;
        private final byte[][] pages;

        private Copy(long[] numbers, byte[][] pages) {
            this.numbers = numbers;
            this.pages = pages;
        }

        public int size() {
            return numbers.length;
        }

        public long number(int place) {
            return numbers[place];
        }

        byte[] page(int place) {
            return pages[place];
        }

        public byte[] get(long number) {
            return pages[Arrays.binarySearch(numbers, number)];
        }

        /** The page of that number, or null if it does not exist. */
        public byte @Nullable [] find(long number) {
            int place = Arrays.binarySearch(numbers, number);
            return place < 0 ? null : pages[place];
        }
    }
}
