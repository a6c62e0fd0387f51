package dev.cella.state.web.service;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import dev.cella.client.LeaseBounds;
import dev.cella.client.Problem;
import dev.cella.client.proto.AgentServiceGrpc;
import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewAnswer;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.Renewal;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportResult;
import dev.cella.client.proto.ReportedWaits;
import dev.cella.client.proto.SpecificationRequest;
import dev.cella.client.proto.StartAnswer;
import dev.cella.client.proto.StartRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.state.core.Lane;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.Answer;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.state.web.rows.JobRows;
import dev.cella.state.web.rows.WireWords;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.RestoredFrom;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The calls of node agents, in identities: an agent knows its placements, not their names. */
final class AgentService {

    private final Replica replica;
    private final Commands commands;
    private final KnownDimensions dimensions;
    private final UsageFacts usage;
    private final WaitFacts waits;
    private final Disagreements disagreements;
    private final RestoreTurns turns;
    private final QueuedStarts starts;

    AgentService(
            Replica replica,
            Commands commands,
            KnownDimensions dimensions,
            UsageFacts usage,
            WaitFacts waits,
            Disagreements disagreements,
            RestoreTurns turns) {
        this.replica = replica;
        this.commands = commands;
        this.dimensions = dimensions;
        this.usage = usage;
        this.waits = waits;
        this.disagreements = disagreements;
        this.turns = turns;
        this.starts = new QueuedStarts(replica, commands);
    }

    List<UnaryMethod<?, ?>> methods() {
        return List.of(
                new UnaryMethod<>(AgentServiceGrpc.getRegisterMethod(), this::register),
                new UnaryMethod<>(AgentServiceGrpc.getRenewMethod(), this::renew),
                new UnaryMethod<>(AgentServiceGrpc.getReportMethod(), this::report),
                new UnaryMethod<>(AgentServiceGrpc.getStartMethod(), this::start),
                new UnaryMethod<>(AgentServiceGrpc.getGetSpecificationMethod(), this::specification));
    }

    CompletableFuture<Answer<Registration>> register(RegisterRequest request) {
        long lease = Requests.leaseMillis(request.hasLease(), request.getLease(), LeaseBounds.MACHINE_MAX);
        return dimensions
                .known(request.getCapacityMap(), request.getMembersMap(), Lane.REPORTS)
                .thenCompose(known -> registered(request, lease))
                .thenApply(done -> {
                    var unused = replica.leases().renewMachine(new MachineId(done.identity()));
                    return Answer.ok(registration(done, lease));
                });
    }

    /**
     * A machine that takes no claims since a restore takes them again once its agent has registered. Its mark goes last: if a
     * step fails, the next registration finds the mark and does all of them again.
     */
    private CompletableFuture<CommandResult.Done> registered(RegisterRequest request, long lease) {
        return markOfReady(request).isEmpty()
                ? put(request, lease, Optional.empty())
                : turns.next(request.getMachine(), () -> registeredAfterRestore(request, lease));
    }

    private CompletableFuture<CommandResult.Done> registeredAfterRestore(RegisterRequest request, long lease) {
        Optional<RestoredFrom> mark = markOfReady(request);
        CompletableFuture<CommandResult.Done> put = put(request, lease, mark);
        return mark.isEmpty()
                ? put
                : put.thenCompose(this::ready).thenCompose(ready -> put(request, lease, Optional.empty()));
    }

    private Optional<RestoredFrom> markOfReady(RegisterRequest request) {
        return replica.read(view -> RestoreMark.ofReady(view, request.getMachine()));
    }

    private CompletableFuture<CommandResult.Done> put(
            RegisterRequest request, long lease, Optional<RestoredFrom> mark) {
        return commands.done(Lane.REPORTS, replica.read(view -> machine(view, request, lease, mark)));
    }

    private CompletableFuture<CommandResult.Done> ready(CommandResult.Done registered) {
        return commands.done(
                Lane.REPORTS,
                new Command.ChangeMachine(new MachineId(registered.identity()), Command.MachineChange.READY, false));
    }

    private static Command machine(
            CellView view, RegisterRequest request, long leaseMillis, Optional<RestoredFrom> mark) {
        Amounts counted = Requests.amounts("capacity", view.dimensions(), request.getCapacityMap());
        Members members = Requests.members("members", view.dimensions(), request.getMembersMap());
        HandAttributes.check(request.getAttributesMap());
        Map<String, String> before = view.machine(request.getMachine())
                .<Map<String, String>>map(MachineRow::attributes)
                .orElse(Map.of());
        SortedMap<String, String> attributes = HandAttributes.registered(before, request.getAttributesMap());
        return Requests.checked(
                "",
                () -> new Command.PutMachine(
                        request.getMachine(),
                        counted.naming(members),
                        mark.map(found -> RestoreMark.put(found, attributes)).orElse(attributes),
                        Optional.of(new AgentIdentity(request.getBootId(), request.getAddress(), leaseMillis)),
                        false));
    }

