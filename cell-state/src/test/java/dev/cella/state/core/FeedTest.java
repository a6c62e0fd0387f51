package dev.cella.state.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FeedTest {
    private static final Incarnation HERE = new Incarnation(7);
    private static final int RING_BYTES = 100;

    private final ManualTime time = new ManualTime();
    private final TaskQueue queue = new TaskQueue();
    private final ReplicaStats stats = new ReplicaStats();
    private CellVersion shown = version(0);
    private final Feed feed = new Feed(
            RING_BYTES,
            () -> new CellSnapshot(HERE, shown, List.of(bytes("first of " + shown), bytes("last of " + shown))),
            queue,
            time,
            stats);

    FeedTest() {
        feed.begin(HERE, shown);
    }

    @Test
    void next_fromSnapshot_givesItWholeAndThenChanges() {
        publish(3, "abc");
        FeedReader reader = feed.subscribe(FeedRequest.fromSnapshot());
        assertThat(snapshot(reader).last()).isFalse();
        publish(5, "de");
        assertThat(snapshot(reader).last()).isTrue();
        FeedFrame.Changes changes = changes(reader);
        assertThat(changes.last()).isEqualTo(version(5));
        assertThat(text(changes)).isEqualTo("de");
    }

    @Test
    void readers_areCountedWithHowFarTheSlowestIsBehind() {
        FeedReader slow = feed.subscribe(FeedRequest.after(HERE, version(0)));
        publish(1, "a");
        changes(slow);
        publish(5, "bcde");

        assertThat(feed.readers()).isEqualTo(1);
        assertThat(feed.versionsBehindMax()).isEqualTo(4);
        assertThat(feed.keptBytes()).isEqualTo(5);

        slow.close();
        assertThat(feed.readers()).isZero();
        assertThat(feed.versionsBehindMax()).isZero();
    }

    @Test
    void next_severalEntriesBehind_joinsThem() {
        publish(1, "a");
        publish(2, "b");
        publish(4, "cd");
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(1)));
        FeedFrame.Changes changes = changes(reader);
        assertThat(text(changes)).isEqualTo("bcd");
        assertThat(changes.digests()).isEqualTo(digests(4));
    }

    @Test
    void readersAtOnePlace_getOneFrame() {
        FeedReader first = feed.subscribe(FeedRequest.after(HERE, version(0)));
        FeedReader second = feed.subscribe(FeedRequest.after(HERE, version(0)));
        publish(1, "a");
        publish(2, "b");
        FeedFrame.Changes joined = changes(first);
        assertThat(changes(second)).isSameAs(joined);
        assertThat(text(joined)).isEqualTo("ab");
        assertThat(text(joined)).as("reading it moves nobody's place in it").isEqualTo("ab");

        publish(3, "c");
        FeedFrame.Changes single = changes(first);
        assertThat(changes(second)).isSameAs(single);
        assertThat(text(single)).isEqualTo("c");
        assertThat(text(changes(feed.subscribe(FeedRequest.after(HERE, version(1))))))
                .isEqualTo("bc");
    }

    @Test
    void next_fromSnapshotUpTo_beginsInThePastWhereChangesAreKeptSince() {
        publish(1, "a");
        publish(2, "b".repeat(RING_BYTES / 2));
        publish(3, "c");
        FeedReader before = feed.subscribe(FeedRequest.fromSnapshotUpTo(version(1)));
        assertThat(snapshot(before).version()).isEqualTo(version(0));
        snapshot(before);
        assertThat(text(changes(before))).startsWith("ab").endsWith("c");

        FeedReader after = feed.subscribe(FeedRequest.fromSnapshotUpTo(version(2)));
        assertThat(snapshot(after).version()).isEqualTo(version(2));
        snapshot(after);
        assertThat(text(changes(after))).isEqualTo("c");
    }

    @Test
    void next_fromSnapshotUpToWhatIsNotKept_beginsNow() {
        for (int entry = 1; entry <= 4; entry++) {
            publish(entry, "x".repeat(RING_BYTES / 2));
        }
        FeedReader reader = feed.subscribe(FeedRequest.fromSnapshotUpTo(version(1)));
        assertThat(snapshot(reader).version()).isEqualTo(version(4));
    }

    /** A feed that continues from another replica's checkpoint has nothing from before it. */
    @Test
    void startOver_forgetsThePast() {
        publish(1, "a");
        shown = version(9);
        feed.begin(HERE, shown);
        FeedReader reader = feed.subscribe(FeedRequest.fromSnapshotUpTo(version(1)));
        assertThat(snapshot(reader).version()).isEqualTo(version(9));
    }

    @Test
    void next_withinAnEntry_givesItWhole() {
        publish(4, "abcd");
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(2)));
        assertThat(text(changes(reader))).isEqualTo("abcd");
    }

    @Test
    void next_withNothingNew_waitsForIt() {
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(0)));
        CompletableFuture<FeedFrame> next = reader.next();
        queue.runAll();
        assertThat(next).isNotDone();
        publish(1, "a");
        queue.runAll();
        assertThat(next).isCompletedWithValueMatching(FeedFrame.Changes.class::isInstance);
    }

    @Test
    void next_withNothingNewForLong_isAHeartbeat() {
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(0)));
        CompletableFuture<FeedFrame> next = reader.next();
        queue.runAll();
        time.advance(Feed.HEARTBEAT);
        queue.runAll();
        assertThat(next).isCompletedWithValue(new FeedFrame.Heartbeat(version(0)));
        publish(1, "a");
        assertThat(text(changes(reader))).isEqualTo("a");
    }

    /** The change wakes the reader, and so does its heartbeat: the reader then asks twice before it is woken again. */
    @Test
    void heartbeatThatCrossesAPublication_leavesTheReaderWaiting() {
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(0)));
        List<FeedFrame> frames = new ArrayList<>();
        readAll(reader, frames);
        queue.runAll();
        publish(1, "a");
        time.advance(Feed.HEARTBEAT);

        queue.runAll();

        assertThat(frames).filteredOn(FeedFrame.Changes.class::isInstance).hasSize(1);
        assertThat(frames).filteredOn(FeedFrame.Heartbeat.class::isInstance).hasSizeLessThanOrEqualTo(1);
        publish(2, "b");
        queue.runAll();
        assertThat(text((FeedFrame.Changes) frames.get(frames.size() - 1))).isEqualTo("b");
    }

    private static void readAll(FeedReader reader, List<FeedFrame> frames) {
        var unused = reader.next().thenAccept(frame -> {
            frames.add(frame);
            readAll(reader, frames);
        });
    }

    @Test
    void next_tooSlowForTheRing_resyncsWithASnapshot() {
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(0)));
        for (int entry = 1; entry <= 3; entry++) {
            publish(entry, "x".repeat(RING_BYTES / 2));
        }
        assertThat(feed.versionsBehindMax()).isZero();
        assertThat(frame(reader)).isInstanceOf(FeedFrame.Resync.class);
        assertThat(stats.resyncs()).isEqualTo(1);
        assertThat(snapshot(reader).version()).isEqualTo(version(3));
        assertThat(snapshot(reader).last()).isTrue();
        publish(4, "y");
        assertThat(text(changes(reader))).isEqualTo("y");
    }

    @Test
    void next_ofAnotherIncarnation_resyncs() {
        publish(1, "a");
        FeedReader reader = feed.subscribe(FeedRequest.after(new Incarnation(8), version(1)));
        assertThat(frame(reader)).isInstanceOf(FeedFrame.Resync.class);
        assertThat(snapshot(reader).incarnation()).isEqualTo(HERE);
    }

    @Test
    void next_aheadOfThisReplica_waitsUntilItIsThere() {
        publish(1, "a");
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(3)));
        CompletableFuture<FeedFrame> next = reader.next();
        queue.runAll();
        publish(2, "b");
        publish(3, "c");
        queue.runAll();
        assertThat(next).isNotDone();

        publish(4, "d");
        queue.runAll();

        assertThat(text((FeedFrame.Changes) next.join())).isEqualTo("d");
    }

    @Test
    void next_aheadOfTheCellInNoSaidHistory_resyncs() {
        FeedReader reader = feed.subscribe(FeedRequest.after(Incarnation.UNSAID, version(9)));
        assertThat(frame(reader)).isInstanceOf(FeedFrame.Resync.class);
    }

    @Test
    void publish_oneEntryLargerThanTheRing_isKeptAlone() {
        publish(1, "x".repeat(2 * RING_BYTES));
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(0)));
        assertThat(text(changes(reader))).hasSize(2 * RING_BYTES);
    }

    @Test
    void close_whileWaiting_isNotAnsweredAnyMore() {
        FeedReader reader = feed.subscribe(FeedRequest.after(HERE, version(0)));
        CompletableFuture<FeedFrame> next = reader.next();
        queue.runAll();
        reader.close();
        publish(1, "a");
        time.advance(Feed.HEARTBEAT);
        queue.runAll();
        assertThat(next).isNotDone();
    }

    private void publish(long last, String data) {
        CellVersion before = shown;
        shown = version(last);
        feed.publish(HERE, before, shown, digests(last), bytes(data));
    }

    private FeedFrame frame(FeedReader reader) {
        CompletableFuture<FeedFrame> next = reader.next();
        queue.runAll();
        assertThat(next).isDone();
        return next.join();
    }

    private FeedFrame.Snapshot snapshot(FeedReader reader) {
        return (FeedFrame.Snapshot) frame(reader);
    }

    private FeedFrame.Changes changes(FeedReader reader) {
        return (FeedFrame.Changes) frame(reader);
    }

    private static String text(FeedFrame.Changes changes) {
        return StandardCharsets.UTF_8.decode(changes.data()).toString();
    }

    /** The head's digest is the version, so that a test can tell which version the digests belong to. */
    private static CellDigests digests(long version) {
        return new CellDigests(version, 0, 0, 0, 0, 0, 0, 0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static CellVersion version(long number) {
        return new CellVersion(number);
    }
}
