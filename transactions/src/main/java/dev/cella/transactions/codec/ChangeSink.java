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
 * Everything that can happen to the cell state, one method a kind of change. A cell's tables are the first implementation:
 * the common copy calls these methods to decide, a private replica to follow, and so both end alike. {@link ChangeWriter}
 * is the second: it makes bytes of the calls, from which {@link ChangeReader} makes the calls again.
 *
 * <p>Calls come in frames: {@link #begin}, the changes of one command, {@link #end}. Every version has a frame, also an
 * empty one. What a change does not say, such as free amounts, job states and counts, follows from the tables. Machines
 * are named by slot (slots are the same on all copies), jobs and sessions by identity.
 */
public interface ChangeSink {
    /** Stands for an exit code that nobody reported. */
    int EXIT_CODE_NONE = Command.ReportTask.EXIT_CODE_NONE;

    /** A command was applied: its version, cell time and wall time, and the transaction it was, if it was one. */
    void begin(long version, long cellTimeMillis, long wallTimeMillis, @Nullable Origin origin);

    void end();

    void founded(CellName name, Incarnation incarnation);

    void featureLevelRaised(int level);

    void dimensionAdded(Dimension dimension);

    /** A new incarnation of a machine, with nothing on it; its identity is this version. */
    void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent);

    /** The same incarnation says its capacity, attributes and agent anew. */
    void machineRenewed(int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent);

    /** An operator wants it drained, as {@code drain} says, or with all tasks on it kept. */
    void machineDrained(int slot, @Nullable Drain drain);

    /** Whether an operator wants it drained, and whether its agent is gone. */
    void machineMarked(int slot, boolean draining, boolean down);

    void machineRemoved(int slot);

    /** A new job; its identity is this version. Attempts of its tasks are counted from {@code attemptsBefore} on. */
    void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore);

    /** A live job's next generation. */
    void jobUpdated(long job, JobHeader header, Specification specification);

    /** Nothing of the job is placed any more, for that reason: what was pending is killed. */
    void jobStopped(long job, TaskReason reason);

    /** The group at that place has so many tasks from now on: more are pending, those above are to go. */
    void jobScaled(long job, int group, int count);

    /** The last of a job that has ended: there is no row of it any more. */
    void jobForgotten(long job);

    /** What the job's scheduler wants to remember of it. */
    void jobProgress(long job, Progress progress);

    /** A transaction tried to place tasks of the job; {@code conflicts} of its items were conflicts. */
    void jobTried(long job, int conflicts);

    /** Attempts of pending tasks of the group are placed by the frame's transaction. */
    void tasksPlaced(long job, int group, GroupPlacements placed);

    /**
     * A task is told to stop for the frame's claim {@code forOrdinal}, or for nobody (-1). The claim, which follows, takes
     * over what the victim holds; the victim keeps the rest until its agent reports the end.
     */
    void taskEvicted(long job, int group, int index, int forOrdinal);

    /** Attempts of tasks of the group go on, all by the same step. */
    void tasksStepped(long job, int group, TaskSteps steps);

    /** A new attempt of a task whose last one has ended. */
    void taskAgain(long job, int group, int index);

    /** The row of a task that its group has no more, and which is on no machine, is dropped. */
    void taskForgotten(long job, int group, int index);

    /** A new session; its identity is this version. */
    void sessionOpened(String scheduler, String instance, String type, long leaseMillis);

    void sessionRenewed(long session, String type, long leaseMillis);

    void sessionClosed(long session);

    /**
     * The frame's transaction asks to hold amounts on a machine for a job. What the hold has got of them, and how it grows
     * and ends, follows from the tables.
     */
    void holdPut(long job, int ordinal, int slot, Amounts wanted, long expiresAtMillis);

    /** The session takes part in offers, and wants none for now where it is {@code suppressed}. */
    void sessionOffers(long session, Participation participation, boolean suppressed);

    /** The frame's transaction offers amounts on a machine to a session. How the offer is used up follows from the tables. */
    void offerPut(long session, int ordinal, int slot, Amounts amounts, long expiresAtMillis);

    /** Somebody gave the offer back, or took it back. */
    void offerEnded(OfferId offer);

    /** The machine is not to be offered to the session before that cell time. */
    void offerRefused(long session, int slot, long untilMillis);

    /** The session refuses no machine any more. */
    void offersRevived(long session);

    void poolPut(String path, Limits limits);

    /** All that an operator says of a pool. */
    void poolDefined(String path, PoolPolicy policy);

    /** Nothing is said of the pool any more. */
    void poolRemoved(String path);

    void rightsSet(String scheduler, Rights rights);

    void schedulerPaused(String scheduler, boolean paused);

    void tokenPut(Token token);

    void tokenRevoked(String name);

    /** What became of the frame's transaction: no row of a table, but what statistics are made of. */
    void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused);

    /** One refused item of the frame's transaction: no row of a table, but a line of the ledger. Slot -1 is no machine. */
    void itemRefused(long job, int group, int index, int slot, ItemResult result);
}
