package dev.cella.state.core;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Incarnation;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ordered stream of changes to the cell. Memory keeps the latest part of it, up to a number of bytes, one block per entry.
 *
 * <p>The apply thread adds a block and goes on; it never waits for a reader and never calls one. Readers pull, each at its own
 * pace. A frame has the blocks that follow the reader's version. Most readers are at one place, so a frame of several blocks is
 * joined once for all of them; one block is a frame as it is. A reader that asks for a part that is no longer kept
 * is told to resync and gets a snapshot, which is taken at that moment (SEMANTICS section 6, "The feed"). Entries are whole: a
 * reader whose version lies within an entry gets all of it, and skips the part it has.
 *
 * <p>The feed also keeps one or two past copies of the cell, for readers that want to see rows as they were, which changes
 * alone do not show. A copy shares all pages with the cell except those written since, and is turned into bytes only for a
 * reader.
 *
 * <p>Guarded by its own monitor. No thread holds it while it takes a snapshot or answers a caller.
 */
final class Feed {
    static final Duration HEARTBEAT = Duration.ofSeconds(5);
    /** The size of a frame, unless one entry alone is larger. */
    static final int FRAME_BYTES = 256 << 10;

    /** The changes of one log entry, from the version before it to its last. */
    private static final class Block {
        private final CellVersion last;
        private final CellDigests digests;
        private final byte[] data;

        Block(CellVersion last, CellDigests digests, byte[] data) {
            this.last = last;
            this.digests = digests;
            this.data = data;
        }
    }

    /** A frame, and the blocks that it was made of. */
    private record Joined(List<Block> blocks, FeedFrame.Changes frame) {}

    private static final int BASES_MAX = 2;
    private static final int BASES_A_RING = 4;

    private final long bytesMax;
    private final Supplier<CellSnapshot> snapshots;
    private final Executor answers;
    private final Time time;
    private final ReplicaStats stats;

    /** All subscribed readers. */
    private final Set<Reader> readers = ConcurrentHashMap.newKeySet();

    /** By the version before the entry. */
    private final TreeMap<CellVersion, Block> blocks = new TreeMap<>();

    /** Copies of the cell, the oldest first. All changes since each of them are kept. */
    private final Deque<CellSnapshot> bases = new ArrayDeque<>();

    private long bytesSinceBase;
    private final Set<Reader> waiting = new LinkedHashSet<>();
    private long bytes;
    private Incarnation incarnation = Incarnation.UNSAID;

    /** The frame that was joined last. Two threads may join the same one at the same time; then either may stay. */
    private volatile @Nullable Joined joined;

    private CellVersion newest = CellVersion.NONE;

    Feed(long bytesMax, Supplier<CellSnapshot> snapshots, Executor answers, Time time, ReplicaStats stats) {
        this.bytesMax = bytesMax;
        this.snapshots = snapshots;
        this.answers = answers;
        this.time = time;
        this.stats = stats;
    }

    /** Starts at a version. Earlier versions can only be read as a snapshot. */
    void begin(Incarnation ofCell, CellVersion version) {
        CellSnapshot base = snapshots.get();
        List<Reader> woken;
        synchronized (this) {
            blocks.clear();
            bases.clear();
            addBase(base);
            bytes = 0;
            incarnation = ofCell;
            newest = version;
            woken = takeWaiting();
        }
        wake(woken);
    }

    /** Called by the apply thread after each entry. */
    void publish(Incarnation ofCell, CellVersion before, CellVersion last, CellDigests digests, byte[] data) {
        List<Reader> woken;
        synchronized (this) {
            incarnation = ofCell;
            keep(before, new Block(last, digests, data));
            woken = takeWaiting();
        }
        wake(woken);
        if (isBaseDue()) {
            addBase(snapshots.get());
        }
    }

    private synchronized boolean isBaseDue() {
        return bytesSinceBase > bytesMax / BASES_A_RING;
    }

    private synchronized void addBase(CellSnapshot base) {
        bases.add(base);
        bytesSinceBase = 0;
        while (bases.size() > BASES_MAX) {
            bases.remove();
        }
    }

