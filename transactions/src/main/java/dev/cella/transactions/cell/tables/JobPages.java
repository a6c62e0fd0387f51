package dev.cella.transactions.cell.tables;

import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.ValueCodec;
import dev.cella.transactions.model.Specification;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The jobs as bytes, in pages by identity, for copies. A job's row is an object that changes in place, so a copy cannot share
 * it. A page of jobs is written again for the first copy after one of them has changed; all copies share it until the next
 * change. The first copy writes all pages, so no change is noted before it, and a cell without copies keeps nothing here.
 * Owned by the thread that applies changes.
 *
 * <p>A page has its jobs' specifications as objects, which it shares with the rows and with the pages before it. They are by
 * far the largest part of a page, and a page that is written again would otherwise have them once more.
 */
public final class JobPages {
    /** Identities are versions, so most pages have few jobs. */
    private static final int IDENTITY_BITS = 10;

    private static final long NO_PAGE = -1;
    private static final int NOT_COPIED = 0;

    private final NavigableMap<Long, Page> pages = new TreeMap<>();
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
        return new Copy(numbers, pages.values().toArray(Page[]::new));
    }

    private void renew(long page, SortedMap<Long, JobRow> jobs) {
        if (jobs.isEmpty()) {
            pages.remove(page);
            return;
        }
        pages.put(page, Page.of(jobs.values(), format));
    }

    /** The jobs of one page: all bytes but those of the specifications, and where the specifications belong. */
    static final class Page {
        private final byte[] bytes;
        private final int[] places;
        private final Specification[] specifications;

        private Page(byte[] bytes, int[] places, Specification[] specifications) {
            this.bytes = bytes;
            this.places = places;
            this.specifications = specifications;
        }

        private static Page of(Collection<JobRow> jobs, int format) {
            ByteWriter out = new ByteWriter();
            out.writeByte(SnapshotFormat.JOBS);
            int[] places = new int[jobs.size()];
            Specification[] specifications = new Specification[jobs.size()];
            int next = 0;
            for (JobRow job : jobs) {
                out.writeVarint(job.id().version());
                ValueCodec.writeHeader(out, job.header());
                ValueCodec.writeSpecificationLength(out, job.specification());
                places[next] = out.length();
                specifications[next++] = job.specification();
                job.writeRest(out, format);
            }
            return new Page(out.toBytes(), places, specifications);
        }

        Specification specification(int place) {
            return specifications[place];
        }

        byte[] toBytes() {
            int length = bytes.length;
            for (Specification specification : specifications) {
                length += specification.length();
            }
            byte[] whole = new byte[length];
            int taken = 0;
            int written = 0;
            for (int next = 0; next < places.length; next++) {
                int before = places[next] - taken;
                System.arraycopy(bytes, taken, whole, written, before);
                specifications[next].copyTo(whole, written + before);
                taken = places[next];
                written += before + specifications[next].length();
            }
            System.arraycopy(bytes, taken, whole, written, bytes.length - taken);
            return whole;
        }

        private boolean isSame(Page other) {
            return this == other
                    || (Arrays.equals(bytes, other.bytes)
                            && Arrays.equals(places, other.places)
                            && Arrays.equals(specifications, other.specifications));
        }
    }

    /** The pages at one moment. Any thread may read them. */
    public static final class Copy {
        private final long[] numbers;
        private final Page[] pages;

        private Copy(long[] numbers, Page[] pages) {
            this.numbers = numbers;
            this.pages = pages;
        }

        public int size() {
            return numbers.length;
        }

        public long number(int place) {
            return numbers[place];
        }

        Page page(int place) {
            return pages[place];
        }

        /** The bytes of the page of that number, which are made for each call. */
        public byte[] get(long number) {
            return pages[place(number)].toBytes();
        }

        public boolean has(long number) {
            return place(number) >= 0;
        }

        /** Returns whether both copies have the same page of that number. */
        public boolean isSame(long number, Copy earlier) {
            int place = place(number);
            int before = earlier.place(number);
            return place >= 0 && before >= 0 && pages[place].isSame(earlier.pages[before]);
        }

        private int place(long number) {
            return Arrays.binarySearch(numbers, number);
        }
    }
}
