package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.cella.client.proto.ConflictLedger;
import dev.cella.client.proto.ConflictServiceGrpc;
import dev.cella.client.proto.ConflictStatistics;
import dev.cella.client.proto.GetConflictsRequest;
import dev.cella.client.proto.ListConflictsRequest;
import dev.cella.client.proto.LoserAndWinner;
import dev.cella.client.proto.LostClaim;
import dev.cella.client.proto.LostTask;
import dev.cella.client.proto.MachineCount;
import dev.cella.client.proto.ReasonCount;
import dev.cella.client.proto.SchedulerConflicts;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.TransactionName;
import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.conflicts.ConflictSummary;
import dev.cella.state.conflicts.ConflictSummary.CauseRow;
import dev.cella.state.conflicts.ConflictSummary.SchedulerRow;
import dev.cella.state.core.Replica;
import dev.cella.state.core.Time;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.SessionRow;
import dev.cella.transactions.cell.TaskRow;
import dev.cella.transactions.model.Origin;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Who lost what to whom. What was counted is asked first, and the cell after it: never one under the lock of the other. */
final class ConflictService {
    private static final Duration WINDOW_DEFAULT = Duration.ofMinutes(5);

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
                new UnaryMethod<>(ConflictServiceGrpc.getListConflictsMethod(), this::list));
    }

    // ---- counts

    private CompletableFuture<Answer<ConflictStatistics>> get(GetConflictsRequest request) {
        Duration window = window(request);
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            ConflictSummary summary = replica.conflicts()
                    .since(
                            time.wallMillis() - window.toMillis(),
                            name -> !request.hasScheduler()
                                    || request.getScheduler().equals(name));
            return Answer.ok(statistics(summary, window));
        });
    }

    private static Duration window(GetConflictsRequest request) {
        if (!request.hasWindow()) {
            return WINDOW_DEFAULT;
        }
        Duration window = Duration.ofNanos(Durations.toNanos(request.getWindow()));
        if (window.isZero() || window.compareTo(ConflictLog.WINDOW_MAX) > 0) {
            throw Requests.bad("window", "must be above 0 and at most " + ConflictLog.WINDOW_MAX.toMinutes() + "m");
        }
        return window;
    }

    private ConflictStatistics statistics(ConflictSummary summary, Duration window) {
        ConflictStatistics.Builder statistics = ConflictStatistics.newBuilder()
                .setVersion(replica.version().number())
                .setWindow(Durations.fromMillis(window.toMillis()));
        summary.schedulers().forEach(row -> statistics.addSchedulers(scheduler(row)));
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
        return statistics.build();
    }

    private SchedulerConflicts scheduler(SchedulerRow row) {
        SchedulerConflicts.Builder scheduler = SchedulerConflicts.newBuilder()
                .setName(row.name())
                .setAttempted(row.totals().attempted())
                .setSuccessful(row.totals().successful())
                .setConflicted(row.totals().conflicted())
                .setRefused(row.totals().refused())
                .setClaimsAccepted(row.totals().claimsAccepted())
                .setClaimsConflicted(row.totals().claimsConflicted())
                .setClaimsRefused(row.totals().claimsRefused());
        row.totals()
                .conflictFraction()
                .ifPresent(fraction -> scheduler.setConflictFraction(SchedulerRows.rounded(fraction)));
        row.stalenessVersionsMedian().ifPresent(scheduler::setStalenessVersionsMedian);
        addBusy(scheduler);
        return scheduler.build();
    }

    /** The mean over the instances that say it. */
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
        int limit = Pages.limit(request.hasLimit(), request.getLimit());
        return reads.reach(Freshness.of(request)).thenApply(reached -> {
            List<dev.cella.state.conflicts.LostClaim> lost =
                    replica.conflicts().ledger(each -> isAsked(each, request), limit);
            return Answer.ok(replica.read(view -> ledger(view, lost)));
        });
    }

    private static boolean isAsked(dev.cella.state.conflicts.LostClaim lost, ListConflictsRequest request) {
        return (!request.hasScheduler() || lost.loser().scheduler().equals(request.getScheduler()))
                && (!request.hasMachine() || lost.machine().equals(request.getMachine()))
                && (!request.hasJob() || lost.taskName().startsWith(request.getJob() + "/"));
    }

    private static ConflictLedger ledger(CellView view, List<dev.cella.state.conflicts.LostClaim> lost) {
        ConflictLedger.Builder ledger =
                ConflictLedger.newBuilder().setVersion(view.version().number());
        lost.forEach(each -> ledger.addConflicts(lostClaim(view, each)));
        return ledger.build();
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

    /** What has become of the task by now. */
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