    /** The newest copy that is not newer than the version and from which all changes are kept. */
    private synchronized Optional<CellSnapshot> baseUpTo(CellVersion version) {
        return bases.stream()
                .filter(base -> !base.version().isAfter(version))
                .filter(base -> base.version().equals(newest) || blocks.containsKey(base.version()))
                .reduce((older, newer) -> newer);
    }

    private List<Reader> takeWaiting() {
        List<Reader> taken = new ArrayList<>(waiting);
        waiting.clear();
        return taken;
    }

    private void wake(List<Reader> readers) {
        if (!readers.isEmpty()) {
            answers.execute(() -> readers.forEach(Reader::wake));
        }
    }

    private void keep(CellVersion before, Block block) {
        blocks.put(before, block);
        bytes += block.data.length;
        bytesSinceBase += block.data.length;
        newest = block.last;
        while (bytes > bytesMax && blocks.size() > 1) {
            bytes -= blocks.pollFirstEntry().getValue().data.length;
        }
    }

    FeedReader subscribe(FeedRequest request) {
        Reader reader = new Reader(request);
        readers.add(reader);
        return reader;
    }

    int readers() {
        return readers.size();
    }

    /** How many versions behind the slowest reader is, among those that have begun. */
    long versionsBehindMax() {
        long shown = newest().number();
        return readers.stream()
                .mapToLong(reader -> Math.max(0, shown - reader.given))
                .max()
                .orElse(0);
    }

    private synchronized CellVersion newest() {
        return newest;
    }

    /** The version of the oldest copy of the cell from which all changes are kept. */
    synchronized CellVersion keptFrom() {
        return bases.stream()
                .map(CellSnapshot::version)
                .filter(version -> version.equals(newest) || blocks.containsKey(version))
                .findFirst()
                .orElse(newest);
    }

    synchronized long keptBytes() {
        return bytes;
    }

    /** The next frame after that version. It is a resync if the changes are not kept, and empty if there are none. */
    private Optional<FeedFrame> following(Incarnation of, CellVersion version) {
        return blocksAfter(of, version)
                .map(blocks ->
                        blocks.isEmpty() ? new FeedFrame.Resync("version " + version + " is not kept") : join(blocks));
    }

    /** The blocks of the next frame; none if they are not kept, and empty if there are no changes. */
    private synchronized Optional<List<Block>> blocksAfter(Incarnation of, CellVersion version) {
        boolean known = of.accepts(incarnation);
        if (known && isNotBehind(of, version)) {
            return Optional.empty();
        }
        Map.Entry<CellVersion, Block> entry = known ? blocks.floorEntry(version) : null;
        if (entry == null || !entry.getValue().last.isAfter(version)) {
            return Optional.of(List.of());
        }
        return Optional.of(frame(blocks.tailMap(entry.getKey(), true)));
    }

    private static List<Block> frame(SortedMap<CellVersion, Block> following) {
        List<Block> frame = new ArrayList<>();
        int size = 0;
        for (Block block : following.values()) {
            if (size > 0 && size + block.data.length > FRAME_BYTES) {
                break;
            }
            frame.add(block);
            size += block.data.length;
        }
        return frame;
    }

    /** A reader ahead of us in the same history followed a replica that has applied more. It waits. */
    private boolean isNotBehind(Incarnation of, CellVersion version) {
        return version.equals(newest) || (of.equals(incarnation) && version.isAfter(newest));
    }

    /** The frame of these blocks. The caller does not hold the monitor, for which the apply thread would wait. */
    private FeedFrame join(List<Block> blocks) {
        Joined before = joined;
        if (before != null && before.blocks.equals(blocks)) {
            return before.frame;
        }
        Block last = blocks.get(blocks.size() - 1);
        byte[] data = blocks.size() == 1 ? last.data : copied(blocks);
        FeedFrame.Changes frame = new FeedFrame.Changes(last.last, last.digests, ByteBuffer.wrap(data));
        joined = new Joined(blocks, frame);
        return frame;
    }

