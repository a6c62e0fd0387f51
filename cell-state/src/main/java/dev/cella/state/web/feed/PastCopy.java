package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.state.core.FeedFrame;
import dev.cella.state.core.FeedReader;
import dev.cella.state.web.feed.FeedProjection.Snapshot;
import dev.cella.transactions.model.Incarnation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the cell at one past version. It starts from an older copy that the feed keeps and applies the changes up to the
 * requested version. Made for one reader; its frames come one after another.
 */
final class PastCopy {
    private final FeedReader feed;
    private final JsonCodec codec;
    private final long version;
    private final FeedFilter filter;
    private final List<byte[]> loading = new ArrayList<>();
    private final CompletableFuture<Optional<Snapshot>> made = new CompletableFuture<>();
    private Incarnation incarnation = Incarnation.UNSAID;
    private @Nullable RowReplica cell;

    private PastCopy(FeedReader feed, JsonCodec codec, long version, FeedFilter filter) {
        this.feed = feed;
        this.codec = codec;
        this.version = version;
        this.filter = filter;
    }

    /** The rows that the filter shows; empty if the changes of that version are no longer kept. */
    static CompletableFuture<Optional<Snapshot>> of(FeedReader feed, JsonCodec codec, long version, FeedFilter filter) {
        PastCopy copy = new PastCopy(feed, codec, version, filter);
        copy.ask();
        return copy.made.whenComplete((snapshot, failure) -> feed.close());
    }

    private void ask() {
        var unused = feed.next().thenAccept(this::take).whenComplete((taken, failure) -> {
            if (failure != null) {
                made.completeExceptionally(failure);
            } else if (!made.isDone()) {
                ask();
            }
        });
    }

    private void take(FeedFrame frame) {
        if (frame instanceof FeedFrame.Snapshot snapshot) {
            load(snapshot);
        } else if (frame instanceof FeedFrame.Changes changes && cell != null) {
            cell.applyUpTo(FeedProjection.bytes(changes.data()), version);
        } else {
            made.complete(Optional.empty());
        }
        if (cell != null && cell.version() == version) {
            made.complete(Optional.of(new Snapshot(version, incarnation, cell.rows(filter))));
        }
    }

    private void load(FeedFrame.Snapshot snapshot) {
        if (snapshot.version().number() > version) {
            made.complete(Optional.empty());
            return;
        }
        incarnation = snapshot.incarnation();
        loading.add(FeedProjection.bytes(snapshot.data()));
        if (snapshot.last()) {
            cell = new RowReplica(codec, loading, filter.brief());
            loading.clear();
        }
    }
}
