package dev.cella.state.web.feed;

import dev.cella.state.web.feed.ChangedRow.Belonging;
import dev.cella.state.web.feed.ChangedRow.Kind;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.ChangedRows;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.TaskId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows that changed in each interval, for readers that draw the cell and cannot use every version of a busy one.
 *
 * <h2>Why rows are made at the end of an interval</h2> A busy machine changes in hundreds of versions between two pictures of
 * it. Making its row for each version costs more CPU than placing the tasks. This class therefore notes only which rows change,
 * and makes each row once, when the first reader asks. All readers get the same cut, and its JSON is written once.
 *
 * <p>Guarded by the monitor of its {@link FeedProjection}.
 */
final class RowCuts {
    private static final int CUTS_MAX = 64;
    private static final int ROWS_MAX = 50_000;

    /**
     * What the rows of a cut show.
     *
     * @param tasks whether rows of tasks are among them
     * @param brief whether machines have the number of their tasks in place of the names
     */
    record Content(boolean tasks, boolean brief) {}

    private record Cut(long after, VersionChange change) {}

    private final CellView view;
    private final RowMaker rows;
    private final boolean withTasks;
    private final Noted noted = new Noted();
    private final Before before = new Before();
    private final Deque<Cut> cuts = new ArrayDeque<>();
    private int keptRows;
    private long cutVersion;
    private long cutAtNanos;

    private final Set<Integer> machines = new LinkedHashSet<>();
    private final Map<Integer, String> machineNames = new LinkedHashMap<>();
    private final Map<JobId, Optional<Belonging>> jobs = new LinkedHashMap<>();
    private final Map<TaskId, Optional<Belonging>> tasks = new LinkedHashMap<>();
    private final Set<SessionId> sessions = new LinkedHashSet<>();
    private final Map<SessionId, ChangedRow> goneSessions = new LinkedHashMap<>();

    RowCuts(CellView view, RowMaker rows, boolean withTasks) {
        this.view = view;
        this.rows = rows;
        this.withTasks = withTasks;
        this.cutVersion = view.version().number();
    }

    /** Notes what the rows of the frame are now. Call this before the view applies the frame. */
    void look(byte[] frame) {
        ChangedRows.tell(frame, view, before);
    }

    /** Gets the rows that the frame touched, once the view shows its version. */
    TouchedRows noted() {
        return noted;
    }

    /**
     * Returns the cuts after a version; {@code LOST} if some of the changes since then were not noted or are no longer kept.
     *
     * @param every the reader's interval. A new cut is made only if the last one is older than half of it.
     */
    FeedProjection.Changes after(long version, long nowNanos, Duration every) {
        if (view.version().number() > cutVersion && nowNanos - cutAtNanos >= every.toNanos() / 2) {
            cut(nowNanos);
        }
        if (version < (cuts.isEmpty() ? cutVersion : cuts.getFirst().after())) {
            return FeedProjection.Changes.LOST;
        }
        List<VersionChange> later = new ArrayList<>();
        cuts.stream().map(Cut::change).filter(cut -> cut.version() > version).forEach(later::add);
        return new FeedProjection.Changes(false, later);
    }

    private void cut(long nowNanos) {
        Map<String, ChangedRow> made = new LinkedHashMap<>();
        goneSessions.values().forEach(row -> put(made, row));
        machineNames
                .values()
                .forEach(name -> put(made, RowsBefore.gone(Kind.MACHINE, name, Belonging.toMachine(name))));
        machines.forEach(slot -> rows.machine(slot).ifPresent(row -> put(made, row)));
        jobs.forEach((id, was) -> rows.job(id)
                .map(row -> row.since(was))
                .or(() -> was.flatMap(RowsBefore::goneJob))
                .ifPresent(row -> put(made, row)));
        tasks.forEach((id, was) -> rows.task(id).ifPresent(row -> put(made, row.since(was))));
        sessions.forEach(id -> rows.session(id).ifPresent(row -> put(made, row)));
        VersionChange change = new VersionChange(view.version().number(), Optional.empty(), List.copyOf(made.values()));
        keep(new Cut(cutVersion, change));
        cutVersion = change.version();
        cutAtNanos = nowNanos;
        forgetNoted();
    }

    /** A row that exists now replaces the row of something that had the same name and is gone. */
    private static void put(Map<String, ChangedRow> made, ChangedRow row) {
        made.put(row.kind() + " " + row.name(), row);
    }

    private void keep(Cut cut) {
        cuts.add(cut);
        keptRows += cut.change().rows().size();
        while (cuts.size() > CUTS_MAX || (keptRows > ROWS_MAX && cuts.size() > 1)) {
            keptRows -= cuts.remove().change().rows().size();
        }
    }

    private void forgetNoted() {
        machines.clear();
        machineNames.clear();
        jobs.clear();
        tasks.clear();
        sessions.clear();
        goneSessions.clear();
    }

    /** Notes the name of each row and what it belonged to, before its first change since the last cut. */
    private final class Before implements TouchedRows {
        @Override
        public void machine(int slot) {
            if (!machines.contains(slot) && view.machineExists(slot)) {
                machineNames.put(slot, view.machineName(slot));
            }
        }

        @Override
        public void job(JobId id) {
            if (!jobs.containsKey(id)) {
                jobs.put(id, view.job(id).map(RowMaker::belonging));
            }
        }

        @Override
        public void task(TaskId id) {
            if (withTasks && !tasks.containsKey(id)) {
                tasks.put(
                        id,
                        view.job(id.job()).flatMap(job -> view.task(id).map(task -> RowMaker.belonging(job, task))));
            }
        }

        @Override
        public void session(SessionId id) {
            if (!sessions.contains(id)) {
                view.session(id).ifPresent(session -> goneSessions.put(id, RowsBefore.goneSession(session)));
            }
        }
    }

    /** Notes the rows that a frame touched. Rows of ended holds and queue rows are named only here; they belong where they belonged before. */
    private final class Noted implements TouchedRows {
        @Override
        public void machine(int slot) {
            machines.add(slot);
        }

        @Override
        public void job(JobId id) {
            before.job(id);
        }

        @Override
        public void task(TaskId id) {
            before.task(id);
        }

        @Override
        public void session(SessionId id) {
            sessions.add(id);
        }
    }
}
