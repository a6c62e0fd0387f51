package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import dev.cella.client.json.NearestName;
import dev.cella.client.proto.GetSeriesRequest;
import dev.cella.client.proto.GetTimelineRequest;
import dev.cella.client.proto.HistoryServiceGrpc;
import dev.cella.client.proto.SeriesList;
import dev.cella.client.proto.SeriesPoint;
import dev.cella.client.proto.SeriesRow;
import dev.cella.client.proto.Timeline;
import dev.cella.client.proto.TimelineMark;
import dev.cella.client.proto.TimelineStep;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.history.CellHistory;
import dev.cella.state.history.ClaimedAmounts;
import dev.cella.state.history.HistoryStep;
import dev.cella.state.history.Mark;
import dev.cella.state.history.Series;
import dev.cella.state.history.Span;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The past of jobs and machines, and time series. It reads the history first and the cell after it, never one under the lock
 * of the other.
 */
final class HistoryService {
    private static final int STEPS_MAX = 1_000;
    private static final Duration SERIES_DEFAULT = Duration.ofHours(1);
    private static final Duration SERIES_MAX = Duration.ofDays(2);

    private final Replica replica;
    private final Reads reads;
    private final Time time;

    HistoryService(Replica replica, Reads reads, Time time) {
        this.replica = replica;
        this.reads = reads;
        this.time = time;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(HistoryServiceGrpc.getGetTimelineMethod(), this::timeline),
                new UnaryMethod<>(HistoryServiceGrpc.getGetSeriesMethod(), this::series));
    }

    // ---- steps

    private CompletableFuture<Answer<Timeline>> timeline(GetTimelineRequest request) {
        int limit = request.hasLimit() ? KeptPages.limit(true, request.getLimit()) : STEPS_MAX;
        Span span = Spans.of(request.getFrom(), request.getTo());
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            Timeline.Builder timeline =
                    Timeline.newBuilder().setVersion(replica.version().number());
            if (request.hasJob() || request.hasMachine()) {
                refuseUnknown(request);
                addSteps(timeline, request, span, limit);
            } else {
                List<Mark> marks = replica.history().marks(span);
                marks.stream().skip(Math.max(0, marks.size() - limit)).forEach(mark -> timeline.addMarks(mark(mark)));
            }
            return Answer.ok(timeline.build());
        });
    }

    /** A job or a machine that is gone has a timeline while its steps are kept. One that never existed has none. */
    private void refuseUnknown(GetTimelineRequest request) {
        boolean isKnown = replica.read(
                view -> (!request.hasJob() || view.job(request.getJob()).isPresent())
                        && (!request.hasMachine()
                                || view.findMachine(request.getMachine()).isPresent()));
        boolean hasSteps = isKnown
                || !replica.history()
                        .steps(job(request), machine(request), Span.EVER, 1)
                        .isEmpty();
        if (!hasSteps) {
            throw request.hasJob()
                    ? JobService.unknown(request.getJob())
                    : MachineService.unknown(request.getMachine());
        }
    }

    private static Optional<String> job(GetTimelineRequest request) {
        return request.hasJob() ? Optional.of(request.getJob()) : Optional.empty();
    }

    private static Optional<String> machine(GetTimelineRequest request) {
        return request.hasMachine() ? Optional.of(request.getMachine()) : Optional.empty();
    }

    private void addSteps(Timeline.Builder timeline, GetTimelineRequest request, Span span, int limit) {
        List<HistoryStep> steps = replica.history().steps(job(request), machine(request), span, limit);
        boolean isWhole = span.equals(Span.EVER) && request.hasJob() && !request.hasMachine();
        Map<String, Integer> attempts = isWhole ? attemptsBefore(request.getJob(), steps) : new HashMap<>();
        steps.forEach(step -> {
            TimelineStep.Builder told = step(step, attempt(step, attempts)).toBuilder();
            preemptedBy(replica.history(), step).ifPresent(told::setBy);
            timeline.addSteps(told);
        });
        long keptFrom = replica.history().stepsKeptFromVersion();
        if (keptFrom > 0) {
            timeline.setKeptFromVersion(keptFrom);
        }
    }

    /** The task whose claim took over what the task of an eviction held, while its step is kept. */
    static Optional<String> preemptedBy(CellHistory history, HistoryStep step) {
        if (step.kind() != HistoryStep.Kind.STOPPING || step.ordinal() == 0) {
            return Optional.empty();
        }
        Span version = new Span(Long.MIN_VALUE, Long.MAX_VALUE, step.version(), step.version());
        return history.steps(Optional.empty(), Optional.empty(), version, STEPS_MAX).stream()
                .filter(other -> other.version() == step.version()
                        && other.kind() == HistoryStep.Kind.PLACED
                        && other.ordinal() == step.ordinal() - 1)
                .map(HistoryStep::task)
                .findFirst();
    }

    /** The attempt of each task before these steps: its newest attempt, less its placements in the steps. */
    private Map<String, Integer> attemptsBefore(String job, List<HistoryStep> steps) {
        Map<String, Integer> before = new HashMap<>();
        replica.read(view -> {
            view.job(job)
                    .ifPresent(row -> steps.stream()
                            .map(HistoryStep::task)
                            .distinct()
                            .forEach(task -> attempt(view, row, task).ifPresent(attempt -> before.put(task, attempt))));
            return before;
        });
        steps.stream()
                .filter(step -> step.kind() == HistoryStep.Kind.PLACED)
                .forEach(step -> before.computeIfPresent(step.task(), (task, attempt) -> attempt - 1));
        return before;
    }

    private static OptionalInt attempt(CellView view, JobRow job, String task) {
        String[] parts = task.split("/", 3);
        int group = parts.length < 3 ? -1 : job.header().findGroup(parts[1]);
        return group < 0
                ? OptionalInt.empty()
                : view.task(new TaskId(job.id(), group, Integer.parseInt(parts[2])))
                        .map(row -> OptionalInt.of(placedAttempt(row)))
                        .orElse(OptionalInt.empty());
    }

    /** The newest attempt that has got a machine; a task that waits again counts its next attempt already. */
    private static int placedAttempt(TaskRow task) {
        return task.machine().isPresent() ? task.attempt() : task.attempt() - 1;
    }

    private static OptionalInt attempt(HistoryStep step, Map<String, Integer> attempts) {
        Integer attempt = step.kind() == HistoryStep.Kind.PLACED
                ? attempts.computeIfPresent(step.task(), (task, before) -> before + 1)
                : attempts.get(step.task());
        return attempt == null || attempt <= 0 ? OptionalInt.empty() : OptionalInt.of(attempt);
    }

    static TimelineStep step(HistoryStep step, OptionalInt attempt) {
        TimelineStep.Builder told = TimelineStep.newBuilder()
                .setAt(Spans.time(step.atMillis()))
                .setVersion(step.version())
                .setStep(step.kind().name())
                .setTask(step.task());
        attempt.ifPresent(told::setAttempt);
        step.machine().ifPresent(told::setMachine);
        step.why().ifPresent(told::setReason);
        if (step.reason() != TaskReason.NONE) {
            told.setReason(step.reason().name());
        }
        step.exitCode().ifPresent(told::setExitCode);
        step.scheduler().ifPresent(told::setScheduler);
        step.transaction().ifPresent(told::setTransaction);
        return told.build();
    }

    private static TimelineMark mark(Mark mark) {
        return TimelineMark.newBuilder()
                .setAt(Spans.time(mark.atMillis()))
                .setVersion(mark.version())
                .setMark(mark.kind().name())
                .setName(mark.name())
                .build();
    }

    // ---- series

    private CompletableFuture<Answer<SeriesList>> series(GetSeriesRequest request) {
        if (request.hasMachine()) {
            return CompletableFuture.completedFuture(Answer.ok(claimed(request)));
        }
        long now = time.wallMillis();
        Set<Series.Name> names = names(request);
        Span span = Spans.until(Spans.of(request.getFrom(), request.getTo()), SERIES_MAX.toMillis(), now);
        long from = request.hasFrom() ? span.fromMillis() : now - SERIES_DEFAULT.toMillis();
        Series.Answer answer = replica.history().series(from, span.toMillis(), now);
        SeriesList.Builder list = SeriesList.newBuilder()
                .setVersion(replica.version().number())
                .setStep(Durations.fromMillis(answer.stepMillis()))
                .setFeedKeptFromVersion(replica.feedKeptFrom().number());
        names.forEach(name -> list.addSeries(row(name, answer.points(), span)));
        return CompletableFuture.completedFuture(Answer.ok(list.build()));
    }

    /** What the series of one machine are made from. */
    private record OfMachine(
            int slot, long registeredVersion, long version, List<String> dimensions, ClaimedAmounts.Point now) {}

    /** The kept samples of the machine, and what is claimed on it now. */
    private SeriesList claimed(GetSeriesRequest request) {
        long now = time.wallMillis();
        Span span = Spans.of(request.getFrom(), request.getTo());
        OfMachine machine = replica.read(view -> ofMachine(view, request.getMachine(), now));
        List<ClaimedAmounts.Point> points =
                new ArrayList<>(replica.history().claimed(machine.slot(), machine.registeredVersion(), span));
        if (span.has(machine.version(), now)) {
            points.add(machine.now());
        }
        Set<String> asked = words(request);
        SeriesList.Builder list = SeriesList.newBuilder()
                .setVersion(machine.version())
                .setStep(Durations.fromSeconds(1))
                .setFeedKeptFromVersion(replica.feedKeptFrom().number());
        asked.stream()
                .filter(word -> !machine.dimensions().contains(word))
                .findFirst()
                .ifPresent(word -> refuseName(word, machine.dimensions()));
        for (int dimension = 0; dimension < machine.dimensions().size(); dimension++) {
            String name = machine.dimensions().get(dimension);
            if (asked.isEmpty() || asked.contains(name)) {
                list.addSeries(claimed(name, dimension, points));
            }
        }
        return list.build();
    }

    private static OfMachine ofMachine(CellView view, String name, long now) {
        int slot = view.findMachine(name).orElseThrow(() -> MachineService.unknown(name));
        List<String> dimensions = new ArrayList<>();
        List<Long> claimed = new ArrayList<>();
        for (int dimension = 0; dimension < view.dimensions().size(); dimension++) {
            dimensions.add(view.dimensions().nameAt(dimension));
            claimed.add(view.capacity(slot, dimension) - view.free(slot, dimension));
        }
        long version = view.version().number();
        return new OfMachine(
                slot,
                view.registeredVersion(slot),
                version,
                dimensions,
                new ClaimedAmounts.Point(now, version, claimed));
    }

    private static SeriesRow claimed(String name, int dimension, List<ClaimedAmounts.Point> points) {
        SeriesRow.Builder row = SeriesRow.newBuilder().setName(name).setUnit("claimed");
        points.stream()
                .filter(point -> dimension < point.claimed().size())
                .forEach(point -> row.addPoints(SeriesPoint.newBuilder()
                        .setAt(Spans.time(point.atMillis()))
                        .setVersion(point.version())
                        .setValue(point.claimed().get(dimension))));
        return row.build();
    }

    private static Set<String> words(GetSeriesRequest request) {
        return Arrays.stream(request.getNames().split(",", -1))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    private static Set<Series.Name> names(GetSeriesRequest request) {
        Set<Series.Name> names = EnumSet.noneOf(Series.Name.class);
        for (String word : request.getNames().split(",", -1)) {
            if (!word.isEmpty()) {
                names.add(name(word));
            }
        }
        return names.isEmpty() ? EnumSet.allOf(Series.Name.class) : names;
    }

    private static Series.Name name(String word) {
        List<String> known =
                Arrays.stream(Series.Name.values()).map(HistoryService::word).toList();
        if (!known.contains(word)) {
            refuseName(word, known);
        }
        return Series.Name.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static void refuseName(String word, List<String> known) {
        String near = NearestName.to(word, known)
                .map(name -> "did you mean " + name + "?")
                .orElse("there are " + String.join(", ", known));
        throw Requests.bad("names", "no such series as " + word + ", " + near);
    }

    private static String word(Series.Name name) {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private static SeriesRow row(Series.Name name, List<Series.Point> points, Span span) {
        SeriesRow.Builder row = SeriesRow.newBuilder().setName(word(name)).setUnit(name.unit());
        points.stream()
                .filter(point -> span.has(point.version(), point.atMillis()))
                .forEach(point -> row.addPoints(point(point, point.value(name))));
        return row.build();
    }

    private static SeriesPoint point(Series.Point point, double value) {
        SeriesPoint.Builder told =
                SeriesPoint.newBuilder().setAt(Spans.time(point.atMillis())).setVersion(point.version());
        if (!Double.isNaN(value)) {
            told.setValue(SchedulerRows.rounded(value));
        }
        return told.build();
    }
}
