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

/**
 * Writes changes as bytes: whole frames one after another, each with its length before it. Task changes name their job and
 * group once, and then the distance from the previous index, slot and ordinal: a placement takes four to six bytes.
 *
 * <p>Owned by the thread that applies; {@link #take} gives the frames away.
 */
public final class ChangeWriter implements ChangeSink {
    /** Whole frames, and after them the open frame or bytes that the next frame overwrites. */
    private final ByteWriter out = new ByteWriter();

    private int frameFrom;
    private long job;
    private int group;
    private int index;
    private int ordinal;

    /** The whole frames since the last call. */
    public byte[] take() {
        out.truncate(frameFrom);
        byte[] taken = out.toBytes();
        frameFrom = 0;
        return taken;
    }

    @Override
    public void begin(long version, long cellTimeMillis, long wallTimeMillis, @Nullable Origin origin) {
        out.truncate(frameFrom);
        job = 0;
        group = -1;
        ordinal = -1;
        out.writeVarint(version);
        out.writeVarint(cellTimeMillis);
        out.writeSigned(wallTimeMillis);
        ValueCodec.writeOrigin(out, origin);
    }

    @Override
    public void end() {
        out.writeByte(ChangeType.FRAME_END);
        out.insertLength(frameFrom);
        frameFrom = out.length();
    }

    @Override
    public void founded(CellName name, Incarnation incarnation) {
        out.writeByte(ChangeType.FOUNDED);
        out.writeText(name.text());
        out.writeFixedLong(incarnation.number());
    }

    @Override
    public void featureLevelRaised(int level) {
        out.writeByte(ChangeType.FEATURE_LEVEL_RAISED);
        out.writeVarint(level);
    }

    @Override
    public void dimensionAdded(Dimension dimension) {
        out.writeByte(ChangeType.DIMENSION_ADDED);
        ValueCodec.writeDimension(out, dimension);
    }

    @Override
    public void machineRegistered(
            int slot, String name, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        out.writeByte(ChangeType.MACHINE_REGISTERED);
        out.writeVarint(slot);
        out.writeText(name);
        ValueCodec.writeAmounts(out, capacity);
        ValueCodec.writeAttributes(out, attributes);
        ValueCodec.writeAgent(out, agent);
    }

    @Override
    public void machineRenewed(
            int slot, Amounts capacity, Map<String, String> attributes, @Nullable AgentIdentity agent) {
        out.writeByte(ChangeType.MACHINE_RENEWED);
        out.writeVarint(slot);
        ValueCodec.writeAmounts(out, capacity);
        ValueCodec.writeAttributes(out, attributes);
        ValueCodec.writeAgent(out, agent);
    }

    @Override
    public void machineDrained(int slot, @Nullable Drain drain) {
        out.writeByte(ChangeType.MACHINE_DRAINED);
        out.writeVarint(slot);
        ValueCodec.writeDrain(out, drain);
    }

    @Override
    public void machineMarked(int slot, boolean draining, boolean down) {
        out.writeByte(ChangeType.MACHINE_MARKED);
        out.writeVarint(slot);
        out.writeBoolean(draining);
        out.writeBoolean(down);
    }

    @Override
    public void machineRemoved(int slot) {
        out.writeByte(ChangeType.MACHINE_REMOVED);
        out.writeVarint(slot);
    }

    @Override
    public void jobSubmitted(JobHeader header, Specification specification, int generation, int attemptsBefore) {
        out.writeByte(ChangeType.JOB_SUBMITTED);
        ValueCodec.writeHeader(out, header);
        ValueCodec.writeSpecification(out, specification);
        out.writeVarint(generation);
        out.writeVarint(attemptsBefore);
    }

    @Override
    public void jobUpdated(long updated, JobHeader header, Specification specification) {
        out.writeByte(ChangeType.JOB_UPDATED);
        out.writeVarint(updated);
        ValueCodec.writeHeader(out, header);
        ValueCodec.writeSpecification(out, specification);
    }

    @Override
    public void jobStopped(long stopped, TaskReason reason) {
        boolean asked = reason == TaskReason.KILLED;
        out.writeByte(asked ? ChangeType.JOB_STOPPED : ChangeType.JOB_STOPPED_BECAUSE);
        out.writeVarint(stopped);
        if (!asked) {
            EnumCodec.TASK_REASON.write(out, reason);
        }
    }

    @Override
    public void jobGrace(long stopped, long graceMillis) {
        out.writeByte(ChangeType.JOB_GRACE);
        out.writeVarint(stopped);
        out.writeVarint(graceMillis);
    }

