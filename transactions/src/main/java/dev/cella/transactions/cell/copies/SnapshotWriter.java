package dev.cella.transactions.cell.copies;

import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.HoldTable;
import dev.cella.transactions.cell.tables.MachineMembers;
import dev.cella.transactions.cell.tables.MachineTable;
import dev.cella.transactions.cell.tables.OutcomeTable;
import dev.cella.transactions.cell.tables.PolicyTable;
import dev.cella.transactions.cell.tables.PoolRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.QueueTable;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.SessionTable;
import dev.cella.transactions.cell.tables.SnapshotFormat;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.cell.tables.TokenTable;
import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.ValueCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.Origin;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the pages of a {@link CellCopy} as bytes, each with its section number first and complete in itself. The transactions
 * that a page's rows refer to are written once, before the rows, which name them by version. Sections are loaded in the order
 * of their numbers. The tasks on a machine form a list, whose order decides which tasks are lost first: a machine's row names
 * the row of its first task, a task's row the next one. The reader checks itself against the digests.
 */
public final class SnapshotWriter {
    private static ByteWriter begin(int section) {
        ByteWriter out = new ByteWriter();
        out.writeByte(section);
        return out;
    }

    static byte[] head(CellCopy copy) {
        ByteWriter out = begin(SnapshotFormat.HEAD);
        out.writeByte(SnapshotFormat.of(copy.featureLevel));
        out.writeText(copy.name == null ? "" : copy.name.text());
        out.writeFixedLong(copy.incarnation.number());
        out.writeVarint(copy.featureLevel);
        out.writeVarint(copy.version.number());
        out.writeVarint(copy.time.millis());
        out.writeSigned(copy.wallTimeMillis);
        out.writeVarint(copy.dimensions.size());
        for (Dimension dimension : copy.dimensions.list()) {
            ValueCodec.writeDimension(out, dimension);
        }
        return out.toBytes();
    }

    // ---- origins

    private static void collect(SortedMap<Long, Origin> origins, @Nullable Origin origin) {
        if (origin != null) {
            origins.put(origin.version(), origin);
        }
    }

    private static void writeOrigins(ByteWriter out, SortedMap<Long, Origin> origins) {
        out.writeVarint(origins.size());
        origins.values().forEach(origin -> ValueCodec.writeOrigin(out, origin));
    }

    private static void writeOriginOf(ByteWriter out, @Nullable Origin origin) {
        out.writeVarint(origin == null ? 0 : origin.version());
    }

    // ---- machines

    static byte[] machines(CellCopy copy, int page) {
        MachineTable machines = copy.machines;
        SortedMap<Long, Origin> origins = new TreeMap<>();
        for (int slot = machines.firstSlot(page); slot < machines.endSlot(page); slot++) {
            collect(origins, machines.claimedBy(slot));
        }
        ByteWriter out = begin(SnapshotFormat.MACHINES);
        writeOrigins(out, origins);
        for (int slot = machines.firstSlot(page); slot < machines.endSlot(page); slot++) {
            writeMachine(out, machines, slot, copy.dimensions.size());
        }
        return out.toBytes();
    }

    /** An empty slot is written with its name only, because ended tasks still show that name. */
    private static void writeMachine(ByteWriter out, MachineTable machines, int slot, int dimensions) {
        out.writeVarint(slot);
        out.writeText(machines.name(slot));
        out.writeVarint(machines.registeredVersion(slot));
        if (!machines.exists(slot)) {
            return;
        }
        MachineMembers members = machines.members(slot);
        writeAmounts(out, dimensions, dimension -> machines.capacity(slot, dimension), members.capacity());
        writeAmounts(out, dimensions, dimension -> machines.capacityWanted(slot, dimension), members.wanted());
        writeAmounts(out, dimensions, dimension -> machines.free(slot, dimension), members.free());
        ValueCodec.writeAttributes(out, machines.attributes(slot));
        ValueCodec.writeAgent(out, machines.agent(slot));
        out.writeBoolean(machines.isDraining(slot));
        out.writeBoolean(machines.isDown(slot));
        ValueCodec.writeDrain(out, machines.drain(slot));
        out.writeVarint(machines.claimedVersion(slot));
        out.writeVarint(machines.claimedByOthersVersion(slot));
        writeOriginOf(out, machines.claimedBy(slot));
        out.writeVarint(machines.changedVersion(slot));
        out.writeVarint(machines.firstTask(slot) + 1L);
    }

