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
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The calls about tasks: reads, and reports by executors that are not our agents. */
final class TaskService {
    /** The order of a list: oldest job first. */
    private static final Comparator<Place> IN_THE_LIST = Comparator.<Place>comparingLong(
                    place -> place.job().version())
            .thenComparingInt(place -> place.group().place())
            .thenComparingInt(Place::index);

    /** The most rows that are made while commits wait. */
    private static final int ROWS_MADE_IN_PLACE_MAX = 1_000;

    /** Where a task is in the cell. */
    private record Place(GroupRow group, int index) {
        JobId job() {
            return group.job().id();
        }
    }

    private final Replica replica;
    private final Reads reads;
    private final UsageFacts usage;
    private final Commands commands;
    private final KeptPages pages;
    private final Time time;
    private final LongAdder visited;

    /**
     * Makes the calls about tasks.
     *
     * @param visited counts the tasks that lists look at
     */
    TaskService(
            Replica replica,
            Reads reads,
            Commands commands,
            KeptPages pages,
            Time time,
            UsageFacts usage,
            LongAdder visited) {
        this.replica = replica;
        this.reads = reads;
        this.commands = commands;
        this.pages = pages;
        this.time = time;
        this.usage = usage;
        this.visited = visited;
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
        return (request.hasMachine() ? listMachine(request) : listJobs(request))
                .thenApply(list -> answer(pages.first(request, list, limit)));
    }

    /** A list counts as changed when a job has changed whose tasks could be in it. */
    private static long changedVersion(CellView view, ListTasksRequest request) {
        return request.hasJob()
                ? view.job(request.getJob()).map(JobRow::changedVersion).orElse(0L)
                : view.jobsChangedVersion();
    }

    private CompletableFuture<Shown<Listing<Task>>> listMachine(ListTasksRequest request) {
        return reads.changed(Freshness.of(request), view -> changedVersion(view, request))
                .thenApply(changed ->
                        replica.read(view -> fewOfMachine(view, request)).orElseGet(() -> manyOfMachine(request)));
    }

    /** Empty if the machine has many tasks: commits would wait until all rows are made. */
    private Optional<Shown<Listing<Task>>> fewOfMachine(CellView view, ListTasksRequest request) {
        if (view.tasksLastOn(request.getMachine()) > ROWS_MADE_IN_PLACE_MAX) {
            return Optional.empty();
        }
        List<Place> places = placesOnMachine(view, request);
        Listing<Task> listing = new Listing<>();
        places.stream().sorted(IN_THE_LIST).forEach(place -> {
            TaskRow task = view.task(place.group(), place.index());
            Task row = WireTaskRows.of(view, place.group().job(), task);
            listing.add(() -> withUsage(row, task));
        });
        return Optional.of(Shown.of(view, listing, 0));
    }

    /** The same, with rows that are made of a copy while the cell goes on. */
    private Shown<Listing<Task>> manyOfMachine(ListTasksRequest request) {
        List<Place> places = new ArrayList<>();
        TasksCopy copy = replica.tasks(view -> {
            places.addAll(placesOnMachine(view, request));
            return places.stream().map(place -> place.group().job()).distinct().toList();
        });
        Map<JobId, JobRow> jobs = copy.jobs().stream().collect(Collectors.toMap(JobRow::id, Function.identity()));
        Listing<Task> listing = new Listing<>();
        places.stream().sorted(IN_THE_LIST).takeWhile(place -> !listing.isCut()).forEach(place -> {
            GroupRow group = Objects.requireNonNull(jobs.get(place.job()))
                    .group(place.group().place());
            listing.add(() -> row(copy, group, place.index()));
        });
        return new Shown<>(listing, copy.version().number(), 0);
    }

    /**
     * The tasks of the list that are, or were last, on the machine. Several machines may have had its name: a removed machine's
     * slot keeps it while ended tasks refer to it.
     */
    private List<Place> placesOnMachine(CellView view, ListTasksRequest request) {
        Optional<JobRow> job = request.hasJob() ? view.job(request.getJob()) : Optional.empty();
        List<Place> places = new ArrayList<>();
        view.forEachTaskLastOn(request.getMachine(), (group, index) -> {
            visited.increment();
            boolean isOfJob =
                    !request.hasJob() || job.filter(group.job()::equals).isPresent();
            if (isOfJob && index < group.header().count() && isWanted(view.taskState(group, index), request)) {
                places.add(new Place(group, index));
            }
        });
        return places;
    }

    private CompletableFuture<Shown<Listing<Task>>> listJobs(ListTasksRequest request) {
        return reads.changed(Freshness.of(request), view -> changedVersion(view, request))
                .thenApply(changed -> ofJobs(replica.tasks(view -> jobs(view, request)), request));
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
        Listing<Task> listing = request.getStateCount() == 0 ? all(copy) : inStates(copy, request);
        return new Shown<>(listing, copy.version().number(), 0);
    }

    /** The places of a group's tasks follow those of the group before it. */
    private Listing<Task> all(TasksCopy copy) {
        List<GroupRow> groups = groupsWithTasks(copy);
        List<Integer> firstPlaces = new ArrayList<>(groups.size());
        int places = 0;
        for (GroupRow group : groups) {
            firstPlaces.add(places);
            places += group.header().count();
        }
        return Listing.of(places, place -> {
            visited.increment();
            int found = Collections.binarySearch(firstPlaces, place);
            int at = found >= 0 ? found : -found - 2;
            return row(copy, groups.get(at), place - firstPlaces.get(at));
        });
    }

    private static List<GroupRow> groupsWithTasks(TasksCopy copy) {
        return copy.jobs().stream()
                .flatMap(job -> job.groups().stream())
                .filter(group -> group.header().count() > 0)
                .toList();
    }

    private Listing<Task> inStates(TasksCopy copy, ListTasksRequest request) {
        Listing<Task> listing = new Listing<>();
        groupsWithTasks(copy).forEach(group -> list(copy, group, request, listing));
        return listing;
    }

    private void list(TasksCopy copy, GroupRow group, ListTasksRequest request, Listing<Task> listing) {
        int index = 0;
        for (; index < group.header().count() && !listing.isCut(); index++) {
            if (isWanted(copy.state(group, index), request)) {
                int wanted = index;
                listing.add(() -> row(copy, group, wanted));
            }
        }
        visited.add(index);
    }

    private Task row(TasksCopy copy, GroupRow group, int index) {
        TaskRow task = copy.task(group, index);
        return withUsage(WireTaskRows.of(copy, group.job(), task), task);
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
                reason(request, state, replica.read(CellView::featureLevel)),
                state == TaskState.RUNNING ? OptionalLong.of(now) : OptionalLong.empty(),
                state.isEnded() ? OptionalLong.of(now) : OptionalLong.empty());
    }

    private static TaskReason reason(ReportTaskRequest request, TaskState state, int featureLevel) {
        if (request.hasChecked()) {
            return ReportedReason.ofCheck("checked", request.getChecked(), state, featureLevel);
        }
        return request.hasReason()
                ? ReportedReason.of("reason", request.getReason(), state, featureLevel)
                : TaskReason.NONE;
    }
}
