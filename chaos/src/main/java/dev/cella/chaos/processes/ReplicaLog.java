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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The log of one stopped replica, as its files have it, from the first entry on. */
final class ReplicaLog implements LogListener {
    private final String replica;
    private final List<byte[]> entries = new ArrayList<>();
    private String damage = "";

    private ReplicaLog(String replica) {
        this.replica = replica;
    }

    static ReplicaLog read(String replica, Path data) {
        ReplicaLog log = new ReplicaLog(replica);
        try (DataDirectory directory =
                DataDirectory.open(data, DataDirectory.readIdentityOf(data).cell(), 0, UUID.randomUUID())) {
            new WrittenLog(directory).start(log);
        } catch (IOException | StartRefusedException unreadable) {
            log.damage = String.valueOf(unreadable.getMessage());
        }
        return log;
    }

    String replica() {
        return replica;
    }

    List<byte[]> entries() {
        return entries;
    }

    /** Why not all of it could be read; empty if it could. */
    String damage() {
        return damage;
    }

    @Override
    public AppliedEntry committed(LogPosition position, byte[] entry) {
        entries.add(entry);
        return new AppliedEntry(position, new CellVersion(0), List.of());
    }

    @Override
    public void passed(LogPosition position) {
        // The log's own entries change nothing.
    }

    /** Everything is read: as if there were no checkpoint. */
    @Override
    public LogPosition newestCheckpoint() {
        return LogPosition.START;
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
