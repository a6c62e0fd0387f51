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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    private final JsonCodec codec;
    private final RowMaker rows;

    /** @param brief whether its rows of machines are brief */
    RowReplica(JsonCodec codec, List<byte[]> snapshot, boolean brief) {
        this.codec = codec;
        rows = new RowMaker(codec, cell.view(), brief);
        cell.load(snapshot);
    }

    long version() {
        return cell.view().version().number();
    }

    /** The rows now, as far as the filter shows them. */
    RowsToCome rows(FeedFilter filter) {
        return new RowsToCome(cell, filter, codec);
    }

    /** Cuts that begin now. They note what {@link #apply(byte[], Collection)} applies. */
    RowCuts cuts(RowCuts.Content content) {
        return new RowCuts(cell.view(), new RowMaker(codec, cell.view(), content.brief()), content.tasks());
    }

    /** Applies whole frames of changes and makes no row; the cuts note which rows the frames touch. */
    void apply(byte[] frames, Collection<RowCuts> cuts) {
        for (byte[] frame : ChangeReader.split(frames)) {
            apply(frame, cuts, TouchedRows.UNHEARD);
        }
    }

    /** Applies whole frames of changes. Returns the events of the versions after {@code after}. */
    List<VersionChange> events(byte[] frames, long after, Collection<RowCuts> cuts) {
        List<VersionChange> events = new ArrayList<>();
        for (byte[] frame : ChangeReader.split(frames)) {
            if (version() >= after) {
                before.look(frame);
                Touched touched = new Touched();
                apply(frame, cuts, touched);
                events.add(new VersionChange(version(), touched.transaction, List.copyOf(touched.rows.values())));
            } else {
                apply(frame, cuts, TouchedRows.UNHEARD);
            }
        }
        return events;
    }

    private void apply(byte[] frame, Collection<RowCuts> cuts, TouchedRows listener) {
        cuts.forEach(each -> each.look(frame));
        List<TouchedRows> listeners = new ArrayList<>(List.of(listener));
        cuts.forEach(each -> listeners.add(each.noted()));
        cell.applyChanges(frame, listeners.size() == 1 ? listener : new All(listeners));
    }

    /** Applies the frames up to that version. */
    void applyUpTo(byte[] frames, long last) {
        for (byte[] frame : ChangeReader.split(frames)) {
            if (version() < last) {
                cell.applyChanges(frame);
            }
        }
    }

    /** Tells several what each version touched. */
    private record All(List<TouchedRows> listeners) implements TouchedRows {
        @Override
        public void version(CellVersion next, CellTime time, long wallTimeMillis, Optional<Origin> by) {
            listeners.forEach(each -> each.version(next, time, wallTimeMillis, by));
        }

        @Override
        public void machine(int slot) {
            listeners.forEach(each -> each.machine(slot));
        }

        @Override
        public void queue(int slot) {
            listeners.forEach(each -> each.queue(slot));
        }

        @Override
        public void job(JobId job) {
            listeners.forEach(each -> each.job(job));
        }

        @Override
        public void task(TaskId task) {
            listeners.forEach(each -> each.task(task));
        }

        @Override
        public void session(SessionId session) {
            listeners.forEach(each -> each.session(session));
        }
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
            RowReplica.this
                    .rows
                    .job(job)
                    .map(row -> row.since(before.of(job)))
                    .or(() -> before.goneJob(job))
                    .ifPresent(this::touch);
        }

        @Override
        public void task(TaskId task) {
            RowReplica.this
                    .rows
                    .task(task)
                    .map(row -> row.since(before.of(task)))
                    .ifPresent(this::touch);
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
