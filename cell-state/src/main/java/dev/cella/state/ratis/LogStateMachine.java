package dev.cella.state.ratis;

import dev.cella.state.core.AppliedEntry;
import dev.cella.state.core.LogListener;
import dev.cella.state.core.LogPosition;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Turns Ratis' calls into calls of a {@link LogListener}. It keeps only the place in the log and the last answer to Ratis
 * about snapshots.
 *
 * <p>Ratis restarts from the latest snapshot, not from the place applied; both come from the newest complete checkpoint. An
 * exception from the apply stops Ratis' server, which is the right reaction to a broken invariant.
 */
final class LogStateMachine extends BaseStateMachine {
    private final RaftPeerId self;
    private final LogListener listener;
    private final Proposers proposers;
    private final PendingEntries pending;
    private final BooleanSupplier isLeader;
    private final CheckpointShipping shipping;
    private final Followers followers;
    private final long entriesKept;
    private final Runnable peersMayHaveChanged;
    private final Runnable anotherLeads;

    /** Leadership may begin before the start has returned; then it is reported afterwards. Guarded by this. */
    private boolean mayLead;

    /** Guarded by this for writing. */
    private volatile boolean leads;

    private volatile boolean shutdownExpected;
    private volatile long snapshotTold;

    /**
     * @param isLeader whether Ratis considers this member the leader now
     * @param anotherLeads called on Ratis' thread each time another member begins to lead
     */
    LogStateMachine(
            RaftPeerId self,
            LogListener listener,
            Proposers proposers,
            PendingEntries pending,
            BooleanSupplier isLeader,
            CheckpointShipping shipping,
            Followers followers,
            long entriesKept,
            Runnable peersMayHaveChanged,
            Runnable anotherLeads) {
        this.self = self;
        this.listener = listener;
        this.proposers = proposers;
        this.pending = pending;
        this.isLeader = isLeader;
        this.shipping = shipping;
        this.followers = followers;
        this.entriesKept = entriesKept;
        this.peersMayHaveChanged = peersMayHaveChanged;
        this.anotherLeads = anotherLeads;
        LogPosition restored = listener.newestCheckpoint();
        this.snapshotTold = restored.index();
        if (!restored.isAtStart()) {
            setLastAppliedTermIndex(TermIndex.valueOf(restored.term(), restored.index()));
        }
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        checkIsOfThisCell(entry);
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        AppliedEntry applied = listener.committed(new LogPosition(entry.getTerm(), entry.getIndex()), bytes);
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        pending.applied(transaction.getClientRequest(), applied);
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    /** A start reads only the last file of the log before Ratis does. The others are checked here. */
    private void checkIsOfThisCell(LogEntryProto entry) {
        if (proposers.isForeign(entry)) {
            String foreign = "entry %d of the log is of another cell".formatted(entry.getIndex());
            IllegalStateException failure = new IllegalStateException(foreign);
            tellWhenEnded(Thread.currentThread(), failure);
            throw failure;
        }
    }

    /**
     * Ratis ends the apply thread after an exception. A listener that was told before could close the log at the same time, and
     * that close would wait for ever for the apply to go on.
     */
    private void tellWhenEnded(Thread apply, IllegalStateException failure) {
        Runnable tell = () -> {
            try {
                apply.join();
                listener.failed("a file of the log is damaged", failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        };
        Thread telling = new Thread(tell, "log-damage");
        telling.setDaemon(true);
        telling.start();
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        listener.passed(new LogPosition(term, index));
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return shipping;
    }

    /** A whole checkpoint has arrived. When this returns, Ratis replaces the present ones with it. */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        listener.checkpointArriving();
        shipping.syncArrived();
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Called by the apply thread after {@link #pause}, when the checkpoint is in its place. */
    @Override
    public void reinitialize() throws IOException {
        listener.checkpointArrived();
        LogPosition arrived = listener.newestCheckpoint();
        setLastAppliedTermIndex(TermIndex.valueOf(arrived.term(), arrived.index()));
        snapshotTold = arrived.index();
        shipping.removeFailedAttempts();
        peersMayHaveChanged.run();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    /**
     * Called after every apply. It takes no snapshot, because checkpoints are made behind the apply. It returns the older of
     * the two kept checkpoints, less the entries to keep: Ratis purges the log up to there. Ratis fails if the place goes back,
     * and logs a line for each answer, so each place is returned once.
     */
    @Override
    public long takeSnapshot() {
        long purgeable = listener.purgeableUpTo().index() - entriesKept;
        if (purgeable <= snapshotTold) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        snapshotTold = purgeable;
        return purgeable;
    }

    /** Called by the apply thread: the members are those in that entry of the log. */
    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        peersMayHaveChanged.run();
        followers.membersChanged();
    }

    synchronized void openForLeading() {
        mayLead = true;
        if (leads) {
            listener.leading();
        }
    }

    /**
     * Called by the apply thread, so calls on Ratis' other threads may overtake it. Without this check, a leader that was told
     * to step down in between would lead forever and refuse nobody.
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

    /** Returns whether this member leads and has applied everything that was committed before it did. */
    boolean leads() {
        return leads;
    }

    /** Not called on a step-down without a known successor. Then only {@link #notifyNotLeader} is called. */
    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId newLeader) {
        if (!self.equals(newLeader)) {
            stopLeading();
            anotherLeads.run();
        }
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
        stopLeading();
    }

    private synchronized void stopLeading() {
        followers.leadIsLost();
        if (leads) {
            leads = false;
            listener.following();
        }
    }

    /** Ratis goes on in a state in which every append fails, so the replica leaves. */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        listener.failed("the log cannot be written", cause);
    }

    void expectShutdown() {
        shutdownExpected = true;
    }

    /** Ratis closes itself after a long pause of the process, and after an exception from the apply. */
    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
        if (!shutdownExpected) {
            String why = "this replica is no longer a member of the cell, or its process was paused for long";
            listener.failed("the log has shut itself down", new IllegalStateException(why));
        }
    }
}
