package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.jspecify.annotations.Nullable;

/**
 * What Ratis calls, turned into what a {@link LogListener} is told. Keeps nothing but the place in the log and what
 * Ratis was last told about snapshots.
 *
 * <p>Ratis restarts from {@link #getLatestSnapshot}, not from the place applied; both are given from the newest complete
 * checkpoint. An exception out of the apply stops Ratis' server, which is what a broken invariant must do.
 */
final class LogStateMachine extends BaseStateMachine {
    private final RaftPeerId self;
    private final LogListener listener;
    private final PendingEntries pending;
    private final BooleanSupplier isLeader;

    /** Leading may begin before the start has returned; it is told afterwards. Guarded by this. */
    private boolean mayLead;

    private boolean leads;
    private volatile boolean shutdownExpected;
    private long snapshotTold;

    /** @param isLeader whether Ratis holds this member to be the leader at this moment */
    LogStateMachine(RaftPeerId self, LogListener listener, PendingEntries pending, BooleanSupplier isLeader) {
        this.self = self;
        this.listener = listener;
        this.pending = pending;
        this.isLeader = isLeader;
        LogPosition restored = listener.newestCheckpoint();
        this.snapshotTold = restored.index();
        if (!restored.isAtStart()) {
            setLastAppliedTermIndex(TermIndex.valueOf(restored.term(), restored.index()));
        }
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        AppliedEntry applied = listener.committed(new LogPosition(entry.getTerm(), entry.getIndex()), bytes);
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        pending.applied(transaction.getClientRequest(), applied);
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        listener.passed(new LogPosition(term, index));
    }

    /** {@inheritDoc} Where a start goes on from; null where there was no checkpoint yet. */
    @Override
    public @Nullable SnapshotInfo getLatestSnapshot() {
        LogPosition newest = listener.newestCheckpoint();
        return newest.isAtStart() ? null : new CheckpointInfo(TermIndex.valueOf(newest.term(), newest.index()));
    }

    /**
     * Called after every apply. Takes nothing: checkpoints are made behind the apply, and Ratis is told of the older of
     * the two that are kept, because up to there it forgets the log. Ratis fails if it is told of an older one than
     * before, and logs a line for each answer; so each is told once.
     */
    @Override
    public long takeSnapshot() {
        long purgeable = listener.purgeableUpTo().index();
        if (purgeable <= snapshotTold) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        snapshotTold = purgeable;
        return purgeable;
    }

    synchronized void openForLeading() {
        mayLead = true;
        if (leads) {
            listener.leading();
        }
    }

    /**
     * Comes by the apply thread, and what comes by Ratis' others may overtake it: a leader that was told to step down in between
     * would lead for ever, and refuse nobody.
     */
    @Override
    public synchronized void notifyLeaderReady() {
        if (!isLeader.getAsBoolean()) {
            return;
        }
        leads = true;
        if (mayLead) {
            listener.leading();
        }
    }

    /** Not called on a step-down without a known successor: then there is only {@link #notifyNotLeader}. */
    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        if (!self.equals(newLeader)) {
            stopLeading();
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
        stopLeading();
    }

    private synchronized void stopLeading() {
        if (leads) {
            leads = false;
            listener.following();
        }
    }

    /** Ratis goes on as a zombie that fails every append; we leave. */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        listener.failed("the log cannot be written", cause);
    }

    void expectShutdown() {
        shutdownExpected = true;
    }

    /** Ratis closes itself after a long pause of the process, and when the apply has thrown. */
    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
        if (!shutdownExpected) {
            listener.failed("the log has shut itself down", new IllegalStateException("Ratis server shut down"));
        }
    }

    /** A checkpoint as far as Ratis needs to know it: where it is in the log. It ships none of its files. */
    private static final class CheckpointInfo implements SnapshotInfo {
        private final TermIndex position;

        CheckpointInfo(TermIndex position) {
            this.position = position;
        }

        @Override
        public TermIndex getTermIndex() {
            return position;
        }

        @Override
        public List<FileInfo> getFiles() {
            return List.of();
        }
    }
}
