package dev.cella.transactions.codec;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.Token;
import dev.cella.transactions.model.Verdict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ignores every change. It ends a chain of sinks, and is the base class for sinks that need only some changes. */
public class IgnoredChanges implements ChangeSink {
    @Override
    public void begin(long version, long cellTimeMillis, long wallTimeMillis, @Nullable Origin origin) {}

    @Override
    public void end() {}

    @Override
    public void founded(CellName name, Incarnation incarnation) {}

    @Override
    public void featureLevelRaised(int level) {}

    @Override
    public void dimensionAdded(Dimension dimension) {}

    @Override
    public void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {}

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {}

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {}

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {}

    @Override
    public void machineRemoved(int slot) {}

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {}

    @Override
    public void jobUpdated(long job, JobHeader header, Specification specification) {}

    @Override
    public void jobStopped(long job, TaskReason reason) {}

    @Override
    public void jobGrace(long job, long graceMillis) {}

    @Override
    public void jobScaled(long job, int group, int count) {}

    @Override
    public void jobCountAsked(long job, int group, int count) {}

    @Override
    public void jobForgotten(long job) {}

    @Override
    public void jobProgress(long job, Progress progress) {}

    @Override
    public void taskForgotten(long job, int group, int index) {}

    @Override
    public void jobTried(long job, int conflicts) {}

    @Override
    public void tasksPlaced(long job, int group, GroupPlacements placed) {}

    @Override
    public void tasksQueued(long job, int group, GroupPlacements queued) {}

    @Override
    public void spareTasksPlaced(long job, int group, GroupPlacements placed) {}

    @Override
    public void taskUpgraded(long job, int group, int index) {}

    @Override
    public void taskCopied(long job, int group, int index) {}

    @Override
    public void taskEvicted(long job, int group, int index, int forOrdinal) {}

    @Override
    public void tasksStepped(long job, int group, TaskSteps steps) {}

    @Override
    public void taskAgain(long job, int group, int index) {}

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {}

    @Override
    public void sessionRenewed(long session, String type, long leaseMillis) {}

    @Override
    public void sessionClosed(long session) {}

    @Override
    public void holdPut(long job, int ordinal, int slot, Amounts wanted, long expiresAtMillis) {}

    @Override
    public void sessionOffers(long session, Participation participation, boolean suppressed) {}

    @Override
    public void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis) {}

    @Override
    public void offerEnded(OfferId offer) {}

    @Override
    public void offerRefused(long session, int slot, long untilMillis) {}

    @Override
    public void offersRevived(long session) {}

    @Override
    public void poolPut(String path, Limits limits) {}

    @Override
    public void poolDefined(String path, PoolPolicy policy) {}

    @Override
    public void poolRemoved(String path) {}

    @Override
    public void rightsSet(String scheduler, Rights rights) {}

    @Override
    public void schedulerPaused(String scheduler, boolean paused) {}

    @Override
    public void tokenPut(Token token) {}

    @Override
    public void tokenRevoked(String name) {}

    @Override
    public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {}

    @Override
    public void itemRefused(long job, int group, int index, int slot, ItemResult result) {}
}
