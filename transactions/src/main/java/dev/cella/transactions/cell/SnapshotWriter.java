package dev.cella.transactions.cell;

import dev.cella.transactions.codec.ByteWriter;
import dev.cella.transactions.codec.ValueCodec;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cell as chunks of rows: the head, then each table. Transactions that rows came from are written once and
 * referred to by version. Tasks on a machine are written in the order in which its list was built, so that the list comes
 * out the same. The last chunk has the digests, against which the reader checks itself.
 */
final class SnapshotWriter {
    static final int FORMAT = 2;
    static final int HEAD = 1;
    static final int ORIGINS = 2;
    static final int MACHINES = 3;
    static final int JOBS = 4;
    static final int TASKS = 5;
    static final int SESSIONS = 6;
    static final int OUTCOMES = 7;
    static final int DIGESTS = 8;
    static final int POOLS = 9;
    static final int RIGHTS = 10;
    static final int HOLDS = 11;
    private static final int CHUNK_BYTES = 1 << 16;

    private final Tables tables;
    private final List<byte[]> chunks = new ArrayList<>();
    private ByteWriter out = new ByteWriter();

    SnapshotWriter(Tables tables) {
        this.tables = tables;
    }

    List<byte[]> write() {
        writeHead();
        writeOrigins();
        writeMachines();
        writePools();
        writeRights();
        writeJobs();
        writeTasks();
        writeHolds();
        writeSessions();
        writeDigests();
        return chunks;
    }

    List<byte[]> write(OutcomeTable outcomes) {
        write();
        begin(OUTCOMES);
        out.writeVarint(outcomes.horizon());
        outcomes.forEach((id, asked, version, cellTimeMillis) -> {
            turnPage(OUTCOMES, outcomes.horizon());
            out.writeFixedLong(id);
            out.writeFixedLong(asked);
            out.writeVarint(version);
            out.writeVarint(cellTimeMillis);
        });
        end();
        return chunks;
    }

    // ---- chunks

    private void begin(int section) {
        out = new ByteWriter();
        out.writeByte(section);
    }

    private void end() {
        chunks.add(out.toBytes());
    }

    /** Begins a new chunk of the section when this one is full. */
    private void turnPage(int section) {
        if (out.length() > CHUNK_BYTES) {
            end();
            begin(section);
        }
    }

    private void turnPage(int section, long first) {
        if (out.length() > CHUNK_BYTES) {
            end();
            begin(section);
            out.writeVarint(first);
        }
    }

    // ---- sections

    private void writeHead() {
        begin(HEAD);
        out.writeByte(FORMAT);
        out.writeText(tables.name() == null ? "" : tables.name().text());
        out.writeFixedLong(tables.incarnation().number());
        out.writeVarint(tables.featureLevel());
        out.writeVarint(tables.version());
        out.writeVarint(tables.cellTimeMillis());
        out.writeSigned(tables.wallTimeMillis());
        out.writeVarint(tables.dimensions().size());
        for (Dimension dimension : tables.dimensions().list()) {
            ValueCodec.writeDimension(out, dimension);
        }
        end();
    }

    private void writeOrigins() {
        begin(ORIGINS);
        for (Origin origin : origins().values()) {
            turnPage(ORIGINS);
            ValueCodec.writeOrigin(out, origin);
        }
        end();
    }

