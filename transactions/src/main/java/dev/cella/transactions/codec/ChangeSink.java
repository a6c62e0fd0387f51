package dev.cella.transactions.codec;

import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Command;
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

/**
 * Everything that can happen to the cell state, one method per kind of change. A cell's tables are the first implementation:
 * the common copy calls these methods to decide and a private replica calls them to follow, so both reach the same state.
 * {@link ChangeWriter} is the second: it writes the calls as bytes, and {@link ChangeReader} repeats the calls from them.
 *
 * <p>Calls come in frames: {@link #begin}, the changes of one command, {@link #end}. Every version has a frame, which may be
 * empty. Values that no change contains, such as free amounts, job states and counts, follow from the tables. Machines are
 * named by slot (slots are the same on all copies), jobs and sessions by identity.
 */
public interface ChangeSink {
    /** Stands for an exit code that nobody reported. */
    int EXIT_CODE_NONE = Command.ReportTask.EXIT_CODE_NONE;

    /** A command was applied: its version, its cell time and wall time, and its transaction if it was one. */
    void begin(long version, long cellTimeMillis, long wallTimeMillis, @Nullable Origin origin);

    void end();

    void founded(CellName name, Incarnation incarnation);

    void featureLevelRaised(int level);

    void dimensionAdded(Dimension dimension);

    /** A new incarnation of a machine, with nothing on it; its identity is this version. */
    void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent);

    /** The same incarnation reports its capacity, attributes and agent again. */
    void machineRenewed(int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent);

    /** An operator drains the machine as {@code drain} says, or keeps all tasks on it if that is null. */
    void machineDrained(int slot, @Nullable Drain drain);

    /** Sets whether an operator drains the machine, and whether its agent is gone. */
    void machineMarked(int slot, boolean draining, boolean down);

    void machineRemoved(int slot);

    /** A new job; its identity is this version. The attempts of its tasks continue from {@code attemptsBefore}. */
    void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore);

    /** A live job's next generation. */
    void jobUpdated(long job, JobHeader header, Specification specification);

    /** The job was stopped for that reason: pending tasks are killed, and nothing more is placed. */
    void jobStopped(long job, TaskReason reason);

    /** The tasks of the stopped job have that long to end before they are killed. */
    void jobGrace(long job, long graceMillis);

    /** The group at that place now has {@code count} tasks. New tasks are pending; tasks above the count must go. */
    void jobScaled(long job, int group, int count);

    /** As {@link #jobScaled}, by a person: the group remembers that number. From feature level 8 on. */
    void jobCountAsked(long job, int group, int count);

    /** The last row of an ended job is dropped. */
    void jobForgotten(long job);

    /** The job's scheduler stores its progress with the job. */
    void jobProgress(long job, Progress progress);

    /** A transaction tried to place tasks of the job; {@code conflicts} of its items were conflicts. */
    void jobTried(long job, int conflicts);

    /** The frame's transaction places the pending attempts of these tasks of the group. */
    void tasksPlaced(long job, int group, GroupPlacements placed);

    /**
     * The frame's transaction puts these pending tasks of the group into the queues of machines. How a task leaves a queue
     * follows from the tables.
     */
    void tasksQueued(long job, int group, GroupPlacements queued);

    /** Tasks of the group are placed as spare work. From feature level 7 on. */
    void spareTasksPlaced(long job, int group, GroupPlacements placed);

    /** A spare task holds its amounts from now on, as any other task. From feature level 7 on. */
    void taskUpgraded(long job, int group, int index);

    /** The task gets a copy: a pending task of the job's group of copies. From feature level 9 on. */
    void taskCopied(long job, int group, int index);

    /**
     * A task is told to stop for the frame's claim {@code forOrdinal}, or for no claim (-1). The claim follows and takes over
     * what it needs of the victim's amounts; the victim keeps the rest until its agent reports the end.
     */
    void taskEvicted(long job, int group, int index, int forOrdinal);

    /** Attempts of tasks of the group all take the same step. */
    void tasksStepped(long job, int group, TaskSteps steps);

    /** A task whose last attempt has ended gets a new attempt. */
    void taskAgain(long job, int group, int index);

    /** Drops the row of a surplus task that is on no machine. */
    void taskForgotten(long job, int group, int index);

    /** A new session; its identity is this version. */
    void sessionOpened(String scheduler, String instance, String type, long leaseMillis);

    void sessionRenewed(long session, String type, long leaseMillis);

    void sessionClosed(long session);

    /**
     * The frame's transaction asks to hold amounts on a machine for a job. The tables determine what the hold has got, and
     * how it grows and ends.
     */
    void holdPut(long job, int ordinal, int slot, Amounts wanted, long expiresAtMillis);

    /** The session takes part in offers. It wants none for now if {@code suppressed}. */
    void sessionOffers(long session, Participation participation, boolean suppressed);

    /** The frame's transaction offers amounts on a machine to a session. How the offer is used up follows from the tables. */
    void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis);

    /** The offer ended: its owner gave it back, or its maker took it back. */
    void offerEnded(OfferId offer);

    /** The allocator must not offer the machine to the session before that cell time. */
    void offerRefused(long session, int slot, long untilMillis);

    /** The session refuses no machines from now on. */
    void offersRevived(long session);

    void poolPut(String path, Limits limits);

    /** The whole policy that an operator set for a pool. */
    void poolDefined(String path, PoolPolicy policy);

    /** The policy of the pool is removed. */
    void poolRemoved(String path);

    void rightsSet(String scheduler, Rights rights);

    void schedulerPaused(String scheduler, boolean paused);

    void tokenPut(Token token);

    void tokenRevoked(String name);

    /** The result of the frame's transaction. No table stores it; statistics use it. */
    void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused);

    /**
     * One refused item of the frame's transaction. No table stores it; the ledger gets a line. Slot -1 is no machine.
     */
    void itemRefused(long job, int group, int index, int slot, ItemResult result);
}
