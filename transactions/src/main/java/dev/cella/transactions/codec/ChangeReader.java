package dev.cella.transactions.codec;

import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Repeats the calls that a {@link ChangeWriter} wrote as frames. */
public final class ChangeReader {
    private final ChangeSink sink;
    private final ChangeSink ahead;
    private final GroupPlacements placed = new GroupPlacements();
    private final TaskSteps steps = new TaskSteps();
    private long job;
    private int group;
    private int index;
    private int ordinal;

    public ChangeReader(ChangeSink sink) {
        this(sink, new IgnoredChanges());
    }

    /** @param ahead gets each run of placed or stepped tasks just before the sink */
    public ChangeReader(ChangeSink sink, ChangeSink ahead) {
        this.sink = sink;
        this.ahead = ahead;
    }

    /** Splits the bytes into single frames. */
    public static List<byte[]> split(byte[] frames) {
        List<byte[]> split = new ArrayList<>();
        ByteReader in = new ByteReader(frames);
        while (in.hasRemaining()) {
            int from = in.offset();
            in.readSlice(in.readInt());
            split.add(Arrays.copyOfRange(frames, from, in.offset()));
        }
        return split;
    }

    /** Reads whole frames up to the end of the bytes. */
    public void readFrames(byte[] frames) {
        ByteReader in = new ByteReader(frames);
        while (in.hasRemaining()) {
            ByteReader frame = in.readSlice(in.readInt());
            readFrame(frame);
            frame.expectEnd("the end of the frame");
        }
    }

    private void readFrame(ByteReader in) {
        job = 0;
        group = -1;
        ordinal = -1;
        sink.begin(in.readVarint(), in.readVarint(), in.readSigned(), ValueCodec.readOrigin(in));
        for (int type = in.readByte(); type != ChangeType.FRAME_END; type = in.readByte()) {
            readChange(in, type);
        }
        sink.end();
    }

    private void readChange(ByteReader in, int type) {
        switch (type) {
            case ChangeType.GROUP -> readGroup(in);
            case ChangeType.TASK_PLACED -> readTasksPlaced(in);
            case ChangeType.TASK_QUEUED -> readTasksQueued(in);
            case ChangeType.SPARE_TASK_PLACED -> readSpareTasksPlaced(in);
            case ChangeType.TASK_STEPPED -> readTasksStepped(in);
            case ChangeType.TASK_EVICTED -> sink.taskEvicted(job, group, readIndex(in), in.readInt() - 1);
            case ChangeType.TASK_AGAIN -> sink.taskAgain(job, group, readIndex(in));
            case ChangeType.ITEM_REFUSED ->
                sink.itemRefused(job, group, readIndex(in), in.readInt() - 1, OutcomeCodec.readResult(in));
            case ChangeType.JOB_SUBMITTED ->
                sink.jobSubmitted(
                        ValueCodec.readHeader(in), ValueCodec.readSpecification(in), in.readInt(), in.readInt());
            case ChangeType.JOB_UPDATED ->
                sink.jobUpdated(in.readVarint(), ValueCodec.readHeader(in), ValueCodec.readSpecification(in));
            case ChangeType.JOB_STOPPED -> sink.jobStopped(in.readVarint(), TaskReason.KILLED);
            case ChangeType.JOB_STOPPED_BECAUSE -> sink.jobStopped(in.readVarint(), EnumCodec.TASK_REASON.read(in));
            case ChangeType.JOB_SCALED -> sink.jobScaled(in.readVarint(), in.readInt(), in.readInt());
            case ChangeType.JOB_FORGOTTEN -> sink.jobForgotten(in.readVarint());
            case ChangeType.JOB_PROGRESS -> sink.jobProgress(in.readVarint(), ValueCodec.readProgress(in));
            case ChangeType.TASK_FORGOTTEN -> sink.taskForgotten(job, group, readIndex(in));
            case ChangeType.JOB_TRIED -> sink.jobTried(in.readVarint(), in.readInt());
            default -> readRareChange(in, type);
        }
    }

