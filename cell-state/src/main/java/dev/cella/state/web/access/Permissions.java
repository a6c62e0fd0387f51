package dev.cella.state.web.access;

import com.google.protobuf.Message;
import dev.cella.client.proto.AgentServiceGrpc;
import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.DeclineOfferRequest;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobServiceGrpc;
import dev.cella.client.proto.MachineServiceGrpc;
import dev.cella.client.proto.MemberServiceGrpc;
import dev.cella.client.proto.OfferServiceGrpc;
import dev.cella.client.proto.OffersWantedRequest;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.RevertJobRequest;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerServiceGrpc;
import dev.cella.client.proto.StartRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.client.proto.TaskServiceGrpc;
import dev.cella.client.proto.TokenServiceGrpc;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.TransactionServiceGrpc;
import dev.cella.state.core.Replica;
import dev.cella.state.web.http.UnaryMethod;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.HoldRow;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.TaskId;
import io.grpc.MethodDescriptor;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The permissions that each unary call needs. A call that only reads needs {@code read}; a call that is not listed here needs
 * {@code operate}. So a new call is closed until somebody states here who may use it.
 */
public final class Permissions {
    private static final String POOL_DEFAULT = "default";

    private final Replica replica;
    private final Map<String, BiConsumer<Caller, Message>> rules = new HashMap<>();

    public Permissions(Replica replica) {
        this.replica = replica;
        jobs();
        schedulers();
        machines();
        operators();
    }

    private void jobs() {
        rule(JobServiceGrpc.getSubmitJobMethod(), Job.class, this::submits);
        rule(JobServiceGrpc.getPutJobMethod(), Job.class, this::submits);
        rule(JobServiceGrpc.getRevertJobMethod(), RevertJobRequest.class, this::reverts);
        JobServiceGrpc.getServiceDescriptor().getMethods().stream()
                .filter(method -> !rules.containsKey(method.getFullMethodName()))
                .forEach(method -> rules.put(method.getFullMethodName(), this::changesNamedJob));
    }

    private void schedulers() {
        rule(
                TransactionServiceGrpc.getCommitMethod(),
                TransactionRequest.class,
                (caller, request) -> caller.mustSchedule(request.getScheduler()));
        rule(
                SchedulerServiceGrpc.getOpenSessionMethod(),
                OpenSessionRequest.class,
                (caller, request) -> caller.mustSchedule(request.getName()));
        rule(
                SchedulerServiceGrpc.getCloseSessionMethod(),
                CloseSessionRequest.class,
                (caller, request) -> caller.mustSchedule(request.getName()));
        rule(
                SchedulerServiceGrpc.getReportSchedulerMethod(),
                SchedulerReport.class,
                (caller, request) -> caller.mustSchedule(request.getName()));
        rule(
                SchedulerServiceGrpc.getSuppressOffersMethod(),
                OffersWantedRequest.class,
                (caller, request) -> caller.mustSchedule(request.getName()));
        rule(
                SchedulerServiceGrpc.getReviveOffersMethod(),
                OffersWantedRequest.class,
                (caller, request) -> caller.mustSchedule(request.getName()));
        rule(OfferServiceGrpc.getDeclineOfferMethod(), DeclineOfferRequest.class, this::declines);
    }

    private void machines() {
        rule(
                AgentServiceGrpc.getRegisterMethod(),
                RegisterRequest.class,
                (caller, request) -> caller.mustRun(request.getMachine()));
        rule(AgentServiceGrpc.getRenewMethod(), RenewRequest.class, this::renews);
        rule(AgentServiceGrpc.getReportMethod(), ReportRequest.class, this::reports);
        rule(AgentServiceGrpc.getStartMethod(), StartRequest.class, this::starts);
        rules.put(AgentServiceGrpc.getGetSpecificationMethod().getFullMethodName(), Permissions::asAgentOrReader);
        // An agent follows the members, too.
        rules.put(MemberServiceGrpc.getListMembersMethod().getFullMethodName(), Permissions::asAgentOrReader);
        rule(
                MachineServiceGrpc.getPutMachineMethod(),
                PutMachineRequest.class,
                (caller, request) -> caller.mustRun(request.getName()));
        rule(TaskServiceGrpc.getReportTaskMethod(), ReportTaskRequest.class, this::reportsByName);
    }

    private static void asAgentOrReader(Caller caller, Message request) {
        if (!caller.mayRunSomeMachine()) {
            caller.mustRead();
        }
    }

    /** Calls that only operators may make, although they change nothing. */
    private void operators() {
        rules.put(TokenServiceGrpc.getListTokensMethod().getFullMethodName(), (caller, any) -> caller.mustOperate());
        rules.put(TokenServiceGrpc.getListAuditMethod().getFullMethodName(), (caller, any) -> caller.mustOperate());
    }

    private <Q extends Message> void rule(MethodDescriptor<Q, ?> method, Class<Q> type, BiConsumer<Caller, Q> rule) {
        rules.put(method.getFullMethodName(), (caller, request) -> rule.accept(caller, type.cast(request)));
    }

    /** The same call, which refuses callers without permission. */
    public <Q extends Message, A extends Message> UnaryMethod<Q, A> guarded(UnaryMethod<Q, A> method) {
        return new UnaryMethod<>(method.grpc(), request -> {
            check(Caller.current(), method, request);
            return method.handler().apply(request);
        });
    }

    void check(Caller caller, UnaryMethod<?, ?> method, Message request) {
        if (caller.mayOperate()) {
            return;
        }
        BiConsumer<Caller, Message> rule = rules.get(method.grpc().getFullMethodName());
        if (rule != null && !(method.isRead() && isOfJobs(method))) {
            rule.accept(caller, request);
        } else if (method.isRead()) {
            caller.mustRead();
        } else {
            caller.mustOperate();
        }
    }