    private SortedMap<Long, Origin> origins() {
        SortedMap<Long, Origin> origins = new TreeMap<>();
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            collect(origins, tables.machines.claimedBy(slot));
        }
        tables.policies
                .pools()
                .forEach(pool -> collect(origins, pool.claimedBy().orElse(null)));
        tables.holds.all().forEach(hold -> collect(origins, hold.origin()));
        for (int row : rowsToWrite()) {
            collect(origins, tables.tasks.origin(row));
        }
        return origins;
    }

    private static void collect(SortedMap<Long, Origin> origins, @Nullable Origin origin) {
        if (origin != null) {
            origins.put(origin.version(), origin);
        }
    }

    private void writeMachines() {
        begin(MACHINES);
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            turnPage(MACHINES);
            writeMachine(slot);
        }
        end();
    }

    /** A slot that is empty by now is written by name alone: tasks that ended there still say it. */
    private void writeMachine(int slot) {
        MachineTable machines = tables.machines;
        out.writeVarint(slot);
        out.writeText(machines.name(slot));
        out.writeVarint(machines.registeredVersion(slot));
        if (!machines.exists(slot)) {
            return;
        }
        ValueCodec.writeAmounts(out, amounts(dimension -> machines.capacity(slot, dimension)));
        ValueCodec.writeAmounts(out, amounts(dimension -> machines.capacityWanted(slot, dimension)));
        ValueCodec.writeAmounts(out, amounts(dimension -> machines.free(slot, dimension)));
        ValueCodec.writeAttributes(out, machines.attributes(slot));
        ValueCodec.writeAgent(out, machines.agent(slot));
        out.writeBoolean(machines.isDraining(slot));
        out.writeBoolean(machines.isDown(slot));
        ValueCodec.writeDrain(out, machines.drain(slot));
        out.writeVarint(machines.claimedVersion(slot));
        out.writeVarint(machines.claimedByOthersVersion(slot));
        writeOriginOf(machines.claimedBy(slot));
        out.writeVarint(machines.changedVersion(slot));
    }

    private Amounts amounts(IntToLongFunction at) {
        long[] values = new long[tables.dimensions().size()];
        Arrays.setAll(values, at);
        return Amounts.of(values);
    }

    private void writeOriginOf(@Nullable Origin origin) {
        out.writeVarint(origin == null ? 0 : origin.version());
    }

    private void writePools() {
        begin(POOLS);
        for (PoolRow pool : tables.policies.pools()) {
            turnPage(POOLS);
            out.writeText(pool.path());
            ValueCodec.writeLimits(out, pool.limits());
            writeOriginOf(pool.claimedBy().orElse(null));
        }
        end();
    }

    private void writeRights() {
        begin(RIGHTS);
        tables.policies.allRights().forEach((scheduler, rights) -> {
            turnPage(RIGHTS);
            out.writeText(scheduler);
            ValueCodec.writeRights(out, rights);
        });
        end();
    }

    private void writeJobs() {
        begin(JOBS);
        for (JobRow job : tables.jobs.all().values()) {
            turnPage(JOBS);
            out.writeVarint(job.id().version());
            ValueCodec.writeHeader(out, job.header());
            ValueCodec.writeSpecification(out, job.specification());
            job.writeRest(out);
        }
        end();
    }

    private void writeTasks() {
        begin(TASKS);
        for (int row : rowsToWrite()) {
            turnPage(TASKS);
            writeTask(row);
        }
        end();
    }

    /** Rows on machines first, each machine's list from its end; then the others, by job, group and index. */
    private List<Integer> rowsToWrite() {
        List<Integer> rows = new ArrayList<>();
        for (int slot = 0; slot < tables.machines.slots(); slot++) {
            int from = rows.size();
            for (int row = tables.machines.firstTask(slot);
                    row != TaskTable.NO_ROW;
                    row = tables.tasks.nextOnMachine(row)) {
                rows.add(row);
            }
            Collections.reverse(rows.subList(from, rows.size()));
        }
        for (JobRow job : tables.jobs.all().values()) {
            job.groups().forEach(group -> addRowsOnNoMachine(group, rows));
        }
        return rows;
    }

    private void addRowsOnNoMachine(GroupRow group, List<Integer> rows) {
        for (int index = 0; index < group.rowsEnd(); index++) {
            int row = group.row(index);
            if (row != TaskTable.NO_ROW && !tables.tasks.state(row).isOnMachine()) {
                rows.add(row);
            }
        }
    }

    private void writeTask(int row) {
        TaskTable tasks = tables.tasks;
        GroupRow group = tasks.group(row);
        out.writeVarint(group.job().id().version());
        out.writeVarint(group.place());
        out.writeVarint(tasks.index(row));
        out.writeByte(tasks.state(row).code());
        out.writeByte(tasks.reason(row).code());
        out.writeVarint(tasks.attempt(row));
        out.writeVarint(tasks.failures(row));
        out.writeVarint(tasks.generation(row));
        ValueCodec.writeAmounts(out, tasks.shape(row));
        out.writeVarint(tasks.machine(row) + 1L);
        writeOriginOf(tasks.origin(row));
        out.writeVarint(tasks.ordinal(row));
        out.writeSigned(tasks.exitCode(row));
        out.writeSigned(tasks.startedAt(row));
        out.writeSigned(tasks.endedAt(row));
        ValueCodec.writeAmounts(out, tasks.handedOver(row));
        out.writeVarint(tasks.yieldsToVersion(row));
        out.writeVarint(tasks.yieldsToOrdinal(row));
        out.writeVarint(tasks.changedVersion(row));
    }

    private void writeHolds() {
        begin(HOLDS);
        for (HoldRow hold : tables.holds.all()) {
            turnPage(HOLDS);
            writeOriginOf(hold.origin());
            out.writeVarint(hold.ordinal());
            out.writeVarint(hold.job().id().version());
            out.writeVarint(hold.slot());
            ValueCodec.writeAmounts(out, hold.wanted());
            out.writeVarint(hold.expiresAt().millis());
            ValueCodec.writeAmounts(out, hold.got());
        }
        end();
    }

    private void writeSessions() {
        begin(SESSIONS);
        for (SessionRow session : tables.sessions.all()) {
            turnPage(SESSIONS);
            out.writeVarint(session.id().version());
            out.writeText(session.scheduler());
            out.writeText(session.instance());
            out.writeText(session.type());
            out.writeVarint(session.leaseMillis());
            out.writeVarint(session.changedVersion());
        }
        end();
    }

    private void writeDigests() {
        CellDigests digests = new CellView(tables).digests();
        begin(DIGESTS);
        out.writeFixedLong(digests.head());
        out.writeFixedLong(digests.machines());
        out.writeFixedLong(digests.jobs());
        out.writeFixedLong(digests.tasks());
        out.writeFixedLong(digests.sessions());
        out.writeFixedLong(digests.policies());
        out.writeFixedLong(digests.holds());
        end();
    }
}