    private static byte[] copied(List<Block> blocks) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        blocks.forEach(block -> data.writeBytes(block.data));
        return data.toByteArray();
    }

    /** Registers a reader that has everything. Returns false if something came in the meantime. */
    private synchronized boolean waitAfter(Reader reader, CellVersion version) {
        if (newest.isAfter(version)) {
            return false;
        }
        waiting.add(reader);
        return true;
    }

    private synchronized void forget(Reader reader) {
        waiting.remove(reader);
    }

    /** One reader's place. Guarded by its own monitor, which is always taken before the feed's. */
    private final class Reader implements FeedReader {
        private final Deque<FeedFrame> prepared = new ArrayDeque<>();
        private Incarnation readIncarnation;
        private Optional<CellVersion> snapshotUpTo;
        private @Nullable CellVersion read;
        private @Nullable CompletableFuture<FeedFrame> asked;
        private Time.@Nullable Cancellation heartbeat;
        private boolean closed;

        /**
         * The last version that it was given, for measurements. Before the first frame it is larger than any version.
         */
        private volatile long given = Long.MAX_VALUE;

        Reader(FeedRequest request) {
            this.readIncarnation = request.incarnation();
            this.read = request.from().orElse(null);
            this.snapshotUpTo = request.snapshotUpTo();
        }

        @Override
        public CompletableFuture<FeedFrame> next() {
            CompletableFuture<FeedFrame> next = new CompletableFuture<>();
            synchronized (this) {
                if (asked != null) {
                    throw new IllegalStateException("the frame asked for before has not come yet");
                }
                asked = next;
                heartbeat = time.after(HEARTBEAT, this::beat);
            }
            answers.execute(this::wake);
            return next;
        }

        private void wake() {
            answerWith(this::frameOrWait);
        }

        private void beat() {
            answers.execute(() -> answerWith(this::heartbeat));
        }

        /**
         * Finds the frame and takes the request in one step, so that two threads that wake the reader cannot lose a frame.
         */
        private void answerWith(Supplier<@Nullable FeedFrame> frames) {
            CompletableFuture<FeedFrame> answered;
            FeedFrame frame;
            synchronized (this) {
                if (asked == null || closed) {
                    return;
                }
                answered = asked;
                frame = frames.get();
                if (frame == null) {
                    return;
                }
                stopAsking();
            }
            answered.complete(frame);
        }

        private void stopAsking() {
            asked = null;
            if (heartbeat != null) {
                heartbeat.cancel();
                heartbeat = null;
            }
            forget(this);
        }

        private @Nullable FeedFrame heartbeat() {
            return read == null ? null : new FeedFrame.Heartbeat(read);
        }

        private @Nullable FeedFrame frameOrWait() {
            if (!prepared.isEmpty()) {
                return prepared.poll();
            }
            if (read == null) {
                return beginSnapshot();
            }
            return changesOrWait(read);
        }

        private @Nullable FeedFrame changesOrWait(CellVersion after) {
            Optional<FeedFrame> found = following(readIncarnation, after);
            if (found.isEmpty()) {
                return waitAfter(this, after) ? null : changesOrWait(after);
            }
            read = found.get() instanceof FeedFrame.Changes changes ? changes.last() : null;
            given = read == null ? Long.MAX_VALUE : read.number();
            if (read == null) {
                stats.resynced();
            }
            return found.get();
        }

        private @Nullable FeedFrame beginSnapshot() {
            CellSnapshot snapshot = snapshotUpTo.flatMap(Feed.this::baseUpTo).orElseGet(snapshots);
            snapshotUpTo = Optional.empty();
            readIncarnation = snapshot.incarnation();
            read = snapshot.version();
            prepared.addAll(snapshot.frames());
            given = snapshot.version().number();
            return prepared.poll();
        }

        @Override
        public synchronized void close() {
            closed = true;
            readers.remove(this);
            prepared.clear();
            stopAsking();
        }
    }
}
