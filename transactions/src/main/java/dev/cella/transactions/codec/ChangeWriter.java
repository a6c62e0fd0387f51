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
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Progress;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Verdict;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes bytes of changes: whole frames one after another, each with its length before it. Task changes name their job and
 * group once, then steps from the index, slot and ordinal before: a placement takes four to six bytes.
 *
 * <p>Owned by the thread that applies; {@link #take} gives the frames away.
 */
public final class ChangeWriter implements ChangeSink {
    private final ByteWriter frames = new ByteWriter();
    private final ByteWriter frame = new ByteWriter();
    private long job;
    private int group;
    private int index;
    private int ordinal;

    /** The whole frames since the last call. */
    public byte[] take() {
        byte[] taken = frames.toBytes();
        frames.truncate(0);
        return taken;
    }

    @Override
    public void begin(long version, long cellTimeMillis, long wallTimeMillis, @Nullable Origin origin) {
        frame.truncate(0);
        job = 0;
        group = -1;
        ordinal = -1;
        frame.writeVarint(version);
        frame.writeVarint(cellTimeMillis);
        frame.writeSigned(wallTimeMillis);
        ValueCodec.writeOrigin(frame, origin);
    }

    @Override
    public void end() {
        frame.writeByte(ChangeType.FRAME_END);
        frames.writeVarint(frame.length());
        frames.writeFrom(frame);
    }

    @Override
    public void founded(CellName name, Incarnation incarnation) {
        frame.writeByte(ChangeType.FOUNDED);
        frame.writeText(name.text());
        frame.writeFixedLong(incarnation.number());
    }

    @Override
    public void featureLevelRaised(int level) {
        frame.writeByte(ChangeType.FEATURE_LEVEL_RAISED);
        frame.writeVarint(level);
    }

    @Override
    public void dimensionAdded(Dimension dimension) {
        frame.writeByte(ChangeType.DIMENSION_ADDED);
        ValueCodec.writeDimension(frame, dimension);
    }

    @Override
    public void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        frame.writeByte(ChangeType.MACHINE_REGISTERED);
        frame.writeVarint(slot);
        frame.writeText(name);
        ValueCodec.writeAmounts(frame, capacity);
        ValueCodec.writeAttributes(frame, attributes);
        ValueCodec.writeAgent(frame, agent);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        frame.writeByte(ChangeType.MACHINE_RENEWED);
        frame.writeVarint(slot);
        ValueCodec.writeAmounts(frame, capacity);
        ValueCodec.writeAttributes(frame, attributes);
        ValueCodec.writeAgent(frame, agent);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        frame.writeByte(ChangeType.MACHINE_DRAINED);
        frame.writeVarint(slot);
        ValueCodec.writeDrain(frame, drain);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        frame.writeByte(ChangeType.MACHINE_MARKED);
        frame.writeVarint(slot);
        frame.writeBoolean(draining);
        frame.writeBoolean(down);
    }

    @Override
    public void machineRemoved(int slot) {
        frame.writeByte(ChangeType.MACHINE_REMOVED);
        frame.writeVarint(slot);
    }

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        frame.writeByte(ChangeType.JOB_SUBMITTED);
        ValueCodec.writeHeader(frame, header);
        ValueCodec.writeSpecification(frame, specification);
        frame.writeVarint(generation);
        frame.writeVarint(attemptsBefore);
    }

    @Override
    public void jobUpdated(long updated, JobHeader header, Specification specification) {
        frame.writeByte(ChangeType.JOB_UPDATED);
        frame.writeVarint(updated);
        ValueCodec.writeHeader(frame, header);
        ValueCodec.writeSpecification(frame, specification);
    }

    @Override
    public void jobStopped(long stopped, TaskReason reason) {
        boolean asked = reason == TaskReason.KILLED;
        frame.writeByte(asked ? ChangeType.JOB_STOPPED : ChangeType.JOB_STOPPED_BECAUSE);
        frame.writeVarint(stopped);
        if (!asked) {
            EnumCodec.TASK_REASON.write(frame, reason);
        }
    }

    @Override
    public void jobScaled(long scaled, int place, int count) {
        frame.writeByte(ChangeType.JOB_SCALED);
        frame.writeVarint(scaled);
        frame.writeVarint(place);
        frame.writeVarint(count);
    }

    @Override
    public void jobForgotten(long forgotten) {
        frame.writeByte(ChangeType.JOB_FORGOTTEN);
        frame.writeVarint(forgotten);
    }

    @Override
    public void jobProgress(long ofJob, Progress progress) {
        frame.writeByte(ChangeType.JOB_PROGRESS);
        frame.writeVarint(ofJob);
        ValueCodec.writeProgress(frame, progress);
    }

    @Override
    public void jobTried(long tried, int conflicts) {
        frame.writeByte(ChangeType.JOB_TRIED);
        frame.writeVarint(tried);
        frame.writeVarint(conflicts);
    }

    @Override
    public void tasksPlaced(long ofJob, int ofGroup, Placements placed) {
        for (int place = 0; place < placed.count(); place++) {
            writeTask(ChangeType.TASK_PLACED, ofJob, ofGroup, placed.index(place));
            frame.writeVarint(placed.slot(place));
            frame.writeSigned(placed.ordinal(place) - ordinal - 1L);
            ordinal = placed.ordinal(place);
        }
    }

    @Override
    public void taskEvicted(long ofJob, int ofGroup, int ofIndex, int forOrdinal) {
        writeTask(ChangeType.TASK_EVICTED, ofJob, ofGroup, ofIndex);
        frame.writeVarint(forOrdinal + 1L);
    }

    @Override
    public void taskStepped(
            long ofJob,
            int ofGroup,
            int ofIndex,
            TaskState state,
            TaskReason reason,
            int exitCode,
            long startedAtMillis,
            long endedAtMillis) {
        writeTask(ChangeType.TASK_STEPPED, ofJob, ofGroup, ofIndex);
        EnumCodec.TASK_STATE.write(frame, state);
        EnumCodec.TASK_REASON.write(frame, reason);
        frame.writeSigned(exitCode);
        frame.writeSigned(startedAtMillis);
        frame.writeSigned(endedAtMillis);
    }

    @Override
    public void taskAgain(long ofJob, int ofGroup, int ofIndex) {
        writeTask(ChangeType.TASK_AGAIN, ofJob, ofGroup, ofIndex);
    }

    @Override
    public void taskForgotten(long ofJob, int ofGroup, int ofIndex) {
        writeTask(ChangeType.TASK_FORGOTTEN, ofJob, ofGroup, ofIndex);
    }

    private void writeTask(int type, long ofJob, int ofGroup, int ofIndex) {
        if (ofJob != job || ofGroup != group) {
            job = ofJob;
            group = ofGroup;
            index = 0;
            frame.writeByte(ChangeType.GROUP);
            frame.writeVarint(ofJob);
            frame.writeVarint(ofGroup);
        }
        frame.writeByte(type);
        frame.writeSigned((long) ofIndex - index);
        index = ofIndex;
    }

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
        frame.writeByte(ChangeType.SESSION_OPENED);
        frame.writeText(scheduler);
        frame.writeText(instance);
        frame.writeText(type);
        frame.writeVarint(leaseMillis);
    }

    @Override
    public void sessionRenewed(long session, String type, long leaseMillis) {
        frame.writeByte(ChangeType.SESSION_RENEWED);
        frame.writeVarint(session);
        frame.writeText(type);
        frame.writeVarint(leaseMillis);
    }

    @Override
    public void sessionClosed(long session) {
        frame.writeByte(ChangeType.SESSION_CLOSED);
        frame.writeVarint(session);
    }

    @Override
    public void holdPut(long ofJob, int asOrdinal, int slot, Amounts wanted, long expiresAtMillis) {
        frame.writeByte(ChangeType.HOLD_PUT);
        frame.writeVarint(ofJob);
        frame.writeVarint(asOrdinal);
        frame.writeVarint(slot);
        ValueCodec.writeAmounts(frame, wanted);
        frame.writeVarint(expiresAtMillis);
    }

    @Override
    public void poolPut(String path, Limits limits) {
        frame.writeByte(ChangeType.POOL_PUT);
        frame.writeText(path);
        ValueCodec.writeLimits(frame, limits);
    }

    @Override
    public void rightsSet(String scheduler, Rights rights) {
        frame.writeByte(ChangeType.RIGHTS_SET);
        frame.writeText(scheduler);
        ValueCodec.writeRights(frame, rights);
    }

    @Override
    public void schedulerPaused(String scheduler, boolean paused) {
        frame.writeByte(ChangeType.SCHEDULER_PAUSED);
        frame.writeText(scheduler);
        frame.writeBoolean(paused);
    }

    @Override
    public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {
        frame.writeByte(ChangeType.TRANSACTION_DECIDED);
        EnumCodec.VERDICT.write(frame, verdict);
        frame.writeVarint(basis);
        frame.writeVarint(accepted);
        frame.writeVarint(conflicted);
        frame.writeVarint(refused);
    }

    @Override
    public void itemRefused(long ofJob, int ofGroup, int ofIndex, int slot, ItemResult result) {
        writeTask(ChangeType.ITEM_REFUSED, ofJob, ofGroup, ofIndex);
        frame.writeVarint(slot + 1L);
        OutcomeCodec.writeResult(frame, result);
    }
}
