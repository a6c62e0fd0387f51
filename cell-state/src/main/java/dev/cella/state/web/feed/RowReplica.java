package dev.cella.state.web.feed;

import dev.cella.client.json.JsonCodec;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.codec.ChangeReader;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A private replica of the cell that turns each version into an event with the rows as this version leaves them.
 *
 * <h2>Why a separate replica</h2> An event shows each row as it was at that version. Reading the rows from the cell when an
 * event is sent would be simpler, but the cell has moved on by then: a task that was PLACED and is RUNNING now would be shown
 * RUNNING twice, and a machine that was removed would not even have its name. So this replica follows the changes one after
 * another, as a scheduler does.
 *
 * <p>Owned by its maker.
 */
final class RowReplica {
    private final CellReplica cell = new CellReplica();
    private final RowsBefore before = new RowsBefore(cell.view());
    private final RowMaker rows;

    RowReplica(JsonCodec codec, List<byte[]> snapshot) {
        rows = new RowMaker(codec, cell.view());
        cell.load(snapshot);
    }

    long version() {
        return cell.view().version().number();
    }

    Stream<ChangedRow> rows() {
        return rows.all();
    }

    /** Applies whole frames of changes. Returns the events of the versions after {@code after}. */
    List<VersionChange> apply(byte[] frames, long after) {
        List<VersionChange> events = new ArrayList<>();
        for (byte[] frame : ChangeReader.split(frames)) {
            if (version() >= after) {
                events.add(event(frame));
            } else {
                cell.applyChanges(frame);
            }
        }
        return events;
    }

    /** Applies the frames up to that version. */
    void applyUpTo(byte[] frames, long last) {
        for (byte[] frame : ChangeReader.split(frames)) {
            if (version() < last) {
                cell.applyChanges(frame);
            }
        }
    }

    private VersionChange event(byte[] frame) {
        before.look(frame);
        Touched touched = new Touched();
        cell.applyChanges(frame, touched);
        return new VersionChange(version(), touched.transaction, List.copyOf(touched.rows.values()));
    }

    /**
     * The rows of one version. A row that is named twice looks the same both times, because rows are read after the version is
     * applied.
     */
    private final class Touched implements TouchedRows {
        private final Map<String, ChangedRow> rows = new LinkedHashMap<>();
        private Optional<Origin> transaction = Optional.empty();

        @Override
        public void version(CellVersion next, CellTime time, long wallTimeMillis, Optional<Origin> by) {
            transaction = by;
        }

        private void touch(ChangedRow row) {
            rows.put(row.kind() + " " + row.name(), row);
        }

        @Override
        public void machine(int slot) {
            RowReplica.this
                    .rows
                    .machine(slot)
                    .or(() -> before.goneMachine(slot))
                    .ifPresent(this::touch);
        }

        @Override
        public void job(JobId job) {
            RowReplica.this.rows.job(job).map(row -> before.since(job, row)).ifPresent(this::touch);
        }

        @Override
        public void task(TaskId task) {
            RowReplica.this.rows.task(task).map(row -> before.since(task, row)).ifPresent(this::touch);
        }

        @Override
        public void session(SessionId session) {
            RowReplica.this
                    .rows
                    .session(session)
                    .or(() -> before.goneSession(session))
                    .ifPresent(this::touch);
        }
    }
}
