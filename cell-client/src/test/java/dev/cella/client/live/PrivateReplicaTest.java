package dev.cella.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cella.client.Problem;
import dev.cella.client.live.FakeFeed.Watcher;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.model.CellVersion;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class PrivateReplicaTest {
    private static final Duration NEVER_SILENT = Duration.ofHours(1);

    private final TestCell cell = new TestCell(7);
    private final FakeFeed feed = new FakeFeed();
    private final FakeServer server = new FakeServer(feed);
    private final CellConnection connection = CellConnection.open(server.address());
    private final ScheduledExecutorService owner = Executors.newSingleThreadScheduledExecutor();
    private final Recorder heard = new Recorder();
    private PrivateReplica replica = replica(NEVER_SILENT);

    private PrivateReplica replica(Duration silence) {
        Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(5), new Random(1));
        return new PrivateReplica(connection, owner, backoff, heard, silence);
    }

    /** Records its calls: R and the version of a new copy, A and the version it advanced to, m and a touched machine. */
    private static final class Recorder implements ReplicaListener, TouchedRows {
        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void replaced(CellView view) {
            told.add("R" + view.version());
        }

        @Override
        public TouchedRows touchedRows() {
            return this;
        }

        @Override
        public void advanced(CellView view) {
            told.add("A" + view.version());
        }

        @Override
        public void machine(int slot) {
            told.add("m" + slot);
        }
    }

    @BeforeEach
    void start() {
        replica.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        replica.close();
        owner.shutdownNow();
        assertThat(owner.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        connection.close();
        server.close();
    }

    private long version() {
        return cell.version().number();
    }

    /** Makes one change in the cell and sends it. */
    private void change(Watcher watcher) {
        byte[] changes = cell.putMachine();
        watcher.changes(version(), changes);
    }

    private void awaitAndCompare() {
        CompletableFuture<Long> digest = replica.awaitVersion(cell.version()).thenApply(CellView::digest);
        assertThat(digest.orTimeout(120, TimeUnit.SECONDS).join()).isEqualTo(cell.digest());
    }

    @Test
    void snapshotThenChanges_showTheCell() throws InterruptedException {
        Watcher watcher = feed.next();
        assertThat(watcher.request()).isEqualTo(WatchRequest.getDefaultInstance());
        watcher.snapshot(cell);
        change(watcher);
        change(watcher);
        watcher.heartbeat(version());

        awaitAndCompare();
        assertThat(heard.told).containsExactly("R3", "m1", "A4", "m2", "A5");
    }

    @Test
    void lostStream_isResumedAtItsPlace() throws InterruptedException {
        Watcher first = feed.next();
        first.snapshot(cell);
        change(first);
        awaitAndCompare();
        first.drop();

        Watcher second = feed.next();
        assertThat(second.request())
                .isEqualTo(WatchRequest.newBuilder()
                        .setIncarnation(7)
                        .setFromVersion(4)
                        .build());
        change(second);

        awaitAndCompare();
        assertThat(heard.told).containsExactly("R3", "m1", "A4", "m2", "A5");
    }

    @Test
    void versionsItHasAlready_areSkipped() throws InterruptedException {
        Watcher watcher = feed.next();
        watcher.snapshot(cell);
        byte[] fourth = cell.putMachine();
        byte[] fifth = cell.putMachine();
        watcher.changes(4, fourth);
        watcher.changes(4, fourth);
        watcher.changes(5, joined(fourth, fifth));
        watcher.changes(5, fifth);

        awaitAndCompare();
        assertThat(heard.told).containsExactly("R3", "m1", "A4", "m2", "A5");
    }

    private static byte[] joined(byte[]... frames) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            joined.writeBytes(frame);
        }
        return joined.toByteArray();
    }

    @Test
    void resync_takesAnotherCopy() throws InterruptedException {
        Watcher watcher = feed.next();
        watcher.snapshot(cell);
        cell.putMachine();
        cell.putMachine();
        watcher.resync();
        watcher.snapshot(cell);

        awaitAndCompare();
        assertThat(heard.told).containsExactly("R3", "R5");
    }

    @Test
    void snapshotCutOff_isBegunAgainWhole() throws InterruptedException {
        Watcher first = feed.next();
        first.chunk(cell, cell.snapshot().get(0), false);
        first.drop();

        feed.next().snapshot(cell);

        awaitAndCompare();
        assertThat(heard.told).containsExactly("R3");
    }

    @Test
    void gap_endsInASnapshot() throws InterruptedException {
        Watcher first = feed.next();
        first.snapshot(cell);
        cell.putMachine();
        change(first);

        Watcher second = feed.next();
        assertThat(second.request()).isEqualTo(WatchRequest.getDefaultInstance());
        second.snapshot(cell);

        awaitAndCompare();
        assertThat(heard.told).containsExactly("R3", "R5");
    }

    @Test
    void damage_endsInASnapshot() throws InterruptedException {
        Watcher first = feed.next();
        first.snapshot(cell);
        first.changes(4, new byte[] {3, 1, 2});

        feed.next().snapshot(cell);

        awaitAndCompare();
    }

    @Test
    void digestsOfTheCell_areTheCopysToo() throws InterruptedException {
        Watcher watcher = feed.next();
        watcher.snapshot(cell);
        byte[] changes = cell.putMachine();
        watcher.changes(version(), changes, cell.digests());

        awaitAndCompare();
        assertThat(replica.mismatches()).isZero();
        assertThat(heard.told).containsExactly("R3", "m1", "A4");
    }

    @Test
    void otherDigests_endInASnapshotAndAreCounted() throws InterruptedException {
        Watcher watcher = feed.next();
        watcher.snapshot(cell);
        CellDigests before = cell.digests();
        byte[] changes = cell.putMachine();
        watcher.changes(version(), changes, before);

        Watcher second = feed.next();
        assertThat(second.request()).isEqualTo(WatchRequest.getDefaultInstance());
        second.snapshot(cell);

        awaitAndCompare();
        assertThat(replica.mismatches()).isEqualTo(1);
        assertThat(heard.told).containsExactly("R3", "m1", "R4");
    }

    @Test
    void silence_endsTheStream() throws InterruptedException {
        Watcher patient = feed.next();
        PrivateReplica anxious = replica(Duration.ofMillis(20));
        anxious.start();
        Watcher quiet = feed.next();

        Watcher again = feed.next();

        assertThat(again).isNotIn(patient, quiet);
        anxious.close();
    }

    @Test
    void anotherHistory_failsWhatIsAwaited() throws InterruptedException {
        Watcher watcher = feed.next();
        watcher.snapshot(cell);
        awaitAndCompare();
        CompletableFuture<CellView> later = replica.awaitVersion(new CellVersion(100));

        TestCell restored = new TestCell(8);
        watcher.resync();
        watcher.snapshot(restored);

        assertThatThrownBy(later::join).hasCauseInstanceOf(Problem.class);
    }

    @Test
    void close_failsWhatIsAwaited() {
        CompletableFuture<CellView> never = replica.awaitVersion(new CellVersion(100));

        replica.close();

        assertThatThrownBy(never::join).hasCauseInstanceOf(Problem.class);
        assertThatThrownBy(() -> replica.awaitVersion(new CellVersion(100)).join())
                .hasCauseInstanceOf(Problem.class);
    }

    /** A feed at its worst: it drops the stream, repeats itself, sends whole entries again, and forgets. */
    @Test
    void anyMixOfFaults_endsWithTheSameDigest() throws InterruptedException {
        long seed = Long.getLong("cella.seed", 1);
        Random random = new Random(seed);
        TreeMap<Long, byte[]> kept = new TreeMap<>();
        Watcher watcher = feed.next();
        long sent = 0;
        for (int step = 0; step < 300; step++) {
            byte[] changes = cell.putMachine();
            kept.put(version(), changes);
            switch (random.nextInt(12)) {
                case 0 -> {
                    watcher.drop();
                    watcher = feed.next();
                    sent = watcher.request().getFromVersion();
                }
                case 1 -> {
                    watcher.resync();
                    sent = 0;
                }
                case 2 -> watcher.heartbeat(sent);
                case 3 -> sent = Math.max(0, sent - random.nextInt(4));
                default -> {
                    // The wire behaves for once.
                }
            }
            sent = send(watcher, kept, sent);
        }

        assertThat(replica.awaitVersion(cell.version())
                        .thenApply(CellView::digest)
                        .join())
                .as("seed %d", seed)
                .isEqualTo(cell.digest());
        assertThat(advances()).as("seed %d", seed).isSorted();
    }

    /** Sends what follows a version, as a snapshot where it is not kept. */
    private long send(Watcher watcher, NavigableMap<Long, byte[]> kept, long from) {
        if (kept.containsKey(from + 1)) {
            watcher.changes(version(), joined(kept.tailMap(from, false).values().toArray(byte[][]::new)));
        } else {
            watcher.snapshot(cell);
        }
        return version();
    }

    private List<Long> advances() {
        List<Long> versions = new ArrayList<>();
        for (String told : heard.told) {
            if (!told.startsWith("m")) {
                versions.add(Long.parseLong(told.substring(1)));
            }
        }
        return versions;
    }
}