    private Registration registration(CommandResult.Done done, long leaseMillis) {
        return Registration.newBuilder()
                .setIncarnation(replica.incarnation().number())
                .setRegisteredVersion(done.identity())
                .setLease(Durations.fromMillis(leaseMillis))
                .setCell(replica.cell().text())
                .setVersion(done.version().number())
                .build();
    }

    private CompletableFuture<Answer<RenewAnswer>> renew(RenewRequest request) {
        if (!replica.leads()) {
            throw Problem.noLeader("This replica does not lead the cell");
        }
        Incarnation asked = new Incarnation(request.getIncarnation());
        boolean sameHistory = asked.accepts(replica.incarnation());
        if (sameHistory) {
            keepUsage(request.getUsageList());
        }
        RenewAnswer.Builder answer = RenewAnswer.newBuilder().setWaitsWanted(waits.areWanted());
        Map<Long, String> refused = sameHistory ? refusedWaits(request) : Map.of();
        request.getRegisteredVersionsList()
                .forEach(registered -> answer.addRenewals(
                        sameHistory
                                ? renewal(registered, Optional.ofNullable(refused.get(registered)))
                                : renewalAfterRestore(asked, registered)));
        return CompletableFuture.completedFuture(Answer.ok(answer.build()));
    }

    private void keepUsage(List<AttemptUsage> reports) {
        if (!reports.isEmpty()) {
            replica.read(view -> Requests.checked("usage", () -> {
                usage.put(view, reports);
                return usage;
            }));
        }
    }

    private Renewal renewalAfterRestore(Incarnation asked, long registered) {
        Renewal.Builder renewal = Renewal.newBuilder();
        if (registered > 0) {
            replica.read(view -> RestoredFrom.of(view, new MachineId(registered)))
                    .filter(restored -> restored.incarnation().equals(asked))
                    .ifPresent(restored -> renewal.setRestoredVersion(restored.version()));
        }
        return renewal.build();
    }

    /** Keeps the reported waits. A wrong matrix costs its machine nothing but the matrix. */
    private Map<Long, String> refusedWaits(RenewRequest request) {
        Map<Long, String> refused = new HashMap<>();
        for (ReportedWaits reported : request.getWaitsList()) {
            MachineId machine =
                    Requests.checked("waits.registeredVersion", () -> new MachineId(reported.getRegisteredVersion()));
            waits.put(machine, reported.getWaits()).ifPresent(why -> refused.put(machine.version(), why));
        }
        return refused;
    }

    private Renewal renewal(long registered, Optional<String> waitsRefused) {
        Optional<Duration> lease =
                registered > 0 ? replica.leases().renewMachine(new MachineId(registered)) : Optional.empty();
        Renewal.Builder renewal = Renewal.newBuilder().setKnown(lease.isPresent());
        lease.ifPresent(known -> renewal.setLease(Durations.fromMillis(known.toMillis())));
        waitsRefused.ifPresent(renewal::setWaitsRefused);
        return renewal.build();
    }

    private boolean accepts(long incarnation) {
        return new Incarnation(incarnation).accepts(replica.incarnation());
    }

