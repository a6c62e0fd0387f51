package dev.cella.chaos.processes;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.DataDirectory;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import dev.cella.state.core.StartRefusedException;
import dev.cella.state.ratis.WrittenLog;
import dev.cella.transactions.model.CellVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The log of one stopped replica, as its files have it. It is whole, unless the replica began with a checkpoint of another one.
 */
final class ReplicaLog implements LogListener {
    private final String replica;
    private final NavigableMap<Long, byte[]> entries = new TreeMap<>();
    private long beginsAfter = -1;
    private long lastIndex = -1;
    private String damage = "";

    ReplicaLog(String replica) {
        this.replica = replica;
    }

    static ReplicaLog read(String replica, Path data) {
        ReplicaLog log = new ReplicaLog(replica);
        try (DataDirectory directory =
                DataDirectory.open(data, DataDirectory.readIdentityOf(data).cell(), 0, UUID.randomUUID())) {
            WrittenLog written = new WrittenLog(directory);
            long first = written.firstIndex();
            log.beginAfter(first == Long.MAX_VALUE ? -1 : first - 1);
            written.start(log);
        } catch (IOException | StartRefusedException unreadable) {
            log.damage = String.valueOf(unreadable.getMessage());
        }
        return log;
    }

    /** The entries up to that index are purged, or it never had them. */
    void beginAfter(long index) {
        beginsAfter = index;
    }

    String replica() {
        return replica;
    }

    /** The commands' entries by their index in the log; the log's own entries between them are left out. */
    NavigableMap<Long, byte[]> entries() {
        return entries;
    }

    /** Returns whether it has the first entries. */
    boolean isWhole() {
        return beginsAfter < 0;
    }

    /** The index of its last entry, whatever that is; -1 if it has none. */
    long lastIndex() {
        return lastIndex;
    }

    /** Why not all of it could be read; empty if it could. */
    String damage() {
        return damage;
    }

    @Override
    public AppliedEntry committed(LogPosition position, byte[] entry) {
        entries.put(position.index(), entry);
        lastIndex = position.index();
        return new AppliedEntry(position, new CellVersion(0), List.of());
    }

    @Override
    public void passed(LogPosition position) {
        // The log's own entries change nothing.
        lastIndex = position.index();
    }

    /** Everything is read: as if the only checkpoint were the one with which the log begins. */
    @Override
    public LogPosition newestCheckpoint() {
        return beginsAfter < 0 ? LogPosition.START : new LogPosition(0, beginsAfter);
    }

    @Override
    public void leading() {
        // A written log has no leader.
    }

    @Override
    public void following() {
        // Nor a follower.
    }

    @Override
    public List<Path> newestCheckpointFiles() {
        return List.of();
    }

    @Override
    public void checkpointArriving() {
        // Nobody sends one.
    }

    @Override
    public void checkpointArrived() {
        // Nobody sends one.
    }

    @Override
    public LogPosition purgeableUpTo() {
        return LogPosition.START;
    }

    @Override
    public void failed(String what, Throwable cause) {
        damage = what;
    }
}
