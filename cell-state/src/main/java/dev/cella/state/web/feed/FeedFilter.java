package dev.cella.state.web.feed;

import dev.cella.client.Problem;
import dev.cella.client.json.Fault;
import dev.cella.client.proto.FeedQuery;
import dev.cella.client.proto.WatchRequest;
import dev.cella.state.web.feed.ChangedRow.Belonging;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskCounts;
import dev.cella.transactions.model.TaskState;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Selects the rows that a reader of the feed sees: those that belong to everything it names.
 *
 * @param brief whether machines have the number of their tasks in place of the names
 */
public record FeedFilter(
        Optional<String> machine,
        Optional<String> scheduler,
        Optional<String> job,
        Set<ChangedRow.Kind> kinds,
        boolean brief) {
    private static final Set<ChangedRow.Kind> ALL_KINDS = Set.of(ChangedRow.Kind.values());

    static final FeedFilter EVERYTHING =
            new FeedFilter(Optional.empty(), Optional.empty(), Optional.empty(), ALL_KINDS, false);

    public FeedFilter {
        kinds = Set.copyOf(kinds);
    }

    static FeedFilter of(FeedQuery query) {
        return new FeedFilter(
                query.hasMachine() ? Optional.of(query.getMachine()) : Optional.empty(),
                query.hasScheduler() ? Optional.of(query.getScheduler()) : Optional.empty(),
                query.hasJob() ? Optional.of(query.getJob()) : Optional.empty(),
                query.hasKinds() ? kinds(query.getKinds()) : ALL_KINDS,
                query.getBrief());
    }

    /** The filter of a watcher over gRPC. */
    public static FeedFilter of(WatchRequest request) {
        return new FeedFilter(
                request.hasMachine() ? Optional.of(request.getMachine()) : Optional.empty(),
                request.hasScheduler() ? Optional.of(request.getScheduler()) : Optional.empty(),
                request.hasJob() ? Optional.of(request.getJob()) : Optional.empty(),
                ALL_KINDS,
                false);
    }

    private static Set<ChangedRow.Kind> kinds(String words) {
        Set<ChangedRow.Kind> kinds = EnumSet.noneOf(ChangedRow.Kind.class);
        for (String word : words.split(",", -1)) {
            kinds.add(Arrays.stream(ChangedRow.Kind.values())
                    .filter(kind -> kind.name().equalsIgnoreCase(word))
                    .findFirst()
                    .orElseThrow(() -> Problem.badRequest(List.of(Fault.of(
                            "kinds", "no such table as " + word + ", there are machine, job, task, session")))));
        }
        return kinds;
    }

    public boolean isEverything() {
        return machine.isEmpty() && scheduler.isEmpty() && job.isEmpty() && kinds.equals(ALL_KINDS);
    }

    /** What cuts contain for this reader. */
    RowCuts.Content content() {
        return new RowCuts.Content(kinds.contains(ChangedRow.Kind.TASK), brief);
    }

    /** Returns whether it may show rows of machines, which belong to no job and no scheduler. */
    boolean mayShowMachines() {
        return kinds.contains(ChangedRow.Kind.MACHINE) && scheduler.isEmpty() && job.isEmpty();
    }

    /** Returns whether it may show tasks of the job. */
    boolean mayShowTasksOf(JobRow row) {
        return kinds.contains(ChangedRow.Kind.TASK)
                && fits(scheduler, Optional.of(row.header().scheduler()))
                && fits(job, Optional.of(row.name()));
    }

    /** How many rows it shows at most, without those of tasks that are pending. */
    long rowsMax(CellView view) {
        long machines = mayShowMachines() ? view.machineSlots() : 0;
        return machines + view.jobs().size() + (kinds.contains(ChangedRow.Kind.TASK) ? tasksMax(view) : 0);
    }

    private long tasksMax(CellView view) {
        return job.isEmpty()
                ? begun(view.taskCounts())
                : view.job(job.get()).map(row -> begun(row.counts())).orElse(0L);
    }

    private static long begun(TaskCounts counts) {
        return Arrays.stream(TaskState.values())
                .filter(state -> state != TaskState.PENDING)
                .mapToLong(counts::of)
                .sum();
    }

    boolean shows(ChangedRow row) {
        return kinds.contains(row.kind()) && shows(row.belongs());
    }

    /**
     * The rows for a reader of changes. A row that no longer belongs, such as a task that moved elsewhere, is gone for this
     * reader.
     */
    List<ChangedRow> seen(List<ChangedRow> rows) {
        return rows.stream().flatMap(this::seen).toList();
    }

    private Stream<ChangedRow> seen(ChangedRow row) {
        if (shows(row)) {
            return Stream.of(row);
        }
        return kinds.contains(row.kind()) && row.belonged().filter(this::shows).isPresent()
                ? Stream.of(row.gone())
                : Stream.empty();
    }

    private boolean shows(Belonging belonging) {
        return fits(machine, belonging.machine())
                && fits(scheduler, belonging.scheduler())
                && fits(job, belonging.job());
    }

    private static boolean fits(Optional<String> wanted, Optional<String> value) {
        return wanted.isEmpty() || wanted.equals(value);
    }
}