    @Override
    public void jobScaled(long scaled, int place, int count) {
        out.writeByte(ChangeType.JOB_SCALED);
        out.writeVarint(scaled);
        out.writeVarint(place);
        out.writeVarint(count);
    }

    @Override
    public void jobCountAsked(long scaled, int place, int count) {
        out.writeByte(ChangeType.JOB_COUNT_ASKED);
        out.writeVarint(scaled);
        out.writeVarint(place);
        out.writeVarint(count);
    }

    @Override
    public void jobForgotten(long forgotten) {
        out.writeByte(ChangeType.JOB_FORGOTTEN);
        out.writeVarint(forgotten);
    }

    @Override
    public void jobProgress(long ofJob, Progress progress) {
        out.writeByte(ChangeType.JOB_PROGRESS);
        out.writeVarint(ofJob);
        ValueCodec.writeProgress(out, progress);
    }

    @Override
    public void jobTried(long tried, int conflicts) {
        out.writeByte(ChangeType.JOB_TRIED);
        out.writeVarint(tried);
        out.writeVarint(conflicts);
    }

    @Override
    public void tasksPlaced(long ofJob, int ofGroup, GroupPlacements placed) {
        writeClaims(ChangeType.TASK_PLACED, ofJob, ofGroup, placed);
    }

    @Override
    public void tasksQueued(long ofJob, int ofGroup, GroupPlacements queued) {
        writeClaims(ChangeType.TASK_QUEUED, ofJob, ofGroup, queued);
    }

    @Override
    public void spareTasksPlaced(long ofJob, int ofGroup, GroupPlacements placed) {
        writeClaims(ChangeType.SPARE_TASK_PLACED, ofJob, ofGroup, placed);
    }

    @Override
    public void taskUpgraded(long ofJob, int ofGroup, int ofIndex) {
        writeTask(ChangeType.TASK_UPGRADED, ofJob, ofGroup, ofIndex);
    }

    @Override
    public void taskCopied(long ofJob, int ofGroup, int ofIndex) {
        writeTask(ChangeType.TASK_COPIED, ofJob, ofGroup, ofIndex);
    }

    private void writeClaims(int type, long ofJob, int ofGroup, GroupPlacements placed) {
        for (int place = 0; place < placed.count(); place++) {
            writeTask(type, ofJob, ofGroup, placed.index(place));
            out.writeVarint(placed.slot(place));
            out.writeSigned(placed.ordinal(place) - ordinal - 1L);
            ordinal = placed.ordinal(place);
        }
    }

    @Override
    public void taskEvicted(long ofJob, int ofGroup, int ofIndex, int forOrdinal) {
        writeTask(ChangeType.TASK_EVICTED, ofJob, ofGroup, ofIndex);
        out.writeVarint(forOrdinal + 1L);
    }

    @Override
    public void tasksStepped(long ofJob, int ofGroup, TaskSteps steps) {
        writeTask(ChangeType.TASK_STEPPED, ofJob, ofGroup, steps.index(0));
        int step = out.length();
        EnumCodec.TASK_STATE.write(out, steps.state());
        EnumCodec.TASK_REASON.write(out, steps.reason());
        out.writeSigned(steps.exitCode());
        out.writeSigned(steps.startedAtMillis());
        out.writeSigned(steps.endedAtMillis());
        writeStepsBehindTheFirst(steps, step, out.length() - step);
    }