    private void readRareChange(ByteReader in, int type) {
        switch (type) {
            case ChangeType.FOUNDED -> sink.founded(new CellName(in.readText()), new Incarnation(in.readFixedLong()));
            case ChangeType.JOB_COUNT_ASKED -> sink.jobCountAsked(in.readVarint(), in.readInt(), in.readInt());
            case ChangeType.JOB_GRACE -> sink.jobGrace(in.readVarint(), in.readVarint());
            case ChangeType.FEATURE_LEVEL_RAISED -> sink.featureLevelRaised(in.readInt());
            case ChangeType.DIMENSION_ADDED -> sink.dimensionAdded(ValueCodec.readDimension(in));
            case ChangeType.MACHINE_REGISTERED ->
                sink.machineRegistered(
                        in.readInt(),
                        in.readText(),
                        ValueCodec.readAmounts(in),
                        ValueCodec.readAttributes(in),
                        ValueCodec.readAgent(in));
            case ChangeType.MACHINE_RENEWED ->
                sink.machineRenewed(
                        in.readInt(),
                        ValueCodec.readAmounts(in),
                        ValueCodec.readAttributes(in),
                        ValueCodec.readAgent(in));
            case ChangeType.MACHINE_DRAINED -> sink.machineDrained(in.readInt(), ValueCodec.readDrain(in));
            case ChangeType.MACHINE_MARKED -> sink.machineMarked(in.readInt(), in.readBoolean(), in.readBoolean());
            case ChangeType.MACHINE_REMOVED -> sink.machineRemoved(in.readInt());
            case ChangeType.SESSION_OPENED ->
                sink.sessionOpened(in.readText(), in.readText(), in.readText(), in.readVarint());
            case ChangeType.SESSION_RENEWED -> sink.sessionRenewed(in.readVarint(), in.readText(), in.readVarint());
            case ChangeType.SESSION_CLOSED -> sink.sessionClosed(in.readVarint());
            case ChangeType.HOLD_PUT ->
                sink.holdPut(in.readVarint(), in.readInt(), in.readInt(), ValueCodec.readAmounts(in), in.readVarint());
            case ChangeType.POOL_PUT -> sink.poolPut(in.readText(), ValueCodec.readLimits(in));
            case ChangeType.RIGHTS_SET -> sink.rightsSet(in.readText(), ValueCodec.readRights(in));
            case ChangeType.SESSION_OFFERS ->
                sink.sessionOffers(in.readVarint(), ValueCodec.readParticipation(in), in.readBoolean());
            case ChangeType.OFFER_PUT ->
                sink.offerPut(in.readVarint(), in.readInt(), in.readInt(), ValueCodec.readAmounts(in), in.readVarint());
            case ChangeType.OFFER_ENDED -> sink.offerEnded(ValueCodec.readOffer(in));
            case ChangeType.OFFER_REFUSED -> sink.offerRefused(in.readVarint(), in.readInt(), in.readVarint());
            case ChangeType.OFFERS_REVIVED -> sink.offersRevived(in.readVarint());
            case ChangeType.POOL_DEFINED -> sink.poolDefined(in.readText(), ValueCodec.readPoolPolicy(in));
            case ChangeType.POOL_REMOVED -> sink.poolRemoved(in.readText());
            case ChangeType.TASK_UPGRADED -> sink.taskUpgraded(job, group, readIndex(in));
            case ChangeType.TASK_COPIED -> sink.taskCopied(job, group, readIndex(in));
            case ChangeType.RIGHTS_ON_SPARE_SET -> sink.rightsSet(in.readText(), ValueCodec.readRightsOnSpare(in));
            case ChangeType.RIGHTS_ON_MACHINES_SET ->
                sink.rightsSet(in.readText(), ValueCodec.readRightsOnMachines(in));
            case ChangeType.SCHEDULER_PAUSED -> sink.schedulerPaused(in.readText(), in.readBoolean());
            case ChangeType.TOKEN_PUT -> sink.tokenPut(ValueCodec.readToken(in));
            case ChangeType.TOKEN_REVOKED -> sink.tokenRevoked(in.readText());
            case ChangeType.TRANSACTION_DECIDED ->
                sink.transactionDecided(
                        EnumCodec.VERDICT.read(in), in.readVarint(), in.readInt(), in.readInt(), in.readInt());
            default -> throw in.damaged("unknown change type " + type);
        }
    }

    private void readGroup(ByteReader in) {
        job = in.readVarint();
        group = in.readInt();
        index = 0;
    }

    private int readIndex(ByteReader in) {
        index = (int) (index + in.readSigned());
        return index;
    }

    /** Passes on consecutive placements of one group as one call. */
    private void readTasksPlaced(ByteReader in) {
        placed.clear();
        do {
            readClaim(in);
        } while (in.skipByte(ChangeType.TASK_PLACED));
        ahead.tasksPlaced(job, group, placed);
        sink.tasksPlaced(job, group, placed);
    }

    private void readTasksQueued(ByteReader in) {
        placed.clear();
        do {
            readClaim(in);
        } while (in.skipByte(ChangeType.TASK_QUEUED));
        sink.tasksQueued(job, group, placed);
    }

    private void readSpareTasksPlaced(ByteReader in) {
        placed.clear();
        do {
            readClaim(in);
        } while (in.skipByte(ChangeType.SPARE_TASK_PLACED));
        sink.spareTasksPlaced(job, group, placed);
    }

    private void readClaim(ByteReader in) {
        int claimedIndex = readIndex(in);
        int slot = in.readInt();
        ordinal = (int) (ordinal + 1 + in.readSigned());
        placed.add(claimedIndex, slot, ordinal);
    }

    /** Passes on consecutive equal steps of tasks of one group as one call. */
    private void readTasksStepped(ByteReader in) {
        steps.clear();
        do {
            readTaskStepped(in);
        } while (in.skipByte(ChangeType.TASK_STEPPED));
        tellSteps();
    }

    private void tellSteps() {
        ahead.tasksStepped(job, group, steps);
        sink.tasksStepped(job, group, steps);
    }

    private void readTaskStepped(ByteReader in) {
        int steppedIndex = readIndex(in);
        TaskState state = EnumCodec.TASK_STATE.read(in);
        TaskReason reason = EnumCodec.TASK_REASON.read(in);
        int exitCode = (int) in.readSigned();
        long startedAtMillis = in.readSigned();
        long endedAtMillis = in.readSigned();
        if (!steps.isOf(state, reason, exitCode, startedAtMillis, endedAtMillis)) {
            if (steps.count() > 0) {
                tellSteps();
            }
            steps.begin(state, reason, exitCode, startedAtMillis, endedAtMillis);
        }
        steps.add(steppedIndex);
    }
}
