package dev.cella.transactions.cell.copies;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.LoadedTask;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.SnapshotFormat;
import dev.cella.transactions.cell.tables.TableLoader;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.codec.ByteReader;
import dev.cella.transactions.codec.DamagedBytesException;
import dev.cella.transactions.codec.UnknownLevelException;
import dev.cella.transactions.codec.ValueCodec;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fills empty tables from the chunks that a {@link SnapshotWriter} wrote, and checks the digests when done. */
public final class SnapshotReader {
    private final Tables tables;
    private final TableLoader loader;
    private final Map<Long, Origin> origins = new HashMap<>();
    private int format;
    private @Nullable CellDigests said;

    public SnapshotReader(Tables tables) {
        this.tables = tables;
        this.loader = new TableLoader(tables);
    }

    /** A copy without a table of outcomes passes over the outcomes in the chunks. */
    public void read(List<byte[]> chunks, @Nullable OutcomeTable outcomes) {
        for (byte[] chunk : chunks) {
            readChunk(new ByteReader(chunk), outcomes);
        }
        checkDigests();
    }

    private void readChunk(ByteReader in, @Nullable OutcomeTable outcomes) {
        int section = in.readByte();
        switch (section) {
            case SnapshotFormat.HEAD -> readHead(in);
            case SnapshotFormat.MACHINES -> readRowsOfOrigins(in, this::readMachine);
            case SnapshotFormat.POOLS -> readRowsOfOrigins(in, this::readPool);
            case SnapshotFormat.RIGHTS -> readRows(in, this::readRights);
            case SnapshotFormat.PAUSED -> readRows(in, row -> tables.policies.pause(row.readText(), true));
            case SnapshotFormat.JOBS -> readRows(in, this::readJob);
            case SnapshotFormat.TASKS -> readRowsOfOrigins(in, this::readTask);
            case SnapshotFormat.HOLDS -> readRowsOfOrigins(in, this::readHold);
            case SnapshotFormat.QUEUES -> readRowsOfOrigins(in, this::readQueueRow);
            case SnapshotFormat.SESSIONS -> readRows(in, this::readSession);
            case SnapshotFormat.TOKENS -> readTokens(in);
            case SnapshotFormat.DIGESTS -> readDigests(in);
            case SnapshotFormat.HORIZON -> readHorizon(in, outcomes);
            case SnapshotFormat.OUTCOMES -> readOutcomes(in, outcomes);
            default -> throw in.damaged("unknown section " + section + " of a snapshot");
        }
    }

    /** Reads one row. */
    private interface RowReader {
        void read(ByteReader in);
    }

    private static void readRows(ByteReader in, RowReader row) {
        while (in.hasRemaining()) {
            row.read(in);
        }
    }

    private void readTokens(ByteReader in) {
        readRows(in, row -> tables.tokens.load(ValueCodec.readToken(row)));
        tables.tokens.show();
    }

    private void readHead(ByteReader in) {
        format = in.readByte();
        if (format < SnapshotFormat.MIN || format > SnapshotFormat.MAX) {
            throw new UnknownLevelException("snapshot format " + format + ", this program knows " + SnapshotFormat.MIN
                    + " to " + SnapshotFormat.MAX);
        }
        String name = in.readText();
        tables.loadHead(
                name.isEmpty() ? null : new CellName(name),
                new Incarnation(in.readFixedLong()),
                in.readInt(),
                in.readVarint(),
                in.readVarint(),
                in.readSigned());
        if (format != SnapshotFormat.of(tables.featureLevel())) {
            throw in.damaged("a snapshot of format " + format + " at feature level " + tables.featureLevel());
        }
        List<Dimension> dimensions = new ArrayList<>();
        for (int count = in.readCount(2); count > 0; count--) {
            dimensions.add(ValueCodec.readDimension(in));
        }
        tables.loadDimensions(new Dimensions(dimensions));
    }

    /**
     * Reads the transactions that the rows of the page refer to, then the rows. Each transaction is one object, across all
     * pages.
     */
    private void readRowsOfOrigins(ByteReader in, RowReader row) {
        for (int count = in.readCount(3); count > 0; count--) {
            Origin origin = ValueCodec.readOrigin(in);
            if (origin == null) {
                throw in.damaged("no transaction among those that rows came from");
            }
            origins.putIfAbsent(origin.version(), origin);
        }
        readRows(in, row);
    }

    private @Nullable Origin readOriginOf(ByteReader in) {
        long version = in.readVarint();
        return version == 0 ? null : origins.get(version);
    }

    private void readMachine(ByteReader in) {
        int slot = in.readInt();
        String name = in.readText();
        long registered = in.readVarint();
        if (registered == 0) {
            tables.machines.loadEmpty(slot, name);
            return;
        }
        tables.machines.load(
                slot,
                name,
                registered,
                ValueCodec.readAmounts(in),
                ValueCodec.readAmounts(in),
                ValueCodec.readAmounts(in),
                ValueCodec.readAttributes(in),
                ValueCodec.readAgent(in),
                in.readBoolean(),
                in.readBoolean(),
                ValueCodec.readDrain(in),
                in.readVarint(),
                in.readVarint(),
                readOriginOf(in),
                in.readVarint(),
                in.readInt() - 1);
    }

    private void readPool(ByteReader in) {
        String path = in.readText();
        tables.policies.limit(path, ValueCodec.readLimits(in));
        tables.policies.setClaimed(tables.policies.pool(path), readOriginOf(in));
        if (format >= SnapshotFormat.POLICY_FORMAT && in.readBoolean()) {
            tables.policies.define(path, ValueCodec.readPoolPolicy(in));
        }
    }