    private static void writeAmounts(ByteWriter out, int dimensions, IntToLongFunction at, Members members) {
        long[] values = new long[dimensions];
        Arrays.setAll(values, at);
        ValueCodec.writeAmounts(out, Amounts.of(values).naming(members));
    }

    // ---- policies, holds, sessions: small tables, whole

    static byte[] pools(PolicyTable policies, int format) {
        SortedMap<Long, Origin> origins = new TreeMap<>();
        policies.pools().forEach(pool -> collect(origins, pool.claimedByOrNull()));
        ByteWriter out = begin(SnapshotFormat.POOLS);
        writeOrigins(out, origins);
        for (PoolRow pool : policies.pools()) {
            out.writeText(pool.path());
            ValueCodec.writeLimits(out, pool.limits());
            writeOriginOf(out, pool.claimedByOrNull());
            if (format >= SnapshotFormat.POLICY_FORMAT) {
                out.writeBoolean(pool.isDefined());
                if (pool.isDefined()) {
                    ValueCodec.writePoolPolicy(out, pool.said());
                }
            }
        }
        return out.toBytes();
    }

    static byte[] rights(PolicyTable policies, int format) {
        ByteWriter out = begin(SnapshotFormat.RIGHTS);
        policies.allRights().forEach((scheduler, rights) -> {
            out.writeText(scheduler);
            if (format >= SnapshotFormat.SPARE_FORMAT) {
                ValueCodec.writeRightsOnSpare(out, rights);
            } else if (format >= SnapshotFormat.POLICY_FORMAT) {
                ValueCodec.writeRightsOnMachines(out, rights);
            } else {
                ValueCodec.writeRights(out, rights);
            }
        });
        return out.toBytes();
    }

    static byte[] paused(PolicyTable policies) {
        ByteWriter out = begin(SnapshotFormat.PAUSED);
        policies.paused().forEach(out::writeText);
        return out.toBytes();
    }

    static byte[] tokens(TokenTable tokens) {
        ByteWriter out = begin(SnapshotFormat.TOKENS);
        tokens.all().forEach(token -> ValueCodec.writeToken(out, token));
        return out.toBytes();
    }

    static byte[] holds(HoldTable holds) {
        SortedMap<Long, Origin> origins = new TreeMap<>();
        holds.all().forEach(hold -> collect(origins, hold.origin()));
        ByteWriter out = begin(SnapshotFormat.HOLDS);
        writeOrigins(out, origins);
        for (HoldRow hold : holds.all()) {
            writeOriginOf(out, hold.origin());
            out.writeVarint(hold.ordinal());
            writeOwner(out, hold);
            out.writeVarint(hold.slot());
            ValueCodec.writeAmounts(out, hold.wanted());
            out.writeVarint(hold.expiresAt().millis());
            ValueCodec.writeAmounts(out, hold.got());
        }
        return out.toBytes();
    }

    /** Machine by machine, in the order of their queues. */
    static byte[] queues(QueueTable queues) {
        SortedMap<Long, Origin> origins = new TreeMap<>();
        List<QueueRow> rows = queues.all();
        rows.forEach(row -> collect(origins, row.origin()));
        ByteWriter out = begin(SnapshotFormat.QUEUES);
        writeOrigins(out, origins);
        for (QueueRow row : rows) {
            writeOriginOf(out, row.origin());
            out.writeVarint(row.ordinal());
            out.writeVarint(row.group().job().id().version());
            out.writeVarint(row.group().place());
            out.writeVarint(row.index());
            out.writeVarint(row.slot());
        }
        return out.toBytes();
    }

    /** An offer has no job; its session follows. */
    private static void writeOwner(ByteWriter out, HoldRow hold) {
        out.writeVarint(hold.isOffer() ? 0 : hold.owner());
        if (hold.isOffer()) {
            out.writeVarint(hold.session());
            out.writeText(hold.scheduler());
            out.writeVarint(hold.madeAt().millis());
        }
    }

