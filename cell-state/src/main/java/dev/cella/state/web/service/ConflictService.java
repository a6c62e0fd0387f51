package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.cella.client.Problem;
import dev.cella.client.proto.ConflictGroup;
import dev.cella.client.proto.ConflictLedger;
import dev.cella.client.proto.ConflictServiceGrpc;
import dev.cella.client.proto.ConflictStatistics;
import dev.cella.client.proto.Contender;
import dev.cella.client.proto.GetConflictRequest;
import dev.cella.client.proto.GetConflictsRequest;
import dev.cella.client.proto.ListConflictsRequest;
import dev.cella.client.proto.LoserAndWinner;
import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.LostTask;
import dev.cella.client.proto.MachineCount;
import dev.cella.client.proto.PhotoFinish;
import dev.cella.client.proto.ReasonCount;
import dev.cella.client.proto.SchedulerConflicts;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.TransactionName;
import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.conflicts.ConflictSummary;
import dev.cella.state.conflicts.ConflictSummary.CauseRow;
import dev.cella.state.conflicts.ConflictSummary.SchedulerRow;
import dev.cella.state.conflicts.GroupBy;
import dev.cella.state.conflicts.LedgerFilter;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.history.HistoryStep;
import dev.cella.state.history.Span;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.SessionRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * The calls about conflicts. It reads the conflict log first and the cell after it, never one under the lock of the other.
 */
final class ConflictService {
    private static final Duration WINDOW_DEFAULT = Duration.ofMinutes(5);
    private static final int BETWEEN_MAX = 100;
    private static final int STEPS_MAX = 100_000;

    private final Replica replica;
    private final Reads reads;
    private final SchedulerReports reports;
    private final Time time;