    CompletableFuture<Answer<ReportAnswer>> report(ReportRequest request) {
        if (!accepts(request.getIncarnation())) {
            throw otherIncarnation();
        }
        int featureLevel = replica.read(CellView::featureLevel);
        List<Command.ReportTask> reports = request.getReportsList().stream()
                .map(report -> command(report, featureLevel))
                .toList();
        List<CompletableFuture<List<ReportResult>>> results =
                featureLevel < EntryCodec.MANY_REPORTS_LEVEL ? oneByOne(reports) : together(reports);
        return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    forgetUsage(reports);
                    ReportAnswer.Builder answer = ReportAnswer.newBuilder();
                    results.forEach(some -> answer.addAllResults(some.join()));
                    ReportAnswer built = answer.build();
                    disagreements.add(request, built);
                    return Answer.ok(built);
                });
    }

    /** Forgets the usage of ended attempts once the cell shows their end: until then a renewal could bring it again. */
    private void forgetUsage(List<Command.ReportTask> reports) {
        reports.stream()
                .filter(report -> report.state().isEnded())
                .forEach(report -> usage.ended(report.task(), report.attempt()));
    }

    private List<CompletableFuture<List<ReportResult>>> oneByOne(List<Command.ReportTask> reports) {
        return reports.stream()
                .map(report -> commands.result(Lane.REPORTS, report)
                        .thenApply(result -> List.of(result(result.version(), reason(result)))))
                .toList();
    }

    /** Combines the reports of one call into few commands: each command costs a version, a frame and an answer. */
    private List<CompletableFuture<List<ReportResult>>> together(List<Command.ReportTask> reports) {
        List<CompletableFuture<List<ReportResult>>> results = new ArrayList<>();
        for (int from = 0; from < reports.size(); from += Command.ReportTasks.REPORTS_MAX) {
            Command.ReportTasks some = new Command.ReportTasks(
                    reports.subList(from, Math.min(reports.size(), from + Command.ReportTasks.REPORTS_MAX)));
            results.add(commands.result(Lane.REPORTS, some).thenApply(result -> results(some, result)));
        }
        return results;
    }

    private static List<ReportResult> results(Command.ReportTasks reports, CommandResult result) {
        Map<Integer, Reason> refused =
                result instanceof CommandResult.Reported reported ? reported.refused() : Map.of();
        return IntStream.range(0, reports.reports().size())
                .mapToObj(place ->
                        result(result.version(), reason(result).or(() -> Optional.ofNullable(refused.get(place)))))
                .toList();
    }

    private static Optional<Reason> reason(CommandResult result) {
        return result instanceof CommandResult.Refused refused ? Optional.of(refused.reason()) : Optional.empty();
    }

    private static Problem otherIncarnation() {
        return Problem.conflict("OTHER_INCARNATION: the cell has another history than this agent knows")
                .withHint("register again");
    }

    private CompletableFuture<Answer<StartAnswer>> start(StartRequest request) {
        if (!accepts(request.getIncarnation())) {
            throw otherIncarnation();
        }
        return starts.start(request).thenApply(Answer::ok);
    }

    private static Command.ReportTask command(TaskReport report, int featureLevel) {
        TaskState state =
                WireWords.of(report.getState()).orElseThrow(() -> Requests.bad("reports.state", "is required"));
        OptionalLong at = report.hasAt() ? OptionalLong.of(Timestamps.toMillis(report.getAt())) : OptionalLong.empty();
        return Requests.checked(
                "reports",
                () -> new Command.ReportTask(
                        new TaskId(new JobId(report.getJobVersion()), report.getGroup(), report.getIndex()),
                        report.getAttempt(),
                        Optional.of(new PlacementId(report.getPlacementVersion(), report.getPlacementOrdinal())),
                        state,
                        report.hasExitCode() ? OptionalInt.of(report.getExitCode()) : OptionalInt.empty(),
                        reason(report, state, featureLevel),
                        state == TaskState.RUNNING ? at : OptionalLong.empty(),
                        state.isEnded() ? at : OptionalLong.empty()));
    }

    private static TaskReason reason(TaskReport report, TaskState state, int featureLevel) {
        if (report.hasChecked()) {
            return ReportedReason.ofCheck("reports.checked", report.getChecked(), state, featureLevel);
        }
        return report.hasReason()
                ? ReportedReason.of("reports.reason", report.getReason(), state, featureLevel)
                : TaskReason.NONE;
    }

    private static ReportResult result(CellVersion version, Optional<Reason> refused) {
        ReportResult.Builder answer = ReportResult.newBuilder().setVersion(version.number());
        return refused.map(reason -> answer.setReason(reason.name()).setStopIt(isObsolete(reason)))
                .orElseGet(() -> answer.setAccepted(true))
                .build();
    }

    /** The cell no longer knows the placement, so nothing may run for it. */
    private static boolean isObsolete(Reason reason) {
        return reason == Reason.NOT_CURRENT || reason == Reason.UNKNOWN_TASK || reason == Reason.UNKNOWN_JOB;
    }

    private CompletableFuture<Answer<Job>> specification(SpecificationRequest request) {
        if (!accepts(request.getIncarnation())) {
            throw otherIncarnation();
        }
        JobId job = Requests.checked("jobVersion", () -> new JobId(request.getJobVersion()));
        return replica.specification(job, request.getGeneration())
                .map(bytes -> CompletableFuture.completedFuture(Answer.ok(JobRows.specification(bytes))))
                .orElseThrow(
                        () -> Problem.notFound("There is no generation " + request.getGeneration() + " of job " + job));
    }
}
