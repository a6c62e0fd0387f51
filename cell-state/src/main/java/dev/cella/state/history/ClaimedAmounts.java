package dev.cella.state.history;

import dev.cella.state.history.RowRing.Segment;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.codec.ByteReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * How much of each machine was claimed, over time and by dimension, in bounded memory.
 *
 * <h2>Why samples</h2> The steps of tasks do not say what each of them held, and an update changes what a job asks. So the
 * amounts are read from the cell, a moment after they changed. They are exact at each sample; what came and went between two
 * samples is not seen.
 *
 * <h2>Cost</h2> A sample looks at {@value #SLOTS_A_SAMPLE_MAX} machines at most, and writes a row for those that have
 * changed. A larger cell is looked at in turns. One ring has every row, another one at most a row a minute of each machine:
 * it reaches further back.
 *
 * <p>Guarded by {@link CellHistory}.
 */
public final class ClaimedAmounts {
    private static final int SLOTS_A_SAMPLE_MAX = 5_000;
    private static final long COARSE_MILLIS = 60_000;
    private static final int POINTS_MAX = 1_000;

    /** The amounts claimed on the machine from that time on, in the order of the dimensions. */
    public record Point(long atMillis, long version, List<Long> claimed) {
        public Point {
            claimed = List.copyOf(claimed);
        }
    }

    private final RowRing fine;
    private final RowRing coarse;
    private long[] seenVersion = {};
    private long[] coarseMillis = {};
    private int nextSlot;

    ClaimedAmounts(long bytesMax) {
        fine = new RowRing(bytesMax / 2);
        coarse = new RowRing(bytesMax / 2);
    }

    // ---- writing

    /** Writes a row for each machine of this turn that has changed since its last one. */
    void sample(CellView view, long wallMillis) {
        int slots = view.machineSlots();
        if (seenVersion.length < slots) {
            seenVersion = Arrays.copyOf(seenVersion, slots + slots / 4);
            coarseMillis = Arrays.copyOf(coarseMillis, seenVersion.length);
        }
        int count = Math.min(slots, SLOTS_A_SAMPLE_MAX);
        for (int turn = 0; turn < count; turn++) {
            nextSlot = nextSlot < slots ? nextSlot : 0;
            sampleMachine(view, nextSlot, wallMillis);
            nextSlot++;
        }
    }

    private void sampleMachine(CellView view, int slot, long wallMillis) {
        if (!view.machineExists(slot) || view.changedVersion(slot) <= seenVersion[slot]) {
            return;
        }
        long version = view.version().number();
        seenVersion[slot] = version;
        add(fine, view, slot, version, wallMillis);
        // The clock may have been set back.
        if (Math.abs(wallMillis - coarseMillis[slot]) >= COARSE_MILLIS) {
            coarseMillis[slot] = wallMillis;
            add(coarse, view, slot, version, wallMillis);
        }
    }

    private static void add(RowRing ring, CellView view, int slot, long version, long wallMillis) {
        int dimensions = view.dimensions().size();
        ring.add(version, wallMillis, (out, names) -> {
            out.writeVarint(slot);
            out.writeVarint(dimensions);
            for (int dimension = 0; dimension < dimensions; dimension++) {
                out.writeSigned(view.capacity(slot, dimension) - view.free(slot, dimension));
            }
        });
    }

    // ---- questions

    /** The points of a machine that came with that version, the oldest first; older ones are of another machine. */
    List<Point> of(int slot, long registeredVersion, Span span) {
        List<Point> points = read(fine, slot, registeredVersion, span);
        long fineFrom = fine.oldestAfterADrop().map(Segment::firstMillis).orElse(Long.MIN_VALUE);
        List<Point> all = new ArrayList<>(read(coarse, slot, registeredVersion, span).stream()
                .filter(point -> point.atMillis() < fineFrom)
                .toList());
        all.addAll(points);
        return thinned(all);
    }

    private static List<Point> read(RowRing ring, int slot, long registeredVersion, Span span) {
        List<Point> points = new ArrayList<>();
        for (Segment segment : ring.oldestFirst()) {
            if (span.touches(segment) && segment.lastVersion() >= registeredVersion) {
                read(segment, slot, registeredVersion, span, points);
            }
        }
        return points;
    }

    private static void read(Segment segment, int slot, long registeredVersion, Span span, List<Point> into) {
        ByteReader in = segment.reader();
        long version = segment.firstVersion();
        long millis = segment.firstMillis();
        while (in.hasRemaining()) {
            version += in.readVarint();
            millis = Math.max(millis, millis + in.readSigned());
            boolean isAsked = in.readInt() == slot && version >= registeredVersion && span.has(version, millis);
            long[] claimed = new long[in.readInt()];
            for (int dimension = 0; dimension < claimed.length; dimension++) {
                claimed[dimension] = in.readSigned();
            }
            if (isAsked) {
                into.add(new Point(
                        millis, version, Arrays.stream(claimed).boxed().toList()));
            }
        }
    }

    /** Every second point, or third, and so on; always the newest one. */
    private static List<Point> thinned(List<Point> points) {
        int step = (points.size() + POINTS_MAX - 1) / POINTS_MAX;
        if (step <= 1) {
            return points;
        }
        List<Point> kept = new ArrayList<>();
        for (int place = points.size() - 1; place >= 0; place -= step) {
            kept.add(points.get(place));
        }
        Collections.reverse(kept);
        return kept;
    }
}
