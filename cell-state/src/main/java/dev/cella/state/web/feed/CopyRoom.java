package dev.cella.state.web.feed;

import dev.cella.client.Problem;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Room for the copies of the cell that single readers of the feed by rows hold: a snapshot until its last row was taken, and a
 * past copy until its reader has caught up.
 *
 * <h2>Why it is bounded</h2> A copy shares its pages with the cell only until the cell writes to them, and its reader decides
 * how long it holds it. A few readers of a large cell could take the whole heap. So all copies together have a largest number
 * of rows. One copy always fits, because otherwise nobody could read a cell with more rows. A reader that has taken nothing
 * for a while loses its copy to one that needs the room.
 *
 * <p>Any thread may use it; its own monitor guards it.
 */
final class CopyRoom {
    /** After this time without a use, a copy may go. */
    static final Duration UNUSED_MAX = Duration.ofSeconds(30);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final int HEAP_PART = 4;
    private static final int BYTES_A_ROW = 256;

    private final Time time;
    private final long rowsMax;

    /** Those with room, the one that was used last at the end. */
    private final Set<Place<?>> places = new LinkedHashSet<>();

    private long rowsTaken;

    CopyRoom(Time time) {
        this(time, ReplicaLimits.withinHeap(Long.MAX_VALUE, HEAP_PART) / BYTES_A_ROW);
    }

    CopyRoom(Time time, long rowsMax) {
        this.time = time;
        this.rowsMax = rowsMax;
    }

    /** The answer to a reader that does not get room. */
    static Problem full() {
        return Problem.overloaded("Readers of the feed hold as many copies of the cell as this server has room for")
                .withHint("go on from a version, or ask for less: a job, a scheduler, or kinds=machine,job")
                .withRetryAfter(RETRY_AFTER);
    }

    /** Room for a copy with that many rows, if there is any. */
    <T> Optional<Place<T>> take(long rows) {
        List<Place<?>> lost = new ArrayList<>();
        Optional<Place<T>> taken = take(rows, lost);
        lost.forEach(Place::end);
        return taken;
    }

    private synchronized <T> Optional<Place<T>> take(long rows, List<Place<?>> lost) {
        for (Iterator<Place<?>> each = places.iterator(); each.hasNext() && !fits(rows); ) {
            Place<?> place = each.next();
            if (place.isUnused()) {
                each.remove();
                rowsTaken -= place.rows;
                lost.add(place);
            }
        }
        return fits(rows) ? Optional.of(add(new Place<>(rows))) : Optional.empty();
    }

    private boolean fits(long rows) {
        return places.isEmpty() || rowsTaken + rows <= rowsMax;
    }

    private <T> Place<T> add(Place<T> place) {
        places.add(place);
        rowsTaken += place.rows;
        return place;
    }

    private synchronized boolean remove(Place<?> place) {
        boolean removed = places.remove(place);
        rowsTaken -= removed ? place.rows : 0;
        return removed;
    }

    /** Moves the place to the end. Returns false if it was lost. */
    private synchronized boolean touch(Place<?> place) {
        if (!places.remove(place)) {
            return false;
        }
        place.usedAtNanos = time.monotonicNanos();
        return places.add(place);
    }

    /** Room for one copy of one reader. It may be lost once it holds the copy. */
    final class Place<T> {
        private final long rows;
        private long usedAtNanos = time.monotonicNanos();
        private volatile @Nullable T copy;
        private volatile Runnable ending = () -> {};

        private Place(long rows) {
            this.rows = rows;
        }

        /** @param onEnd is run when the copy goes, by its reader or because it was lost */
        void hold(T made, Runnable onEnd) {
            ending = onEnd;
            copy = made;
            touch(this);
        }

        private boolean isUnused() {
            return copy != null && time.monotonicNanos() - usedAtNanos >= UNUSED_MAX.toNanos();
        }

        /** The copy; empty if another reader has got its room. */
        Optional<T> use() {
            return touch(this) ? Optional.ofNullable(copy) : Optional.empty();
        }

        /** Gives the room back. */
        void leave() {
            if (remove(this)) {
                end();
            }
        }

        private void end() {
            copy = null;
            ending.run();
        }
    }
}