    ConflictService(Replica replica, Reads reads, SchedulerReports reports, Time time) {
        this.replica = replica;
        this.reads = reads;
        this.reports = reports;
        this.time = time;
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(ConflictServiceGrpc.getGetConflictsMethod(), this::get),
                new UnaryMethod<>(ConflictServiceGrpc.getListConflictsMethod(), this::list),
                new UnaryMethod<>(ConflictServiceGrpc.getGetConflictMethod(), this::photo));
    }

    // ---- counts

    private CompletableFuture<Answer<ConflictStatistics>> get(GetConflictsRequest request) {
        long now = time.wallMillis();
        boolean isOfThePast = request.hasFrom() || request.hasTo();
        if (isOfThePast && request.hasWindow()) {
            throw Requests.bad("window", "is the last window, and from and to are another: leave one of them out");
        }
        Duration window = window(request);
        Span asked = isOfThePast
                ? Spans.of(request.getFrom(), request.getTo())
                : Span.since(wholeStretch(now - window.toMillis()));
        LedgerFilter filter = filter(
                asked,
                request.getScheduler(),
                request.getWinner(),
                request.getMachine(),
                request.getTask(),
                request.getReason(),
                request.getDimension());
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            ConflictSummary summary = replica.conflicts().summary(filter, groupBy(request));
            return Answer.ok(statistics(
                    summary, isOfThePast ? asked : new Span(now - window.toMillis(), now, 0, Long.MAX_VALUE)));
        });
    }

    /** Counts of transactions are kept for stretches of 5 s, so a window reaches back to a whole stretch. */
    private static long wholeStretch(long millis) {
        return millis - Math.floorMod(millis, ConflictLog.STRETCH.toMillis());
    }

    private static Duration window(GetConflictsRequest request) {
        if (!request.hasWindow()) {
            return WINDOW_DEFAULT;
        }
        Duration window = Requests.duration("window", request.getWindow());
        if (window.isZero() || window.compareTo(ConflictLog.WINDOW_MAX) > 0) {
            throw Requests.bad("window", "must be above 0 and at most " + ConflictLog.WINDOW_MAX.toMinutes() + "m");
        }
        return window;
    }

    private static Optional<GroupBy> groupBy(GetConflictsRequest request) {
        return switch (request.getGroupBy()) {
            case CONFLICT_GROUP_BY_SCHEDULER -> Optional.of(GroupBy.SCHEDULER);
            case CONFLICT_GROUP_BY_WINNER -> Optional.of(GroupBy.WINNER);
            case CONFLICT_GROUP_BY_MACHINE -> Optional.of(GroupBy.MACHINE);
            case CONFLICT_GROUP_BY_REASON -> Optional.of(GroupBy.REASON);
            case CONFLICT_GROUP_BY_DIMENSION -> Optional.of(GroupBy.DIMENSION);
            case CONFLICT_GROUP_BY_JOB -> Optional.of(GroupBy.JOB);
            case CONFLICT_GROUP_BY_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
        };
    }

    /** An empty text names nothing. */
    private static LedgerFilter filter(
            Span span, String loser, String winner, String machine, String task, String reason, String dimension) {
        return new LedgerFilter(
                span,
                named(loser),
                named(winner),
                named(machine),
                named(task),
                named(reason).map(word -> Requests.word("reason", Reason.class, word)),
                named(dimension));
    }

    private static Optional<String> named(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** An open stretch begins with the first claim that was lost, and so does one whose first version is too old. */
    private long fromMillis(Span span, ConflictSummary summary) {
        return span.fromMillis() == Span.EVER.fromMillis()
                ? replica.conflicts()
                        .atMillis(span.fromVersion())
                        .orElseGet(() -> summary.lost()
                                .map(ConflictSummary.Lost::firstMillis)
                                .orElseGet(time::wallMillis))
                : span.fromMillis();
    }

    private long toMillis(Span span) {
        long now = time.wallMillis();
        long to = span.toVersion() == Span.EVER.toVersion()
                ? now
                : replica.conflicts().atMillis(span.toVersion()).orElse(now);
        return Math.min(to, span.toMillis());
    }

    private ConflictStatistics statistics(ConflictSummary summary, Span span) {
        long from = fromMillis(span, summary);
        long to = Math.max(from, toMillis(span));
        Duration counted = Duration.ofMillis(Math.max(0, to - Math.max(from, summary.countedFromMillis())));
        ConflictStatistics.Builder statistics = ConflictStatistics.newBuilder()
                .setCounted(Durations.fromMillis(counted.toMillis()))
                .setVersion(replica.version().number())
                .setWindow(Durations.fromMillis(to - from))
                .setConflicts(summary.conflictCount())
                .setConflictsPerSecond(perSecond(summary.conflictCount(), counted))
                .setFromAt(Spans.time(from))
                .setToAt(Spans.time(to));
        summary.lost()
                .ifPresent(lost ->
                        statistics.setFirstAt(Spans.time(lost.firstMillis())).setLastAt(Spans.time(lost.lastMillis())));
        if (summary.keptFromMillis() > 0) {
            statistics.setKeptFromAt(Spans.time(summary.keptFromMillis()));
        }
        summary.schedulers().forEach(row -> statistics.addSchedulers(scheduler(row, counted)));
        summary.conflicts().forEach(row -> statistics.addReasons(count(row)));
        summary.refusals().forEach(row -> statistics.addRefusals(count(row)));
        summary.machines()
                .forEach(row -> statistics.addMachines(
                        MachineCount.newBuilder().setName(row.name()).setCount(row.count())));
        summary.matrix()
                .forEach(row -> statistics.addMatrix(LoserAndWinner.newBuilder()
                        .setLoser(row.loser())
                        .setWinner(row.winner())
                        .setCount(row.count())));
        summary.groups()
                .forEach(row -> statistics.addGroups(ConflictGroup.newBuilder()
                        .setKey(row.key())
                        .setCount(row.count())
                        .setPerSecond(perSecond(row.count(), counted))
                        .setFirstAt(Spans.time(row.firstMillis()))
                        .setLastAt(Spans.time(row.lastMillis()))));
        return statistics.build();
    }

    private SchedulerConflicts scheduler(SchedulerRow row, Duration counted) {
        SchedulerConflicts.Builder scheduler = SchedulerConflicts.newBuilder()
                .setName(row.name())
                .setAttempted(row.totals().attempted())
                .setSuccessful(row.totals().successful())
                .setConflicted(row.totals().conflicted())
                .setRefused(row.totals().refused())
                .setClaimsAccepted(row.totals().claimsAccepted())
                .setClaimsConflicted(row.totals().claimsConflicted())
                .setClaimsRefused(row.totals().claimsRefused())
                .setClaimsAcceptedPerSecond(perSecond(row.totals().claimsAccepted(), counted))
                .setClaimsConflictedPerSecond(perSecond(row.totals().claimsConflicted(), counted));
        row.lost()
                .ifPresent(lost -> scheduler
                        .setFirstAt(Timestamps.fromMillis(lost.firstMillis()))
                        .setLastAt(Timestamps.fromMillis(lost.lastMillis())));
        row.totals()
                .conflictFraction()
                .ifPresent(fraction -> scheduler.setConflictFraction(SchedulerRows.rounded(fraction)));
        row.stalenessVersionsMedian().ifPresent(scheduler::setStalenessVersionsMedian);
        addBusy(scheduler);
        return scheduler.build();
    }

    /** If the counting lasted less than a second, a rate would be a guess, so it is computed for a whole second. */
    private static double perSecond(long count, Duration counted) {
        return SchedulerRows.rounded(count * 1_000.0 / Math.max(1_000, counted.toMillis()));
    }

    /** The mean over the instances that report it. */
    private void addBusy(SchedulerConflicts.Builder scheduler) {
        List<SchedulerReport> said = replica.read(view -> List.copyOf(view.sessions())).stream()
                .filter(session -> session.scheduler().equals(scheduler.getName()))
                .map(SessionRow::id)
                .flatMap(session -> reports.find(session).stream())
                .map(SchedulerReports.Said::report)
                .toList();
        if (!said.isEmpty()) {
            double busy = 0;
            double wasted = 0;
            for (SchedulerReport report : said) {
                busy += SchedulerRows.fraction(report.getBusy(), report.getElapsed());
                wasted += SchedulerRows.fraction(report.getWasted(), report.getElapsed());
            }
            scheduler
                    .setBusyFraction(SchedulerRows.rounded(busy / said.size()))
                    .setWastedBusyFraction(SchedulerRows.rounded(wasted / said.size()));
        }
    }

    private static ReasonCount count(CauseRow row) {
        ReasonCount.Builder count =
                ReasonCount.newBuilder().setReason(row.cause().reason().name()).setCount(row.count());
        row.cause().dimension().ifPresent(count::setDimension);
        return count.build();
    }

    // ---- the ledger

    private CompletableFuture<Answer<ConflictLedger>> list(ListConflictsRequest request) {
        int limit = KeptPages.limit(request.hasLimit(), request.getLimit());
        LedgerFilter filter = filter(
                Spans.of(request.getFrom(), request.getTo()),
                request.getScheduler(),
                request.getWinner(),
                request.getMachine(),
                task(request),
                request.getReason(),
                request.getDimension());
        long before = before(request);
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            ConflictLog.LedgerPage page = replica.conflicts().ledger(filter, before, limit);
            return Answer.ok(replica.read(view -> ledger(view, page)));
        });
    }

    private static String task(ListConflictsRequest request) {
        if (request.hasTask() && request.hasJob() && !(request.getTask() + "/").startsWith(request.getJob() + "/")) {
            throw Requests.bad("task", "is not of the job " + request.getJob());
        }
        return request.hasTask() ? request.getTask() : request.getJob();
    }

    private static long before(ListConflictsRequest request) {
        if (request.hasPageToken() && !request.getPageToken().matches("\\d{1,16}")) {
            throw Requests.bad("pageToken", "is not one that a page of the ledger gave");
        }
        return request.hasPageToken() ? Long.parseLong(request.getPageToken()) : Long.MAX_VALUE;
    }

    private static ConflictLedger ledger(CellView view, ConflictLog.LedgerPage page) {
        ConflictLedger.Builder ledger =
                ConflictLedger.newBuilder().setVersion(view.version().number());
        page.claims().forEach(each -> ledger.addConflicts(lostClaim(view, each)));
        page.next().ifPresent(before -> ledger.setNextPageToken(Long.toString(before)));
        return ledger.build();
    }

    // ---- one of them

    private CompletableFuture<Answer<PhotoFinish>> photo(GetConflictRequest request) {
        if (request.getVersion() <= 0) {
            throw Requests.bad("version", "is required: the version at which the claim was lost");
        }
        Span at = Spans.of(Long.toString(request.getVersion()), Long.toString(request.getVersion()));
        LedgerFilter filter = filter(at, "", "", "", request.getTask(), "", "");
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            dev.cella.state.conflicts.LostClaim lost =
                    replica.conflicts().ledger(filter, Long.MAX_VALUE, 1).claims().stream()
                            .findFirst()
                            .orElseThrow(() -> Problem.notFound(
                                            "No claim lost at version " + request.getVersion() + " is kept")
                                    .withHint("GET /v1/conflicts/ledger lists those that are"));
            return Answer.ok(photo(lost));
        });
    }

    private PhotoFinish photo(dev.cella.state.conflicts.LostClaim lost) {
        PhotoFinish.Builder conflict = PhotoFinish.newBuilder();
        contender(lost.version()).ifPresent(conflict::setLoser);
        lost.winner().flatMap(winner -> contender(winner.version())).ifPresent(conflict::setWinner);
        between(lost).forEach(step -> conflict.addBetween(HistoryService.step(step, OptionalInt.empty())));
        placedAfter(lost).ifPresent(step -> conflict.setPlaced(HistoryService.step(step, OptionalInt.empty())));
        return replica.read(view -> conflict.setVersion(view.version().number())
                .setConflict(lostClaim(view, lost))
                .build());
    }

    private Optional<Contender> contender(long version) {
        return replica.conflicts().decision(version).map(decision -> {
            Contender.Builder contender = Contender.newBuilder()
                    .setScheduler(decision.scheduler())
                    .setBasis(decision.basis())
                    .setVersion(decision.version())
                    .setAt(Spans.time(decision.atMillis()))
                    .setAccepted(decision.accepted())
                    .setConflicted(decision.conflicted())
                    .setRefused(decision.refused());
            replica.conflicts()
                    .atMillis(decision.basis())
                    .ifPresent(millis -> contender.setBasisAt(Spans.time(millis)));
            return contender.build();
        });
    }

    private List<HistoryStep> between(dev.cella.state.conflicts.LostClaim lost) {
        Span span = Spans.of(Long.toString(lost.basis() + 1), Long.toString(lost.version()));
        return lost.machine().isEmpty()
                ? List.of()
                : replica.history().steps(Optional.empty(), Optional.of(lost.machine()), span, BETWEEN_MAX).stream()
                        .filter(step -> step.kind() == HistoryStep.Kind.PLACED)
                        .toList();
    }

    private Optional<HistoryStep> placedAfter(dev.cella.state.conflicts.LostClaim lost) {
        String job = lost.taskName().substring(0, lost.taskName().indexOf('/'));
        Span span = Spans.of(Long.toString(lost.version() + 1), "");
        return replica.history().steps(Optional.of(job), Optional.empty(), span, STEPS_MAX).stream()
                .filter(step ->
                        step.kind() == HistoryStep.Kind.PLACED && step.task().equals(lost.taskName()))
                .findFirst();
    }

    private static LostClaim lostClaim(CellView view, dev.cella.state.conflicts.LostClaim lost) {
        LostClaim.Builder claim = LostClaim.newBuilder()
                .setAt(Timestamps.fromMillis(lost.atMillis()))
                .setVersion(lost.version())
                .setTask(lost.taskName())
                .setReason(lost.reason().name())
                .setBasis(lost.basis())
                .setStalenessVersions(lost.stalenessVersions())
                .setLoser(transaction(lost.loser()));
        lost.winner().ifPresent(winner -> claim.setWinner(transaction(winner)));
        lost.dimension()
                .ifPresent(dimension ->
                        claim.setDimension(dimension).setAsked(lost.asked()).setFree(lost.free()));
        if (!lost.machine().isEmpty()) {
            claim.setMachine(lost.machine());
        }
        addOutcome(claim, view.task(lost.task()), lost.reason());
        return claim.build();
    }

    private static TransactionName.Builder transaction(Origin origin) {
        return TransactionName.newBuilder()
                .setScheduler(origin.scheduler())
                .setTransaction(origin.transaction().text())
                .setVersion(origin.version());
    }

    /** The present state of the task. */
    private static void addOutcome(LostClaim.Builder claim, Optional<TaskRow> task, Reason reason) {
        claim.setOutcome(LostTask.LOST_TASK_GONE);
        task.ifPresent(row -> {
            boolean placed = row.origin().isPresent()
                    && (row.origin().get().version() > claim.getVersion() || reason == Reason.TASK_NOT_PENDING);
            if (row.state() == TaskState.PENDING) {
                claim.setOutcome(LostTask.LOST_TASK_PENDING);
            } else if (placed) {
                claim.setOutcome(LostTask.LOST_TASK_PLACED_ELSEWHERE)
                        .setPlacedVersion(row.origin().get().version());
                row.machineName().ifPresent(claim::setPlacedMachine);
            }
        });
    }
}
