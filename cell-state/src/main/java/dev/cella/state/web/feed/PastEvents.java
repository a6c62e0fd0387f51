package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.FeedFrame;
import dev.cella.state.core.FeedReader;
import dev.cella.state.web.feed.FeedProjection.Changes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events after a version that nobody read when they happened, for one reader, until it has caught up with the {@link
 * FeedProjection}. They are made from an old copy of the cell that the feed keeps, and the changes since.
 *
 * <p>The next frame of changes is requested when the events of the previous one are taken, so a slow reader costs only one
 * frame. Guarded by its own monitor.
 */
final class PastEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PastEvents.class);

    private final FeedReader feed;
    private final JsonCodec codec;
    private final long after;
    private final boolean brief;
    private final Runnable wake;
    private final List<byte[]> loading = new ArrayList<>();
    private final Deque<VersionChange> made = new ArrayDeque<>();
    private @Nullable RowReplica cell;
    private boolean asked;
    private boolean lost;

    PastEvents(FeedReader feed, JsonCodec codec, long after, boolean brief, Runnable wake) {
        this.feed = feed;
        this.codec = codec;
        this.after = after;
        this.brief = brief;
        this.wake = wake;
    }

    /** The next events; if they are not made yet, none, and the reader is woken later. */
    synchronized Changes next(int eventsMax) {
        if (lost) {
            return Changes.LOST;
        }
        List<VersionChange> taken = new ArrayList<>();
        while (!made.isEmpty() && taken.size() < eventsMax) {
            taken.add(made.remove());
        }
        if (made.isEmpty()) {
            ask();
        }
        return new Changes(false, taken);
    }

    private void ask() {
        if (!asked) {
            asked = true;
            var unused = feed.next().thenAccept(this::take).whenComplete((taken, failure) -> {
                if (failure != null) {
                    fail(failure);
                }
                wake.run();
            });
        }
    }

    private synchronized void take(FeedFrame frame) {
        asked = false;
        if (frame instanceof FeedFrame.Snapshot snapshot) {
            load(snapshot);
        } else if (frame instanceof FeedFrame.Changes changes && cell != null) {
            made.addAll(cell.events(FeedProjection.bytes(changes.data()), after, List.of()));
        } else if (frame instanceof FeedFrame.Resync) {
            lost = true;
        }
    }

    /** The feed has no copy that old and gave a newer one. */
    private void load(FeedFrame.Snapshot snapshot) {
        lost = snapshot.version().number() > after;
        loading.add(FeedProjection.bytes(snapshot.data()));
        if (snapshot.last() && !lost) {
            cell = new RowReplica(codec, loading, brief);
            loading.clear();
        }
    }

    private synchronized void fail(Throwable failure) {
        LOG.error("The events after version {} could not be made; their reader resyncs", after, failure);
        lost = true;
    }

    void close() {
        feed.close();
    }
}
