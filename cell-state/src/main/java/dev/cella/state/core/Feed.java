package dev.cella.state.core;

import dev.cella.transactions.cell.CellDigests;
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
 * The ordered stream of changes to the cell, kept for a while in memory: the last so many bytes of it, a block an entry.
 *
 * <p>The apply thread puts a block in and goes on; it never waits for a reader and never calls one. Readers pull, each
 * at its own pace; a frame is a copy of the blocks that follow the reader's version. A reader that asks for what is no longer kept is told to resync and gets a
 * snapshot, taken for it at that moment (SEMANTICS section 6, "The feed"). Entries are whole: a reader whose version
 * lies within one gets all of it, and skips what it has.
 *
 * <p>Of the past it keeps a copy or two of the cell as well, from which those begin who want to see the rows as they were: the
 * changes alone do not say that. A copy shares all pages with the cell but those that were written since, and is made into bytes
 * only for a reader.
 *
 * <p>Guarded by its own monitor, which nobody holds while a snapshot is taken or a caller is answered.
 */
final class Feed {
    static final Duration HEARTBEAT = Duration.ofSeconds(5);
    /** So much is handed to a reader at once, unless one entry alone is more. */
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

    private static final int BASES_MAX = 2;
    private static final int BASES_A_RING = 4;

    private final long bytesMax;
    private final Supplier<CellSnapshot> snapshots;
    private final Executor answers;
    private final Time time;
    private final ReplicaStats stats;

    /** All that are subscribed. */
    private final Set<Reader> readers = ConcurrentHashMap.newKeySet();

    /** By the version before the entry. */
    private final TreeMap<CellVersion, Block> blocks = new TreeMap<>();

    /** Copies of the cell from which changes are kept, the oldest first. */
    private final Deque<CellSnapshot> bases = new ArrayDeque<>();

    private long bytesSinceBase;
    private final Set<Reader> waiting = new LinkedHashSet<>();
    private long bytes;
    private Incarnation incarnation = Incarnation.UNSAID;
    private CellVersion newest = CellVersion.NONE;

    Feed(long bytesMax, Supplier<CellSnapshot> snapshots, Executor answers, Time time, ReplicaStats stats) {
        this.bytesMax = bytesMax;
        this.snapshots = snapshots;
        this.answers = answers;
        this.time = time;
        this.stats = stats;
    }

    /** Starts at a version, the first or one further on: nothing before it can be read, other than as a snapshot. */
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

    /** The newest that is not newer than the version, and from which all changes are kept. */
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

    /** So many versions the slowest reader has not been given yet, of those that have begun. */
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

    /** The oldest copy of the cell from which all changes are kept. */
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

    /** What follows that version, as much as goes into one frame; a resync if it is not kept; nothing if there is no more. */
    private synchronized Optional<FeedFrame> following(Incarnation of, CellVersion version) {
        boolean known = of.accepts(incarnation);
        if (known && isNotBehind(of, version)) {
            return Optional.empty();
        }
        Map.Entry<CellVersion, Block> entry = known ? blocks.floorEntry(version) : null;
        if (entry == null || !entry.getValue().last.isAfter(version)) {
            return Optional.of(new FeedFrame.Resync("version " + version + " is not kept"));
        }
        return Optional.of(join(blocks.tailMap(entry.getKey(), true)));
    }

    /** Who is ahead of us in the same history has it from a replica that is further: it waits until we are there too. */
    private boolean isNotBehind(Incarnation of, CellVersion version) {
        return version.equals(newest) || (of.equals(incarnation) && version.isAfter(newest));
    }

    private static FeedFrame join(SortedMap<CellVersion, Block> following) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        Block last = following.values().iterator().next();
        for (Block block : following.values()) {
            if (data.size() > 0 && data.size() + block.data.length > FRAME_BYTES) {
                break;
            }
            data.writeBytes(block.data);
            last = block;
        }
        return new FeedFrame.Changes(last.last, last.digests, ByteBuffer.wrap(data.toByteArray()));
    }

    /** Registers a reader that has all there is; false if something came meanwhile. */
    private synchronized boolean waitAfter(Reader reader, CellVersion version) {
        return !newest.isAfter(version) && waiting.add(reader);
    }

    private synchronized void forget(Reader reader) {
        waiting.remove(reader);
    }

    /** One reader's place. Guarded by its own monitor, always taken before the feed's. */
    private final class Reader implements FeedReader {
        private final Deque<FeedFrame> prepared = new ArrayDeque<>();
        private Incarnation readIncarnation;
        private Optional<CellVersion> snapshotUpTo;
        private @Nullable CellVersion read;
        private @Nullable CompletableFuture<FeedFrame> asked;
        private Time.@Nullable Cancellation heartbeat;
        private boolean closed;

        /** The last version it was given, for those who measure; until it has begun, more than any. */
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

        /** Finds the frame and takes the question in one step, so that two that wake the reader cannot lose a frame. */
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