    /** A task at the same distance from the previous one as that one from its previous task has the same bytes. */
    private void writeStepsBehindTheFirst(TaskSteps steps, int step, int length) {
        int place = 1;
        while (place < steps.count()) {
            int task = out.length();
            writeTask(ChangeType.TASK_STEPPED, job, group, steps.index(place));
            out.writeAgain(step, length);
            int next = steps.endOfStride(place);
            out.writeAgain(task, (next - place - 1) * (out.length() - task));
            index = steps.index(next - 1);
            place = next;
        }
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
            out.writeByte(ChangeType.GROUP);
            out.writeVarint(ofJob);
            out.writeVarint(ofGroup);
        }
        out.writeByte(type);
        out.writeSigned((long) ofIndex - index);
        index = ofIndex;
    }

    @Override
    public void sessionOpened(String scheduler, String instance, String type, long leaseMillis) {
        out.writeByte(ChangeType.SESSION_OPENED);
        out.writeText(scheduler);
        out.writeText(instance);
        out.writeText(type);
        out.writeVarint(leaseMillis);
    }

    @Override
    public void sessionRenewed(long session, String type, long leaseMillis) {
        out.writeByte(ChangeType.SESSION_RENEWED);
        out.writeVarint(session);
        out.writeText(type);
        out.writeVarint(leaseMillis);
    }

    @Override
    public void sessionClosed(long session) {
        out.writeByte(ChangeType.SESSION_CLOSED);
        out.writeVarint(session);
    }

    @Override
    public void holdPut(long ofJob, int asOrdinal, int slot, Amounts wanted, long expiresAtMillis) {
        out.writeByte(ChangeType.HOLD_PUT);
        out.writeVarint(ofJob);
        out.writeVarint(asOrdinal);
        out.writeVarint(slot);
        ValueCodec.writeAmounts(out, wanted);
        out.writeVarint(expiresAtMillis);
    }

    @Override
    public void sessionOffers(long session, Participation participation, boolean suppressed) {
        out.writeByte(ChangeType.SESSION_OFFERS);
        out.writeVarint(session);
        ValueCodec.writeParticipation(out, participation);
        out.writeBoolean(suppressed);
    }

    @Override
    public void offerPut(long session, int asOrdinal, int slot, Amounts amounts, long expiresAtMillis) {
        out.writeByte(ChangeType.OFFER_PUT);
        out.writeVarint(session);
        out.writeVarint(asOrdinal);
        out.writeVarint(slot);
        ValueCodec.writeAmounts(out, amounts);
        out.writeVarint(expiresAtMillis);
    }

    @Override
    public void offerEnded(OfferId offer) {
        out.writeByte(ChangeType.OFFER_ENDED);
        ValueCodec.writeOffer(out, offer);
    }

    @Override
    public void offerRefused(long session, int slot, long untilMillis) {
        out.writeByte(ChangeType.OFFER_REFUSED);
        out.writeVarint(session);
        out.writeVarint(slot);
        out.writeVarint(untilMillis);
    }

    @Override
    public void offersRevived(long session) {
        out.writeByte(ChangeType.OFFERS_REVIVED);
        out.writeVarint(session);
    }

    @Override
    public void poolPut(String path, Limits limits) {
        out.writeByte(ChangeType.POOL_PUT);
        out.writeText(path);
        ValueCodec.writeLimits(out, limits);
    }

    @Override
    public void poolDefined(String path, PoolPolicy policy) {
        out.writeByte(ChangeType.POOL_DEFINED);
        out.writeText(path);
        ValueCodec.writePoolPolicy(out, policy);
    }

    @Override
    public void poolRemoved(String path) {
        out.writeByte(ChangeType.POOL_REMOVED);
        out.writeText(path);
    }

    @Override
    public void rightsSet(String scheduler, Rights rights) {
        if (rights.isOfLevel7()) {
            out.writeByte(ChangeType.RIGHTS_ON_SPARE_SET);
            out.writeText(scheduler);
            ValueCodec.writeRightsOnSpare(out, rights);
            return;
        }
        out.writeByte(rights.isPlain() ? ChangeType.RIGHTS_SET : ChangeType.RIGHTS_ON_MACHINES_SET);
        out.writeText(scheduler);
        if (rights.isPlain()) {
            ValueCodec.writeRights(out, rights);
        } else {
            ValueCodec.writeRightsOnMachines(out, rights);
        }
    }

    @Override
    public void schedulerPaused(String scheduler, boolean paused) {
        out.writeByte(ChangeType.SCHEDULER_PAUSED);
        out.writeText(scheduler);
        out.writeBoolean(paused);
    }

    @Override
    public void tokenPut(Token token) {
        out.writeByte(ChangeType.TOKEN_PUT);
        ValueCodec.writeToken(out, token);
    }

    @Override
    public void tokenRevoked(String name) {
        out.writeByte(ChangeType.TOKEN_REVOKED);
        out.writeText(name);
    }

    @Override
    public void transactionDecided(Verdict verdict, long basis, int accepted, int conflicted, int refused) {
        out.writeByte(ChangeType.TRANSACTION_DECIDED);
        EnumCodec.VERDICT.write(out, verdict);
        out.writeVarint(basis);
        out.writeVarint(accepted);
        out.writeVarint(conflicted);
        out.writeVarint(refused);
    }

    @Override
    public void itemRefused(long ofJob, int ofGroup, int ofIndex, int slot, ItemResult result) {
        writeTask(ChangeType.ITEM_REFUSED, ofJob, ofGroup, ofIndex);
        out.writeVarint(slot + 1L);
        OutcomeCodec.writeResult(out, result);
    }
}