    private static boolean isOfJobs(UnaryMethod<?, ?> method) {
        return JobServiceGrpc.SERVICE_NAME.equals(method.grpc().getServiceName());
    }

    // ---- what a request is about

    /** The caller needs the pool that the job names and, for an update, the pool in which the job is now. */
    private void submits(Caller caller, Job job) {
        caller.mustSubmitTo(job.getPool().isEmpty() ? POOL_DEFAULT : job.getPool());
        poolOf(job.getName()).ifPresent(caller::mustSubmitTo);
    }

    /** The job's own scheduler may revert an update that has failed. */
    private void reverts(Caller caller, RevertJobRequest request) {
        boolean isItsScheduler = replica.read(view -> view.job(request.getName())
                .filter(job -> caller.maySchedule(job.header().scheduler()))
                .isPresent());
        if (!isItsScheduler) {
            changesNamedJob(caller, request);
        }
    }

    /** A job that does not exist counts as one in the default pool. */
    private void changesNamedJob(Caller caller, Message request) {
        var field = request.getDescriptorForType().findFieldByName("name");
        if (field == null) {
            caller.mustOperate();
            return;
        }
        caller.mustSubmitTo(poolOf(String.valueOf(request.getField(field))).orElse(POOL_DEFAULT));
    }

    private Optional<String> poolOf(String job) {
        return replica.read(view -> view.job(job).map(row -> row.header().pool()));
    }

    /** The call itself answers for an offer that does not exist. */
    private void declines(Caller caller, DeclineOfferRequest request) {
        caller.mustBeSomeScheduler();
        schedulerOf(request.getOffer()).ifPresent(caller::mustSchedule);
    }

    private Optional<String> schedulerOf(String offer) {
        try {
            OfferId id = OfferId.parse(offer);
            return replica.read(view -> view.offer(id).map(HoldRow::scheduler));
        } catch (IllegalArgumentException noOffer) {
            return Optional.empty();
        }
    }

    /**
     * Only what the cell has is checked. An agent may name machines and attempts that have just gone, or that are of another
     * history, and with a refused renewal it would lose all its leases.
     */
    private void renews(Caller caller, RenewRequest request) {
        caller.mustRunSomeMachine();
        if (isOfThisHistory(request.getIncarnation())) {
            replica.read(view -> machinesOf(view, request)).forEach(caller::mustRun);
        }
    }

    /** In another history the same numbers may be those of another agent's machines and tasks. */
    private boolean isOfThisHistory(long incarnation) {
        return new Incarnation(incarnation).accepts(replica.incarnation());
    }

    /** The machines that the renewal speaks for. */
    private static Set<String> machinesOf(CellView view, RenewRequest request) {
        Set<String> machines = new LinkedHashSet<>();
        request.getRegisteredVersionsList()
                .forEach(version -> machineOf(view, version).ifPresent(machines::add));
        request.getWaitsList()
                .forEach(waits -> machineOf(view, waits.getRegisteredVersion()).ifPresent(machines::add));
        request.getUsageList().forEach(usage -> machineOf(view, usage).ifPresent(machines::add));
        return machines;
    }

    /** The machine of the attempt. A later attempt of the task may be on another one. */
    private static Optional<String> machineOf(CellView view, AttemptUsage usage) {
        return task(usage.getJobVersion(), usage.getGroup(), usage.getIndex())
                .flatMap(view::task)
                .filter(row ->
                        row.attempt() == usage.getAttempt() && row.state().isOnMachine())
                .flatMap(TaskRow::machineName);
    }

    /** Empty if no task can have these numbers; the call itself refuses them. */
    private static Optional<TaskId> task(long job, int group, int index) {
        try {
            return Optional.of(new TaskId(new JobId(job), group, index));
        } catch (IllegalArgumentException noTask) {
            return Optional.empty();
        }
    }

    /** The call itself refuses one of another history. */
    private void starts(Caller caller, StartRequest request) {
        caller.mustRunSomeMachine();
        if (!isOfThisHistory(request.getIncarnation())) {
            return;
        }
        request.getTasksList()
                .forEach(task -> replica.read(view -> machineOf(view, task.getRegisteredVersion()))
                        .ifPresent(caller::mustRun));
    }

    private static Optional<String> machineOf(CellView view, long registeredVersion) {
        if (registeredVersion < 1) {
            return Optional.empty();
        }
        OptionalInt slot = view.findMachine(new MachineId(registeredVersion));
        return slot.isPresent() ? Optional.of(view.machineName(slot.getAsInt())) : Optional.empty();
    }

    /** The call itself refuses reports of another history, and the cell a report about an unknown task. */
    private void reports(Caller caller, ReportRequest request) {
        caller.mustRunSomeMachine();
        if (!isOfThisHistory(request.getIncarnation())) {
            return;
        }
        for (TaskReport report : request.getReportsList()) {
            task(report.getJobVersion(), report.getGroup(), report.getIndex())
                    .flatMap(task -> replica.read(view -> machineOf(view, task)))
                    .ifPresent(caller::mustRun);
        }
    }

    private static Optional<String> machineOf(CellView view, TaskId task) {
        return view.task(task).flatMap(TaskRow::machineName);
    }

    private void reportsByName(Caller caller, ReportTaskRequest request) {
        Optional<String> machine = replica.read(view -> view.job(request.getJob())
                .flatMap(
                        job -> task(job.id().version(), job.header().findGroup(request.getGroup()), request.getIndex()))
                .flatMap(task -> machineOf(view, task)));
        machine.ifPresentOrElse(caller::mustRun, caller::mustOperate);
    }
}
