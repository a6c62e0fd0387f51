package dev.cella.transactions.cell.copies;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.JobPages;
import dev.cella.transactions.cell.tables.MachineTable;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.SnapshotFormat;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Incarnation;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole cell at one version. It stays as it is while the cell goes on, and any thread may write checkpoints and snapshots
 * for private copies from it.
 *
 * <p>The naive way is to write the cell out between two entries: with a million tasks that holds up every commit for a second.
 * Taking a copy costs less: one list of pages per table, the bytes of the jobs that changed since the previous copy, and the
 * bytes of the small tables. The copy shares its pages with the cell. The cost comes later: the cell clones a page when it
 * first writes to it after a copy.
 *
 * <p>A page has a key, and its bytes are a chunk that {@code Cell.load} reads. All pages in the order of their keys make a
 * whole cell. Two copies differ in few pages: {@link #forEachPageSince} names those, so that a checkpoint writes no others.
 */
public final class CellCopy {
    private static final int SECTION_SHIFT = 56;

    /** Receives pages. */
    public interface Pages {
        /** This page is new or has other bytes now. */
        void page(long key, byte[] bytes);

        /** This page no longer exists. */
        void gone(long key);
    }

    final @Nullable CellName name;
    final Incarnation incarnation;
    final int featureLevel;
    final CellVersion version;
    final CellTime time;
    final long wallTimeMillis;
    final Dimensions dimensions;
    final CellDigests digests;
    final MachineTable machines;
    final JobPages.Copy jobs;
    final TaskTable tasks;
    final OutcomeTable outcomes;
    private final byte[] pools;
    private final byte[] rights;
    private final byte[] paused;
    private final byte[] tokens;
    private final byte[] holds;
    private final byte[] queues;
    private final byte[] sessions;

    /** Call this on the thread that applies, between two entries. */
    public CellCopy(Tables tables, OutcomeTable outcomes) {
        name = tables.name();
        incarnation = tables.incarnation();
        featureLevel = tables.featureLevel();
        version = new CellVersion(tables.version());
        time = new CellTime(tables.cellTimeMillis());
        wallTimeMillis = tables.wallTimeMillis();
        dimensions = tables.dimensions();
        digests = CellDigests.of(tables);
        machines = tables.machines.copy();
        jobs = tables.jobs.copy(SnapshotFormat.of(featureLevel));
        tasks = tables.tasks.copy();
        pools = SnapshotWriter.pools(tables.policies, SnapshotFormat.of(featureLevel));
        rights = SnapshotWriter.rights(tables.policies, SnapshotFormat.of(featureLevel));
        paused = SnapshotWriter.paused(tables.policies);
        tokens = SnapshotWriter.tokens(tables.tokens);
        holds = SnapshotWriter.holds(tables.holds);
        queues = SnapshotWriter.queues(tables.queues);
        sessions = SnapshotWriter.sessions(tables.sessions, SnapshotFormat.of(featureLevel));
        this.outcomes = outcomes.copy();
    }

    public Incarnation incarnation() {
        return incarnation;
    }

    public CellVersion version() {
        return version;
    }

    public CellTime time() {
        return time;
    }

    public int featureLevel() {
        return featureLevel;
    }

    /** The result of {@code CellView.digests} at this version. */
    public CellDigests digests() {
        return digests;
    }

    /** The result of {@code CellView.digest} at this version. */
    public long digest() {
        return digests.together();
    }

    public long outcomesDigest() {
        return outcomes.digest.value();
    }

    // ---- pages

    /** The whole state, outcomes included, as chunks that {@code Cell.load} reads on an empty cell. */
    public List<byte[]> snapshot() {
        return chunks(true);
    }

    /** The state without the outcomes, as chunks for private copies. */
    public List<byte[]> snapshotForReplicas() {
        return chunks(false);
    }

    /** Makes each chunk when it is read. */
    private List<byte[]> chunks(boolean withOutcomes) {
        List<Long> keys = keys(withOutcomes);
        return new AbstractList<>() {
            @Override
            public byte[] get(int place) {
                return bytes(keys.get(place));
            }

            @Override
            public int size() {
                return keys.size();
            }
        };
    }

    /** All pages, in loading order. */
    public void forEachPage(Pages pages) {
        for (long key : keys(true)) {
            pages.page(key, bytes(key));
        }
    }

    /** The pages that differ from those in the earlier copy of the same cell, and those that are gone. */
    public void forEachPageSince(CellCopy earlier, Pages pages) {
        for (long key : keys(true)) {
            if (!isSame(key, earlier)) {
                pages.page(key, bytes(key));
            }
        }
        for (long key : earlier.keys(true)) {
            if (!has(key)) {
                pages.gone(key);
            }
        }
    }

    private static long key(int section, long number) {
        return (long) section << SECTION_SHIFT | number;
    }

    private static int section(long key) {
        return (int) (key >>> SECTION_SHIFT);
    }

    private static long number(long key) {
        return key & (1L << SECTION_SHIFT) - 1;
    }

    private List<Long> keys(boolean withOutcomes) {
        List<Long> keys = new ArrayList<>();
        keys.add(key(SnapshotFormat.HEAD, 0));
        addKeys(keys, SnapshotFormat.MACHINES, 0, machines.pages());
        keys.add(key(SnapshotFormat.POOLS, 0));
        keys.add(key(SnapshotFormat.RIGHTS, 0));
        keys.add(key(SnapshotFormat.PAUSED, 0));
        for (int place = 0; place < jobs.size(); place++) {
            keys.add(key(SnapshotFormat.JOBS, jobs.number(place)));
        }
        addKeys(keys, SnapshotFormat.TASKS, 0, tasks.pages());
        keys.add(key(SnapshotFormat.HOLDS, 0));
        keys.add(key(SnapshotFormat.SESSIONS, 0));
        keys.add(key(SnapshotFormat.DIGESTS, 0));
        if (withOutcomes) {
            keys.add(key(SnapshotFormat.HORIZON, 0));
            addKeys(keys, SnapshotFormat.OUTCOMES, outcomes.firstPage(), outcomes.endPage());
        }
        if (featureLevel >= EntryCodec.QUEUES_LEVEL) {
            keys.add(key(SnapshotFormat.QUEUES, 0));
        }
        if (featureLevel >= EntryCodec.TOKENS_LEVEL) {
            keys.add(key(SnapshotFormat.TOKENS, 0));
        }
        return keys;
    }

    private static void addKeys(List<Long> keys, int section, long first, long end) {
        for (long number = first; number < end; number++) {
            keys.add(key(section, number));
        }
    }

    private boolean has(long key) {
        return switch (section(key)) {
            case SnapshotFormat.MACHINES -> number(key) < machines.pages();
            case SnapshotFormat.JOBS -> jobs.has(number(key));
            case SnapshotFormat.TASKS -> number(key) < tasks.pages();
            case SnapshotFormat.OUTCOMES -> number(key) >= outcomes.firstPage() && number(key) < outcomes.endPage();
            default -> true;
        };
    }

    private boolean isSame(long key, CellCopy earlier) {
        if (!earlier.has(key)) {
            return false;
        }
        long number = number(key);
        return switch (section(key)) {
            case SnapshotFormat.MACHINES -> machines.isSame((int) number, earlier.machines);
            case SnapshotFormat.JOBS -> jobs.isSame(number, earlier.jobs);
            case SnapshotFormat.TASKS -> isWrittenAlike(earlier) && tasks.isSame((int) number, earlier.tasks);
            case SnapshotFormat.OUTCOMES -> outcomes.isSame(number, earlier.outcomes);
            default -> Arrays.equals(bytes(key), earlier.bytes(key));
        };
    }

    /** Returns whether both copies write a task's row in the same way. A raised level may change that. */
    private boolean isWrittenAlike(CellCopy earlier) {
        return SnapshotFormat.of(featureLevel) == SnapshotFormat.of(earlier.featureLevel);
    }

    private byte[] bytes(long key) {
        long number = number(key);
        return switch (section(key)) {
            case SnapshotFormat.HEAD -> SnapshotWriter.head(this);
            case SnapshotFormat.MACHINES -> SnapshotWriter.machines(this, (int) number);
            case SnapshotFormat.POOLS -> pools;
            case SnapshotFormat.RIGHTS -> rights;
            case SnapshotFormat.PAUSED -> paused;
            case SnapshotFormat.TOKENS -> tokens;
            case SnapshotFormat.JOBS -> jobs.get(number);
            case SnapshotFormat.TASKS -> SnapshotWriter.tasks(tasks, (int) number, SnapshotFormat.of(featureLevel));
            case SnapshotFormat.HOLDS -> holds;
            case SnapshotFormat.QUEUES -> queues;
            case SnapshotFormat.SESSIONS -> sessions;
            case SnapshotFormat.DIGESTS -> SnapshotWriter.digests(digests, SnapshotFormat.of(featureLevel));
            case SnapshotFormat.HORIZON -> SnapshotWriter.horizon(outcomes);
            default -> SnapshotWriter.outcomes(outcomes, number);
        };
    }
}
