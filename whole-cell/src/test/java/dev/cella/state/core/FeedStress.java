package dev.cella.state.core;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.model.CellVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** A reader that asks while the next entry is published is woken for it or finds it: it never misses it. */
@JCStressTest
@State
@Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "the entry that was published")
public class FeedStress {
    private static final CellVersion BEFORE = new CellVersion(4);
    private static final CellVersion LAST = new CellVersion(5);
    private static final CellSnapshot SNAPSHOT = new CellSnapshot(SharedCell.INCARNATION, BEFORE, List.of(new byte[0]));
    private static final CellDigests DIGESTS = new CellDigests(1, 2, 3, 4, 5, 6, 7, 8);

    private final Feed feed = new Feed(1_000, () -> SNAPSHOT, Runnable::run, StillTime.STILL, new ReplicaStats());
    private final FeedReader reader;
    private @Nullable CompletableFuture<FeedFrame> asked;

    public FeedStress() {
        feed.begin(SharedCell.INCARNATION, BEFORE);
        reader = feed.subscribe(FeedRequest.after(SharedCell.INCARNATION, BEFORE));
    }

    @Actor
    public void publish() {
        feed.publish(SharedCell.INCARNATION, BEFORE, LAST, DIGESTS, new byte[] {1});
    }

    @Actor
    public void ask() {
        asked = reader.next();
    }

    @Arbiter
    public void look(J_Result result) {
        FeedFrame frame = asked == null ? null : asked.getNow(null);
        result.r1 = frame instanceof FeedFrame.Changes changes ? changes.last().number() : 0;
    }

    /** No heartbeat ever comes to the rescue. */
    enum StillTime implements Time {
        STILL;

        @Override
        public long monotonicNanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public Cancellation after(Duration delay, Runnable task) {
            return () -> {};
        }
    }
}