    private void readRights(ByteReader in) {
        tables.policies.set(in.readText(), readRightsOf(in));
    }

    private Rights readRightsOf(ByteReader in) {
        if (format >= SnapshotFormat.SPARE_FORMAT) {
            return ValueCodec.readRightsOnSpare(in);
        }
        return format >= SnapshotFormat.POLICY_FORMAT ? ValueCodec.readRightsOnMachines(in) : ValueCodec.readRights(in);
    }

    private void readJob(ByteReader in) {
        JobId id = new JobId(in.readVarint());
        loader.job(JobRow.read(id, ValueCodec.readHeader(in), ValueCodec.readSpecification(in), in, format));
    }

    private void readTask(ByteReader in) {
        int row = in.readInt();
        LoadedTask loaded = new LoadedTask(
                readGroup(in),
                in.readInt(),
                in.readInt(),
                ValueCodec.readTaskState(in),
                ValueCodec.readTaskReason(in),
                in.readInt(),
                in.readInt(),
                ValueCodec.readAmounts(in),
                readSlotOrNone(in),
                readOriginOf(in),
                in.readInt(),
                (int) in.readSigned(),
                in.readSigned(),
                in.readSigned(),
                ValueCodec.readAmounts(in),
                in.readVarint(),
                in.readInt(),
                in.readVarint(),
                in.readInt() - 1,
                format >= SnapshotFormat.SPARE_FORMAT && in.readBoolean());
        loader.task(row, loaded);
    }

    private GroupRow readGroup(ByteReader in) {
        long id = in.readVarint();
        int place = in.readInt();
        JobRow job = tables.jobs.findToChange(id);
        if (job == null || place >= job.groupCount()) {
            throw in.damaged("a task of group " + place + " of job " + id + ", which is not there");
        }
        return job.group(place);
    }

    private int readSlotOrNone(ByteReader in) {
        int slot = in.readInt() - 1;
        if (slot >= tables.machines.slots()) {
            throw in.damaged("a task on machine " + slot + " of " + tables.machines.slots());
        }
        return slot;
    }

    private void readHold(ByteReader in) {
        Origin origin = readOriginOf(in);
        if (origin == null) {
            throw in.damaged("a hold of no transaction");
        }
        int ordinal = in.readInt();
        long job = in.readVarint();
        HoldRow hold = job == 0
                ? new HoldRow(
                        origin,
                        ordinal,
                        in.readVarint(),
                        in.readText(),
                        in.readVarint(),
                        in.readInt(),
                        ValueCodec.readAmounts(in),
                        in.readVarint())
                : new HoldRow(
                        origin,
                        ordinal,
                        tables.jobs.get(job),
                        in.readInt(),
                        ValueCodec.readAmounts(in),
                        in.readVarint());
        loader.hold(hold, ValueCodec.readAmounts(in));
    }

    private void readQueueRow(ByteReader in) {
        Origin origin = readOriginOf(in);
        if (origin == null) {
            throw in.damaged("a queue row of no transaction");
        }
        int ordinal = in.readInt();
        GroupRow group = readGroup(in);
        int index = in.readInt();
        int slot = in.readInt();
        if (slot >= tables.machines.slots() || index >= group.header().count()) {
            throw in.damaged("task " + index + " of a group in the queue of machine " + slot);
        }
        tables.queues.put(new QueueRow(group, index, slot, origin, ordinal));
    }

    private void readSession(ByteReader in) {
        SessionRow session = new SessionRow(
                new SessionId(in.readVarint()),
                in.readText(),
                in.readText(),
                in.readText(),
                in.readVarint(),
                in.readVarint());
        boolean offers = format >= SnapshotFormat.POLICY_FORMAT && in.readBoolean();
        tables.sessions.load(
                offers
                        ? session.withOffers(
                                ValueCodec.readParticipation(in), in.readBoolean(), session.changedVersion())
                        : session);
        int refusals = format >= SnapshotFormat.POLICY_FORMAT ? in.readCount(2) : 0;
        for (int count = refusals; count > 0; count--) {
            tables.sessions.refuse(session.id().version(), in.readInt(), in.readVarint());
        }
    }

    private void readDigests(ByteReader in) {
        said = new CellDigests(
                in.readFixedLong(),
                in.readFixedLong(),
                in.readFixedLong(),
                in.readFixedLong(),
                in.readFixedLong(),
                in.readFixedLong(),
                in.readFixedLong(),
                format >= SnapshotFormat.QUEUES_FORMAT ? in.readFixedLong() : 0);
    }

    /** Called after all chunks, because a section that was added later has a number behind that of the digests. */
    private void checkDigests() {
        if (said == null) {
            throw new DamagedBytesException("snapshot at version " + tables.version() + " without its digests", 0);
        }
        loader.finish();
        CellDigests found = CellDigests.of(tables);
        if (!said.equals(found)) {
            throw new DamagedBytesException(
                    "snapshot at version " + tables.version() + ": " + found + ", said " + said, 0);
        }
    }

    private static void readHorizon(ByteReader in, @Nullable OutcomeTable outcomes) {
        if (outcomes != null) {
            outcomes.loadHorizon(in.readVarint(), in.readVarint());
        }
    }

    private static void readOutcomes(ByteReader in, @Nullable OutcomeTable outcomes) {
        while (outcomes != null && in.hasRemaining()) {
            outcomes.load(in.readFixedLong(), in.readFixedLong(), in.readVarint(), in.readVarint());
        }
    }
}
