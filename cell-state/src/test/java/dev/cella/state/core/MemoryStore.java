package dev.cella.state.core;

import dev.cella.transactions.cell.copies.CellCopy;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A store in memory. It outlives the replica that uses it, and can lose incomplete checkpoints. */
final class MemoryStore implements CellStore, CellCopy.Pages {
    private record Kept(Checkpoint checkpoint, Map<ColdKey, byte[]> cold, NavigableMap<Long, byte[]> outcomes) {}

    private final List<Kept> checkpoints = new ArrayList<>();
    private boolean closed;
    private boolean restoring;
    private Runnable whileRestoring = () -> {};
    private Map<ColdKey, byte[]> live = new HashMap<>();

    /** The outcomes of an entry, by the version of the last one. */
    private NavigableMap<Long, byte[]> outcomes = new TreeMap<>();

    private final SortedMap<Long, byte[]> pages = new TreeMap<>();
    private @Nullable HotPages written;
    private int refused;
    private LogPosition older = LogPosition.START;
    private LogPosition newest = LogPosition.START;

    @Override
    public Optional<CheckpointHead> restore(CheckpointLoader loader) {
        restoring = true;
        whileRestoring.run();
        Optional<CheckpointHead> restored = restoreNewest(loader);
        restoring = false;
        return restored;
    }

    /** Runs that each time that the store is restored, before it has anything. */
    void whileRestoring(Runnable task) {
        whileRestoring = task;
    }

    private Optional<CheckpointHead> restoreNewest(CheckpointLoader loader) {
        older = LogPosition.START;
        newest = LogPosition.START;
        live = new HashMap<>();
        outcomes = new TreeMap<>();
        written = null;
        while (!checkpoints.isEmpty()) {
            Kept kept = checkpoints.get(checkpoints.size() - 1);
            try {
                loader.load(kept.checkpoint);
                live = new HashMap<>(kept.cold);
                outcomes = new TreeMap<>(kept.outcomes);
                newest = kept.checkpoint.head().position();
                return Optional.of(kept.checkpoint.head());
            } catch (DamagedCheckpointException damaged) {
                refused++;
                checkpoints.remove(kept);
            }
        }
        return Optional.empty();
    }

    /** Makes the newest checkpoint's head contradict its tables. */
    void tearNewest() {
        changeNewest(0, 1);
    }

    /** Makes the newest checkpoint one of a cell at a feature level that this program does not know. */
    void raiseNewest() {
        changeNewest(EntryCodec.FEATURE_LEVEL_MAX, 0);
    }

    private void changeNewest(int levels, long bits) {
        Kept kept = checkpoints.remove(checkpoints.size() - 1);
        CheckpointHead head = kept.checkpoint.head();
        CheckpointHead torn = new CheckpointHead(
                head.cell(),
                head.incarnation(),
                head.position(),
                head.version(),
                head.cellTime(),
                head.featureLevel() + levels,
                head.digest() ^ bits);
        checkpoints.add(new Kept(new Checkpoint(torn, kept.checkpoint.hot()), kept.cold, kept.outcomes));
    }

    /** How many the loader has refused. */
    int refused() {
        return refused;
    }

    /** The digests of the newest checkpoint's tables. */
    long hotBytes() {
        return checkpoints.get(checkpoints.size() - 1).checkpoint.hot().stream()
                .mapToLong(page -> page.length)
                .sum();
    }

    /** Outcomes that can be found. */
    int outcomes() {
        long last = outcomes.isEmpty() ? 0 : outcomes.lastKey();
        return (int) LongStream.rangeClosed(1, last)
                .filter(version -> outcome(version).isPresent())
                .count();
    }

    int checkpoints() {
        return checkpoints.size();
    }

    @Override
    public Optional<byte[]> cold(ColdKey key) {
        if (closed || restoring) {
            throw new StoreUnavailableException("the store is closed");
        }
        return key.isOutcome() ? outcome(key.version()) : Optional.ofNullable(live.get(key));
    }

    private Optional<byte[]> outcome(long version) {
        Map.Entry<Long, byte[]> entry = outcomes.ceilingEntry(version);
        return entry == null ? Optional.empty() : EntryOutcomes.find(entry.getValue(), new CellVersion(version));
    }

    @Override
    public long write(SealedCell sealed, ColdChanges changes) {
        Checkpoint checkpoint = new Checkpoint(sealed.head(), pages(sealed.pages()));
        changes.forEach(new ColdChanges.Rows() {
            @Override
            public void put(ColdKey key, byte[] row) {
                if (key.isOutcome()) {
                    outcomes.put(key.version(), row);
                } else {
                    live.put(key, row);
                }
            }

            @Override
            public void drop(JobId job, int lastGeneration) {
                for (int generation = 1; generation <= lastGeneration; generation++) {
                    live.remove(ColdKey.specification(job, generation));
                }
            }
        });
        outcomes.headMap(changes.forgottenUpTo().number(), true).clear();
        checkpoints.add(new Kept(checkpoint, new HashMap<>(live), new TreeMap<>(outcomes)));
        if (checkpoints.size() > 2) {
            checkpoints.remove(0);
        }
        older = newest;
        newest = checkpoint.head().position();
        return 0;
    }

    /** Works like a store on disk: applies the changed pages over those it has. */
    private List<byte[]> pages(HotPages next) {
        if (written == null) {
            pages.clear();
            next.forEach(this);
        } else {
            next.forEachSince(written, this);
        }
        written = next;
        return List.copyOf(pages.values());
    }

    @Override
    public void page(long key, byte[] bytes) {
        pages.put(key, bytes);
    }

    @Override
    public void gone(long key) {
        pages.remove(key);
    }

    @Override
    public LogPosition olderCheckpoint() {
        return older;
    }

    @Override
    public List<Path> newestFiles() {
        return List.of();
    }

    /** The log position of the newest checkpoint; before the start of the log without a checkpoint. */
    LogPosition newestPosition() {
        return checkpoints.isEmpty()
                ? LogPosition.START
                : checkpoints.get(checkpoints.size() - 1).checkpoint.head().position();
    }

    /** Acts as if the other's newest checkpoint had been sent here. */
    void receiveNewestOf(MemoryStore other) {
        checkpoints.clear();
        checkpoints.add(other.checkpoints.get(other.checkpoints.size() - 1));
    }

    @Override
    public void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