    static byte[] sessions(SessionTable sessions, int format) {
        ByteWriter out = begin(SnapshotFormat.SESSIONS);
        for (SessionRow session : sessions.all()) {
            out.writeVarint(session.id().version());
            out.writeText(session.scheduler());
            out.writeText(session.instance());
            out.writeText(session.type());
            out.writeVarint(session.leaseMillis());
            out.writeVarint(session.changedVersion());
            if (format >= SnapshotFormat.POLICY_FORMAT) {
                writeOffers(out, session, sessions);
            }
        }
        return out.toBytes();
    }

    private static void writeOffers(ByteWriter out, SessionRow session, SessionTable sessions) {
        out.writeBoolean(session.offers().isPresent());
        if (session.offers().isPresent()) {
            ValueCodec.writeParticipation(out, session.offers().get());
            out.writeBoolean(session.suppressed());
        }
        SortedMap<Integer, Long> refusals = sessions.refusals(session.id().version());
        out.writeVarint(refusals.size());
        refusals.forEach((slot, until) -> {
            out.writeVarint(slot);
            out.writeVarint(until);
        });
    }

    // ---- tasks

    static byte[] tasks(TaskTable tasks, int page, int format) {
        SortedMap<Long, Origin> origins = new TreeMap<>();
        for (int row = tasks.firstRow(page); row < tasks.endRow(page); row++) {
            collect(origins, tasks.origin(row));
        }
        ByteWriter out = begin(SnapshotFormat.TASKS);
        writeOrigins(out, origins);
        for (int row = tasks.firstRow(page); row < tasks.endRow(page); row++) {
            if (tasks.isUsed(row)) {
                writeTask(out, tasks, row, format);
            }
        }
        return out.toBytes();
    }

    private static void writeTask(ByteWriter out, TaskTable tasks, int row, int format) {
        GroupRow group = tasks.group(row);
        out.writeVarint(row);
        out.writeVarint(group.job().id().version());
        out.writeVarint(group.place());
        out.writeVarint(tasks.index(row));
        out.writeVarint(tasks.attempt(row));
        ValueCodec.writeTaskState(out, tasks.state(row));
        ValueCodec.writeTaskReason(out, tasks.reason(row));
        out.writeVarint(tasks.failures(row));
        out.writeVarint(tasks.generation(row));
        ValueCodec.writeAmounts(out, tasks.shape(row));
        out.writeVarint(tasks.machine(row) + 1L);
        writeOriginOf(out, tasks.origin(row));
        out.writeVarint(tasks.ordinal(row));
        out.writeSigned(tasks.exitCode(row));
        out.writeSigned(tasks.startedAt(row));
        out.writeSigned(tasks.endedAt(row));
        ValueCodec.writeAmounts(out, tasks.handedOver(row));
        out.writeVarint(tasks.yieldsToVersion(row));
        out.writeVarint(tasks.yieldsToOrdinal(row));
        out.writeVarint(tasks.changedVersion(row));
        out.writeVarint(tasks.state(row).isOnMachine() ? tasks.nextOnMachine(row) + 1L : 0);
        if (format >= SnapshotFormat.SPARE_FORMAT) {
            out.writeBoolean(tasks.isSpare(row));
        }
    }

    // ---- outcomes, digests

    static byte[] digests(CellDigests digests, int format) {
        ByteWriter out = begin(SnapshotFormat.DIGESTS);
        out.writeFixedLong(digests.head());
        out.writeFixedLong(digests.machines());
        out.writeFixedLong(digests.jobs());
        out.writeFixedLong(digests.tasks());
        out.writeFixedLong(digests.sessions());
        out.writeFixedLong(digests.policies());
        out.writeFixedLong(digests.holds());
        if (format >= SnapshotFormat.QUEUES_FORMAT) {
            out.writeFixedLong(digests.queues());
        }
        return out.toBytes();
    }

    static byte[] horizon(OutcomeTable outcomes) {
        ByteWriter out = begin(SnapshotFormat.HORIZON);
        out.writeVarint(outcomes.horizon());
        out.writeVarint(outcomes.forgottenBefore());
        return out.toBytes();
    }

    static byte[] outcomes(OutcomeTable outcomes, long page) {
        ByteWriter out = begin(SnapshotFormat.OUTCOMES);
        outcomes.forEach(page, (id, asked, version, cellTimeMillis) -> {
            out.writeFixedLong(id);
            out.writeFixedLong(asked);
            out.writeVarint(version);
            out.writeVarint(cellTimeMillis);
        });
        return out.toBytes();
    }

    private SnapshotWriter() {}
}
