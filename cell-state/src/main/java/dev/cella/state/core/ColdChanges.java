package dev.cella.state.core;

import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Cold rows that changed since a checkpoint. Newer rows are read from this overlay until they are written. A put followed by a
 * drop leaves only the drop.
 *
 * <p>All specifications of a job are dropped as one. A job's generations go on from those of earlier jobs of its name, so most
 * generations up to its last one were never its own.
 *
 * <p>Nearly all rows are outcomes. They come and are forgotten in the order of their versions. So the outcomes of an entry are
 * one row, and forgetting drops everything up to a version.
 *
 * <p>The apply thread changes it until it is sealed; any thread may read it. Guarded by its own monitor.
 */
public final class ColdChanges {
    /** The change of a row: its bytes, or empty if it was dropped. */
    public record Change(Optional<byte[]> row) {
        static final Change DROPPED = new Change(Optional.empty());
    }

    /** Receives the rows. The key of an entry's outcomes is that of the last one. */
    public interface Rows {
        void put(ColdKey key, byte[] row);

        /** Drops all specifications of a job. It comes after all puts. */
        void drop(JobId job, int lastGeneration);
    }

    private final TreeMap<CellVersion, EntryOutcomes> outcomesByLastVersion = new TreeMap<>();
    private CellVersion forgottenUpTo = CellVersion.NONE;
    private final Map<ColdKey, byte[]> specifications = new HashMap<>();
    private final Map<JobId, Integer> lastGenerationsDropped = new HashMap<>();

    public synchronized void put(ColdKey key, byte[] row) {
        specifications.put(key, row);
    }

    /** Drops all specifications of a job. */
    public synchronized void drop(JobId job, int lastGeneration) {
        int generation = lastGeneration;
        while (specifications.remove(ColdKey.specification(job, generation)) != null) {
            generation--;
        }
        lastGenerationsDropped.put(job, lastGeneration);
    }

    /** Keeps the outcomes of an entry. Later entries have higher versions. */
    public synchronized void keep(EntryOutcomes outcomes) {
        if (!outcomes.isEmpty()) {
            outcomesByLastVersion.put(outcomes.lastVersion(), outcomes);
        }
    }

    /** Drops the outcomes of these versions. All outcomes before them were dropped earlier. */
    public synchronized void forget(long[] versions) {
        if (versions.length > 0) {
            forgottenUpTo = new CellVersion(versions[versions.length - 1]);
            outcomesByLastVersion.headMap(forgottenUpTo, true).clear();
        }
    }

    /** The change of the row in this overlay, if there is one. */
    synchronized Optional<Change> find(ColdKey key) {
        if (key.isOutcome()) {
            return findOutcome(new CellVersion(key.version()));
        }
        return lastGenerationsDropped.containsKey(new JobId(key.version()))
                ? Optional.of(Change.DROPPED)
                : Optional.ofNullable(specifications.get(key)).map(Optional::of).map(Change::new);
    }

    private Optional<Change> findOutcome(CellVersion version) {
        if (!version.isAfter(forgottenUpTo)) {
            return Optional.of(Change.DROPPED);
        }
        Map.Entry<CellVersion, EntryOutcomes> entry = outcomesByLastVersion.ceilingEntry(version);
        return entry == null
                ? Optional.empty()
                : EntryOutcomes.find(entry.getValue().bytes(), version)
                        .map(Optional::of)
                        .map(Change::new);
    }

    /** All rows that are not forgotten. Call this only on a sealed overlay, which nobody changes. */
    public synchronized void forEach(Rows rows) {
        outcomesByLastVersion.forEach((last, outcomes) -> rows.put(ColdKey.outcome(last), outcomes.bytes()));
        specifications.forEach(rows::put);
        lastGenerationsDropped.forEach(rows::drop);
    }

    /** The version up to which outcomes are forgotten. A row that also has later outcomes is still needed. */
    public synchronized CellVersion forgottenUpTo() {
        return forgottenUpTo;
    }
}
