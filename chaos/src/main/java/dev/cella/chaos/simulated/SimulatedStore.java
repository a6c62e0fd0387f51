package dev.cella.chaos.simulated;

import dev.cella.state.core.CellStore;
import dev.cella.state.core.Checkpoint;
import dev.cella.state.core.CheckpointHead;
import dev.cella.state.core.ColdChanges;
import dev.cella.state.core.ColdKey;
import dev.cella.state.core.DamagedCheckpointException;
import dev.cella.state.core.EntryOutcomes;
import dev.cella.state.core.HotPages;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.SealedCell;
import dev.cella.transactions.cell.copies.CellCopy;
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
import org.jspecify.annotations.Nullable;

/**
 * A replica's checkpoints on a disk in memory. A checkpoint exists completely or not at all; it outlives the replica.
 */
final class SimulatedStore implements CellStore, CellCopy.Pages {
    /** One complete checkpoint, as it is sent to another replica; a damaged one has a flipped bit. */
    record Shipped(
            Checkpoint checkpoint, Map<ColdKey, byte[]> cold, NavigableMap<Long, byte[]> outcomes, boolean isDamaged) {
        LogPosition position() {
            return checkpoint.head().position();
        }
    }

    private final List<Shipped> checkpoints = new ArrayList<>();
    private final SortedMap<Long, byte[]> pages = new TreeMap<>();
    private Map<ColdKey, byte[]> live = new HashMap<>();
    /** The outcomes of an entry, by the version of the last of them. */
    private NavigableMap<Long, byte[]> outcomes = new TreeMap<>();

    private @Nullable HotPages written;
    private int refused;
    private int received;
    private LogPosition older = LogPosition.START;
    private LogPosition newest = LogPosition.START;

    @Override
    public Optional<CheckpointHead> restore(CheckpointLoader loader) {
        older = LogPosition.START;
        newest = LogPosition.START;
        live = new HashMap<>();
        outcomes = new TreeMap<>();
        written = null;
        while (!checkpoints.isEmpty()) {
            Shipped kept = checkpoints.get(checkpoints.size() - 1);
            try {
                loader.load(kept.checkpoint);
                live = new HashMap<>(kept.cold);
                outcomes = new TreeMap<>(kept.outcomes);
                newest = kept.position();
                return Optional.of(kept.checkpoint.head());
            } catch (DamagedCheckpointException damaged) {
                refused++;
                checkpoints.remove(checkpoints.size() - 1);
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<byte[]> cold(ColdKey key) {
        return key.isOutcome() ? outcome(key.version()) : Optional.ofNullable(live.get(key));
    }

    private Optional<byte[]> outcome(long version) {
        Map.Entry<Long, byte[]> entry = outcomes.ceilingEntry(version);
        return entry == null ? Optional.empty() : EntryOutcomes.find(entry.getValue(), new CellVersion(version));
    }

    @Override
    public long write(SealedCell sealed, ColdChanges changes) {
        Checkpoint checkpoint = new Checkpoint(sealed.head(), pagesOf(sealed.pages()));
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
        checkpoints.add(new Shipped(checkpoint, new HashMap<>(live), new TreeMap<>(outcomes), false));
        if (checkpoints.size() > 2) {
            checkpoints.remove(0);
        }
        older = newest;
        newest = checkpoint.head().position();
        return 0;
    }

    private List<byte[]> pagesOf(HotPages next) {
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

    /** The newest checkpoint, for a member that is behind the log. */
    Optional<Shipped> ship() {
        return checkpoints.isEmpty() ? Optional.empty() : Optional.of(checkpoints.get(checkpoints.size() - 1));
    }

    void receive(Shipped shipped) {
        received++;
        checkpoints.clear();
        checkpoints.add(shipped);
    }

    /** Flips one bit of the newest checkpoint, if there is one. */
    boolean flipBit() {
        if (checkpoints.isEmpty()) {
            return false;
        }
        Shipped kept = checkpoints.remove(checkpoints.size() - 1);
        List<byte[]> torn = kept.checkpoint.hot().stream().map(byte[]::clone).toList();
        byte[] last = torn.get(torn.size() - 1);
        last[last.length - 1] ^= 1;
        Checkpoint flipped = new Checkpoint(kept.checkpoint.head(), torn);
        checkpoints.add(new Shipped(flipped, kept.cold, kept.outcomes, !kept.isDamaged));
        return true;
    }

    /** The position of the newest checkpoint without a flipped bit. */
    LogPosition newestWhole() {
        return checkpoints.stream()
                .filter(kept -> !kept.isDamaged)
                .reduce((one, next) -> next)
                .map(Shipped::position)
                .orElse(LogPosition.START);
    }

    /** How many damaged checkpoints were refused. */
    int refused() {
        return refused;
    }

    /** How many checkpoints came from other replicas. */
    int received() {
        return received;
    }

    void wipe() {
        checkpoints.clear();
        pages.clear();
        written = null;
        live = new HashMap<>();
        outcomes = new TreeMap<>();
        older = LogPosition.START;
        newest = LogPosition.START;
    }

    @Override
    public void close() {}
}
