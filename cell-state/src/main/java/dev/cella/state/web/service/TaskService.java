package dev.cella.state.web.service;

import dev.cella.client.Problem;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskList;
import dev.cella.client.proto.TaskServiceGrpc;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.WireTaskRows;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.copies.TasksCopy;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The calls about tasks: reads, and reports by executors that are not our agents. */
final class TaskService {
    /** The order of a list: oldest job first. */
    private static final Comparator<TaskId> IN_THE_LIST = Comparator.<TaskId>comparingLong(
                    task -> task.job().version())
            .thenComparingInt(TaskId::group)
            .thenComparingInt(TaskId::index);

    private final Replica replica;
    private final Reads reads;
    private final UsageFacts usage;
    private final Commands commands;
    private final KeptPages pages;
    private final Time time;

    TaskService(Replica replica, Reads reads, Commands commands, KeptPages pages, Time time, UsageFacts usage) {
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.time = time;
        this.usage = usage;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(TaskServiceGrpc.getListTasksMethod(), this::list),
                new UnaryMethod<>(TaskServiceGrpc.getGetTaskMethod(), this::get),
                new UnaryMethod<>(TaskServiceGrpc.getReportTaskMethod(), this::report));
    }

    private CompletableFuture<Answer<TaskList>> list(ListTasksRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        if (request.hasPageToken()) {
            return CompletableFuture.completedFuture(answer(pages.next(request, request.getPageToken(), limit)));
        }
        return (isOfWhatRunsOnAMachine(request) ? listMachine(request) : listJobs(request))
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    /** A list counts as changed when a job has changed whose tasks could be in it. */
    private static long changedVersion(CellView view, ListTasksRequest request) {
        return request.hasJob()
                ? view.job(request.getJob()).map(JobRow::changedVersion).orElse(0L)
                : view.jobsChangedVersion();
    }

    /** Only tasks that hold amounts on a machine are meant. */
    private static boolean isOfWhatRunsOnAMachine(ListTasksRequest request) {
        return request.hasMachine()
                && request.getStateCount() > 0
                && request.getStateList().stream()
                        .allMatch(state -> WireWords.of(state)
                                .filter(TaskState::isOnMachine)
                                .isPresent());
    }

    private CompletableFuture<Shown<Listing<Task>>> listMachine(ListTasksRequest request) {
        return reads.read(
                Freshness.of(request), view -> changedVersion(view, request), view -> ofMachine(view, request));
    }

    private Shown<Listing<Task>> ofMachine(CellView view, ListTasksRequest request) {
        List<TaskRow> tasks = new ArrayList<>();
        view.findMachine(request.getMachine()).ifPresent(slot -> view.forEachTaskOn(slot, tasks::add));
        Listing<Task> listing = new Listing<>();
        tasks.stream()
                .filter(task -> !request.hasJob() || task.jobName().equals(request.getJob()))
                .filter(task -> isWanted(task.state(), request) && !isSurplus(view, task.id()))
                .sorted(Comparator.comparing(TaskRow::id, IN_THE_LIST))
                .forEach(task -> {
                    Task row = WireTaskRows.of(view, view.job(task.id().job()).orElseThrow(), task);
                    listing.add(() -> withUsage(row, task));
                });
        return Shown.of(view, listing, changedVersion(view, request));
    }

    private static boolean isSurplus(CellView view, TaskId task) {
        JobRow job = view.job(task.job()).orElseThrow();
        return task.index() >= job.group(task.group()).header().count();
    }

    private CompletableFuture<Shown<Listing<Task>>> listJobs(ListTasksRequest request) {
        return reads.changed(Freshness.of(request), view -> changedVersion(view, request))
                .thenApply(changed -> onlyOfMachine(request)
                        .orElseGet(() -> ofJobs(replica.tasks(view -> jobs(view, request)), request)));
    }

    /**
     * The tasks of the machine that is asked for, if it knows them all. It has a list of the tasks that are on it, and only a
     * count of those that ended on it. Otherwise all tasks of the cell are looked at, in a copy, because there are up to
     * millions and commits would wait.
     */
    private Optional<Shown<Listing<Task>>> onlyOfMachine(ListTasksRequest request) {
        return request.hasMachine()
                ? replica.read(view -> view.hasOnlyItsTasks(request.getMachine())
                        ? Optional.of(ofMachine(view, request))
                        : Optional.empty())
                : Optional.empty();
    }

    /** The jobs that may have such tasks. */
    private static List<JobRow> jobs(CellView view, ListTasksRequest request) {
        Collection<JobRow> jobs =
                request.hasJob() ? view.job(request.getJob()).stream().toList() : view.jobs();
        return jobs.stream().filter(job -> mayHave(job, request)).toList();
    }

    private static boolean mayHave(JobRow job, ListTasksRequest request) {
        return request.getStateCount() == 0
                || request.getStateList().stream()
                        .flatMap(state -> WireWords.of(state).stream())
                        .anyMatch(state -> job.counts().of(state) > 0);
    }

    private Shown<Listing<Task>> ofJobs(TasksCopy copy, ListTasksRequest request) {
        Listing<Task> listing = new Listing<>();
        TasksOfMachine place = TasksOfMachine.of(copy, request);
        copy.jobs().forEach(job -> job.groups().forEach(group -> list(copy, group, place, request, listing)));
        return new Shown<>(listing, copy.version().number(), 0);
    }

    private void list(
            TasksCopy copy, GroupRow group, TasksOfMachine place, ListTasksRequest request, Listing<Task> listing) {
        for (int index = 0; index < group.header().count() && !listing.isCut(); index++) {
            if (place.has(group, index) && isWanted(copy.state(group, index), request)) {
                int wanted = index;
                listing.add(() -> row(copy, group, wanted));
            }
        }
    }

    private Task row(TasksCopy copy, GroupRow group, int index) {
        TaskRow task = copy.task(group, index);
        return withUsage(WireTaskRows.of(copy, group.job(), task), task);
    }

    /**
     * Tells without making a row whether a task is, or was last, on the machine that is asked for. Several slots may have its
     * name: a removed machine's slot keeps it while ended tasks refer to it.
     */
    private record TasksOfMachine(TasksCopy copy, Optional<BitSet> slots) {
        static TasksOfMachine of(TasksCopy copy, ListTasksRequest request) {
            return new TasksOfMachine(
                    copy, request.hasMachine() ? Optional.of(copy.slotsNamed(request.getMachine())) : Optional.empty());
        }

        boolean has(GroupRow group, int index) {
            if (slots.isEmpty()) {
                return true;
            }
            int slot = copy.lastMachine(group, index);
            return slot >= 0 && slots.get().get(slot);
        }
    }

    private static boolean isWanted(TaskState state, ListTasksRequest request) {
        return request.getStateCount() == 0 || request.getStateList().contains(WireWords.of(state));
    }

    private static Answer<TaskList> answer(KeptPages.Page<Task> page) {
        TaskList.Builder list = TaskList.newBuilder().setVersion(page.version()).addAllTasks(page.rows());
        page.next().ifPresent(list::setNextPageToken);
        return Answer.ok(list.build());
    }

    private CompletableFuture<Answer<Task>> get(GetTaskRequest request) {
        TaskName name = new TaskName(request.getJob(), request.getGroup(), request.getIndex());
        Freshness freshness = Freshness.of(request);
        return reads.read(freshness, view -> find(view, name, freshness.changedAfter()))
                .thenApply(found -> answer(name, found));
    }

    private Shown<Optional<Task>> find(CellView view, TaskName name, OptionalLong changedAfter) {
        return name.find(view)
                .map(task -> Shown.of(
                        view,
                        Optional.of(
                                withUsage(WireTaskRows.of(view, name.job(view).orElseThrow(), task), task)),
                        task.changedVersion().number()))
                .orElseGet(() -> Shown.absent(view, Optional.empty(), changedAfter));
    }

    private Task withUsage(Task row, TaskRow task) {
        return usage.find(task)
                .map(used -> row.toBuilder().setUsage(used).build())
                .orElse(row);
    }

    private static Answer<Task> answer(TaskName name, Shown<Optional<Task>> found) {
        Task task = found.value().orElseThrow(() -> unknown(name));
        return Answer.ok(task.toBuilder().setVersion(found.version()).build());
    }

    private static Problem unknown(TaskName name) {
        return Problem.notFound("There is no task " + name);
    }

    private CompletableFuture<Answer<Task>> report(ReportTaskRequest request) {
        TaskName name = new TaskName(request.getJob(), request.getGroup(), request.getIndex());
        TaskId task = replica.read(
                view -> name.find(view).orElseThrow(() -> unknown(name)).id());
        return commands.done(Lane.REPORTS, command(task, request))
                .thenCompose(done ->
                        reads.read(Freshness.atLeast(done.version()), view -> find(view, name, OptionalLong.empty())))
                .thenApply(found -> answer(name, found));
    }

    private Command command(TaskId task, ReportTaskRequest request) {
        if (request.getAttempt() < 1) {
            throw Requests.bad("attempt", "must be the attempt that is reported about, counted from 1");
        }
        TaskState state = WireWords.of(request.getState()).orElseThrow(() -> Requests.bad("state", "is required"));
        long now = time.wallMillis();
        return new Command.ReportTask(
                task,
                request.getAttempt(),
                request.hasPlacement()
                        ? Optional.of(Requests.checked("placement", () -> PlacementId.parse(request.getPlacement())))
                        : Optional.empty(),
                state,
                request.hasExitCode() ? OptionalInt.of(request.getExitCode()) : OptionalInt.empty(),
                request.hasReason() ? Requests.word("reason", TaskReason.class, request.getReason()) : TaskReason.NONE,
                state == TaskState.RUNNING ? OptionalLong.of(now) : OptionalLong.empty(),
                state.isEnded() ? OptionalLong.of(now) : OptionalLong.empty());
    }
}
