package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.cell.tables.TaskTable;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.HoldRequest;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The listener gets every row that changed, along a random history, so that a reader can keep data beside each row.
 */
class ChangedRowsTest {
    private static final int COMMANDS = 1_500;

    private final Cell cell = new Cell(new CellLimits(100, 1_000_000, 3));
    private final CellReplica replica = new CellReplica();
    private final Told told = new Told();
    private Map<Object, String> before = new HashMap<>();

    @Test
    void everyRowThatDiffers_isNamed() {
        History history = new History(5, cell);
        Set<Object> kinds = new HashSet<>();
        for (long millis = 1; millis <= COMMANDS; millis++) {
            told.rows.clear();
            cell.apply(new EntryHeader(1, new CellTime(millis), 7 * millis, Incarnation.UNSAID), history.next());
            replica.applyChanges(cell.takeChanges(), told);
            assertThat(told.version).isEqualTo(cell.view().version());
            assertThat(told.wallTimeMillis).isEqualTo(7 * millis);
            Map<Object, String> after = rows(replica.view());
            Set<Object> differing = differing(before, after);
            assertThat(told.rows).as("at " + millis).containsAll(differing);
            differing.forEach(row -> kinds.add(row.getClass()));
            before = after;
        }
        assertThat(kinds).containsExactlyInAnyOrder(Integer.class, JobId.class, TaskId.class, SessionId.class);
    }

    /** With one pass for the rows and another for the listener, the listener would see only the last version. */
    @Test
    void framesThatComeTogether_areReadOnce_andToldWhileTheirOwnVersionShows() {
        List<byte[]> frames = new ArrayList<>();
        List<CellVersion> versions = new ArrayList<>();
        for (int command = 1; command <= 3; command++) {
            cell.apply(
                    new EntryHeader(1, new CellTime(command), 0, Incarnation.UNSAID),
                    new Command.PutMachine(
                            "m" + command, Amounts.of(1_000, 1_024), new TreeMap<>(), Optional.empty(), false));
            frames.add(cell.takeChanges());
            versions.add(cell.view().version());
        }
        List<CellVersion> shown = new ArrayList<>();
        replica.applyChanges(joined(frames), new TouchedRows() {
            @Override
            public void version(CellVersion to, CellTime time, long wallTime, Optional<Origin> transaction) {
                shown.add(replica.view().version());
            }
        });
        assertThat(shown).isEqualTo(versions);
    }

    private static byte[] joined(List<byte[]> frames) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frames.forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** A scheduler whose job waits for the machine must be woken. */
    @Test
    void machineOnWhichAHoldEndedByTime_isNamed() {
        TestCell held = new TestCell();
        held.machine("m", 1_000, 1_024);
        held.job("j", 1, 1_000, 1_024);
        HoldRequest hold = new HoldRequest(held.jobRow("j").id(), held.slot("m"), Amounts.of(1_000), 5_000);
        held.commit(held.transaction("hold").hold(hold));
        replica.load(held.cell.snapshotForReplicas());
        held.advance(5_000);
        held.cell.apply(held.header(), new Command.PutPool("p", Limits.NONE));
        replica.applyChanges(held.cell.takeChanges(), told);
        assertThat(replica.view().free(held.slot("m"), 0)).isEqualTo(1_000);
        assertThat(told.rows).containsExactly(held.slot("m"));
    }

    /** No task of its job is pending any more, so the hold ends, and no change names its machine. */
    @Test
    void machineOnWhichAHoldEndedWithTheLastClaim_isNamed() {
        TestCell held = new TestCell();
        held.apply(new Command.RaiseFeatureLevel(EntryCodec.HOLDS_OF_PENDING_LEVEL));
        held.machine("m", 1_000, 1_024);
        held.machine("n", 1_000, 1_024);
        held.job("j", 1, 1_000, 1_024);
        HoldRequest hold = new HoldRequest(held.jobRow("j").id(), held.slot("m"), Amounts.of(1_000), 5_000);
        held.commit(held.transaction("hold").hold(hold));
        replica.load(held.cell.snapshotForReplicas());
        Transaction claim = held.transaction("claim")
                .claim(held.task("j", 0), 1, held.slot("n"))
                .build();
        held.cell.apply(held.header(), new Command.CommitTransaction(claim));
        replica.applyChanges(held.cell.takeChanges(), told);
        assertThat(replica.view().free(held.slot("m"), 0)).isEqualTo(1_000);
        assertThat(told.rows).contains(held.slot("m"));
    }

    private static Set<Object> differing(Map<Object, String> before, Map<Object, String> after) {
        Set<Object> rows = new HashSet<>(before.keySet());
        rows.addAll(after.keySet());
        rows.removeIf(row -> Objects.equals(before.get(row), after.get(row)) || isFenced(row, after));
        return rows;
    }

    /** The change that opens a session implies that the older one is over. */
    private static boolean isFenced(Object row, Map<Object, String> after) {
        return row instanceof SessionId && !after.containsKey(row);
    }

    /** Machines by slot, everything else by identity. A machine's row has the amounts that its tasks hold. */
    private static Map<Object, String> rows(CellView view) {
        Map<Object, String> rows = new HashMap<>();
        for (int slot = 0; slot < view.machineSlots(); slot++) {
            if (view.machineExists(slot)) {
                rows.put(slot, view.machine(slot).toString() + view.drain(slot));
            }
        }
        for (JobRow job : view.jobs()) {
            rows.put(
                    job.id(),
                    job.state() + " " + job.header() + job.generation()
                            + job.progress().digest() + job.attempts() + job.conflicts());
            for (GroupRow group : job.groups()) {
                putTasks(rows, view, group);
            }
        }
        view.sessions().forEach(session -> rows.put(session.id(), session.toString()));
        return rows;
    }

    /** Tasks that were placed at least once: the others follow from their job. */
    private static void putTasks(Map<Object, String> rows, CellView view, GroupRow group) {
        for (int index = 0; index < group.rowsEnd(); index++) {
            if (group.row(index) != TaskTable.NO_ROW) {
                TaskRow task = view.task(group, index);
                rows.put(task.id(), task.changedVersion() + " " + task.attempt() + task.machine());
            }
        }
    }

    private static final class Told implements TouchedRows {
        final Set<Object> rows = new HashSet<>();
        CellVersion version = CellVersion.NONE;
        long wallTimeMillis;

        @Override
        public void version(CellVersion to, CellTime time, long wallTime, Optional<Origin> transaction) {
            version = to;
            wallTimeMillis = wallTime;
        }

        @Override
        public void machine(int slot) {
            rows.add(slot);
        }

        @Override
        public void job(JobId job) {
            rows.add(job);
        }

        @Override
        public void task(TaskId task) {
            rows.add(task);
        }

        @Override
        public void session(SessionId session) {
            rows.add(session);
        }
    }
}
