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
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The calls about tasks: reads, and reports by executors that are not our agents. */
final class TaskService {
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
        return reads.read(Freshness.of(request), view -> listing(view, request))
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    /** A list counts as changed when a job has changed whose tasks could be in it. */
    private Shown<Listing<Task>> listing(CellView view, ListTasksRequest request) {
        Listing<Task> listing = new Listing<>();
        Collection<JobRow> jobs =
                request.hasJob() ? view.job(request.getJob()).stream().toList() : view.jobs();
        long changedVersion = 0;
        for (JobRow job : jobs) {
            changedVersion = Math.max(changedVersion, job.changedVersion());
            job.groups().forEach(group -> list(view, group, request, listing));
        }
        return Shown.of(view, listing, changedVersion);
    }

    private void list(CellView view, GroupRow group, ListTasksRequest request, Listing<Task> listing) {
        for (int index = 0; index < group.header().count() && !listing.isCut(); index++) {
            if (!isWanted(view.taskState(group, index), request)) {
                continue;
            }
            TaskRow task = view.task(group, index);
            if (!request.hasMachine() || task.machineName().equals(Optional.of(request.getMachine()))) {
                Supplier<Task> row = WireTaskRows.kept(view, group.job(), task);
                listing.add(() -> withUsage(row.get(), task));
            }
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
