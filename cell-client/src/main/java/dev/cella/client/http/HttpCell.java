package dev.cella.client.http;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import dev.cella.client.CellAddresses;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.json.BadInput;
import dev.cella.client.json.JsonCodec;
import dev.cella.client.json.Source;
import dev.cella.client.proto.AddMemberRequest;
import dev.cella.client.proto.AuditList;
import dev.cella.client.proto.Cell;
import dev.cella.client.proto.CellSummary;
import dev.cella.client.proto.CloseSessionRequest;
import dev.cella.client.proto.Conflict;
import dev.cella.client.proto.ConflictLedger;
import dev.cella.client.proto.ConflictStatistics;
import dev.cella.client.proto.CreateTokenRequest;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.ExplainJobRequest;
import dev.cella.client.proto.Federation;
import dev.cella.client.proto.FederationProto;
import dev.cella.client.proto.FeedQuery;
import dev.cella.client.proto.GetCellRequest;
import dev.cella.client.proto.GetConflictsRequest;
import dev.cella.client.proto.GetFederationRequest;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.GetLevelRequest;
import dev.cella.client.proto.GetMachineRequest;
import dev.cella.client.proto.GetPoolRequest;
import dev.cella.client.proto.GetRightsRequest;
import dev.cella.client.proto.GetTaskRequest;
import dev.cella.client.proto.GetTimelineRequest;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobExplanation;
import dev.cella.client.proto.JobList;
import dev.cella.client.proto.JobOuterClass;
import dev.cella.client.proto.JobStatus;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.JobSubmitted;
import dev.cella.client.proto.Level;
import dev.cella.client.proto.ListAuditRequest;
import dev.cella.client.proto.ListConflictsRequest;
import dev.cella.client.proto.ListJobsRequest;
import dev.cella.client.proto.ListMachinesRequest;
import dev.cella.client.proto.ListMembersRequest;
import dev.cella.client.proto.ListPoolsRequest;
import dev.cella.client.proto.ListSchedulersRequest;
import dev.cella.client.proto.ListTasksRequest;
import dev.cella.client.proto.ListTokensRequest;
import dev.cella.client.proto.LogsQuery;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineList;
import dev.cella.client.proto.MachineRemoved;
import dev.cella.client.proto.MemberList;
import dev.cella.client.proto.MemberProto;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.PauseSchedulerRequest;
import dev.cella.client.proto.Pool;
import dev.cella.client.proto.PoolList;
import dev.cella.client.proto.PoolRemoved;
import dev.cella.client.proto.Pools;
import dev.cella.client.proto.ProblemDetails;
import dev.cella.client.proto.PromoteJobRequest;
import dev.cella.client.proto.PutMachineRequest;
import dev.cella.client.proto.PutPoolRequest;
import dev.cella.client.proto.PutRightsRequest;
import dev.cella.client.proto.RaiseLevelRequest;
import dev.cella.client.proto.ReadyMachineRequest;
import dev.cella.client.proto.RemoveMachineRequest;
import dev.cella.client.proto.RemoveMemberRequest;
import dev.cella.client.proto.RemovePoolRequest;
import dev.cella.client.proto.ReplaceMemberRequest;
import dev.cella.client.proto.ReplayConflictsRequest;
import dev.cella.client.proto.ReportTaskRequest;
import dev.cella.client.proto.ResumeSchedulerRequest;
import dev.cella.client.proto.RevertJobRequest;
import dev.cella.client.proto.RevokeTokenRequest;
import dev.cella.client.proto.ScaleJobRequest;
import dev.cella.client.proto.SchedulerList;
import dev.cella.client.proto.SchedulerPause;
import dev.cella.client.proto.SchedulerRights;
import dev.cella.client.proto.SchedulerSession;
import dev.cella.client.proto.SessionClosed;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.Task;
import dev.cella.client.proto.TaskList;
import dev.cella.client.proto.TaskOuterClass;
import dev.cella.client.proto.Timeline;
import dev.cella.client.proto.TokenCreated;
import dev.cella.client.proto.TokenList;
import dev.cella.client.proto.TokenProto;
import dev.cella.client.proto.TokenRevoked;
import dev.cella.client.proto.Transaction;
import dev.cella.client.proto.TransactionOutcome;
import dev.cella.client.proto.TransactionRequest;
import dev.cella.client.proto.TransferLeadRequest;
import dev.cella.client.proto.WhatIf;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cell over HTTP and JSON, one method per call, for the commands and the tests.
 *
 * <p>It uses only the JDK ({@link HttpCall}), not gRPC or Armeria, because loading those takes a command longer than all its
 * other work. A refusal of the cell is thrown as {@link Problem}, a missing answer as {@link CellUnreachable}. An interrupted
 * thread finishes only the call under way: the next one ends with a {@link CancellationException}, and the interrupt stays
 * set.
 *
 * <p>Safe to share between threads.
 */
public final class HttpCell {
    private static final ServiceDescriptor CELL = Cell.getDescriptor().findServiceByName("CellService");
    private static final ServiceDescriptor MACHINES = Cell.getDescriptor().findServiceByName("MachineService");
    private static final ServiceDescriptor JOBS = JobOuterClass.getDescriptor().findServiceByName("JobService");
    private static final ServiceDescriptor TASKS =
            TaskOuterClass.getDescriptor().findServiceByName("TaskService");
    private static final ServiceDescriptor TRANSACTIONS =
            Transaction.getDescriptor().findServiceByName("TransactionService");
    private static final ServiceDescriptor SCHEDULERS =
            Transaction.getDescriptor().findServiceByName("SchedulerService");

    private static final ServiceDescriptor POOLS = Pools.getDescriptor().findServiceByName("PoolService");
    private static final ServiceDescriptor MEMBERS = MemberProto.getDescriptor().findServiceByName("MemberService");

    private static final ServiceDescriptor FEDERATION =
            FederationProto.getDescriptor().findServiceByName("FederationService");

    private static final ServiceDescriptor HISTORY =
            Timeline.getDescriptor().getFile().findServiceByName("HistoryService");
    private static final ServiceDescriptor CONFLICTS = Conflict.getDescriptor().findServiceByName("ConflictService");

    private static final ServiceDescriptor TOKENS = TokenProto.getDescriptor().findServiceByName("TokenService");

    private static final Route FEED = new Route("GET", "/v1/feed", false);
    private static final Route BACKUP = new Route("GET", "/v1/backup", false);
    private static final Route LOGS = new Route("GET", "/v1/tasks/{job}/{group}/{index}:logs", false);

    private static final String JSON_TYPE = "application/json";
    private static final String MAY_BE_DONE =
            "the answer to an earlier try may be lost, and that try may have done it: see what there is now";

    private static final int REFUSED_MIN = 300;
    private static final long ELECTION_PAUSE_NANOS = 200_000_000;

    private final CellAddresses addresses;
    private final HttpCellOptions options;
    private final JsonCodec codec = new JsonCodec();

    /**
     * The server that the client uses now. Two callers that leave it at the same time may choose different servers; both
     * find one.
     */
    private volatile URI asked;

    private volatile @Nullable Instant certificateExpiresAt;

    public HttpCell(URI address) {
        this(address, HttpCellOptions.DEFAULT);
    }

    public HttpCell(CellAddresses addresses) {
        this(addresses, HttpCellOptions.DEFAULT);
    }

    public HttpCell(URI address, HttpCellOptions options) {
        this(CellAddresses.of(address), options);
    }

    public HttpCell(CellAddresses addresses, HttpCellOptions options) {
        this.addresses = addresses;
        this.asked = addresses.first();
        this.options = options;
    }

    /** The address of the server that the client uses now. */
    public URI address() {
        return asked;
    }

    public CellSummary getCell() {
        return getCell(GetCellRequest.getDefaultInstance());
    }

    public CellSummary getCell(GetCellRequest request) {
        return call(CELL, "GetCell", request, CellSummary.getDefaultInstance());
    }

    public MachineList listMachines(ListMachinesRequest request) {
        return call(MACHINES, "ListMachines", request, MachineList.getDefaultInstance());
    }

    public Machine getMachine(GetMachineRequest request) {
        return call(MACHINES, "GetMachine", request, Machine.getDefaultInstance());
    }

    public Machine putMachine(PutMachineRequest request) {
        return call(MACHINES, "PutMachine", request, Machine.getDefaultInstance());
    }

    public Machine drainMachine(DrainMachineRequest request) {
        return call(MACHINES, "DrainMachine", request, Machine.getDefaultInstance());
    }

    public Machine readyMachine(ReadyMachineRequest request) {
        return call(MACHINES, "ReadyMachine", request, Machine.getDefaultInstance());
    }

    public MachineRemoved removeMachine(RemoveMachineRequest request) {
        return call(MACHINES, "RemoveMachine", request, MachineRemoved.getDefaultInstance());
    }

    public MemberList listMembers() {
        return call(MEMBERS, "ListMembers", ListMembersRequest.getDefaultInstance(), MemberList.getDefaultInstance());
    }

    public MemberList addMember(AddMemberRequest request) {
        return callLong(MEMBERS, "AddMember", request, MemberList.getDefaultInstance());
    }

    public MemberList removeMember(RemoveMemberRequest request) {
        return callLong(MEMBERS, "RemoveMember", request, MemberList.getDefaultInstance());
    }

    public MemberList replaceMember(ReplaceMemberRequest request) {
        return callLong(MEMBERS, "ReplaceMember", request, MemberList.getDefaultInstance());
    }

    public MemberList transferLead(TransferLeadRequest request) {
        return callLong(MEMBERS, "TransferLead", request, MemberList.getDefaultInstance());
    }

    public Federation getFederation() {
        return call(
                FEDERATION,
                "GetFederation",
                GetFederationRequest.getDefaultInstance(),
                Federation.getDefaultInstance());
    }

    public Level level() {
        return call(MEMBERS, "GetLevel", GetLevelRequest.getDefaultInstance(), Level.getDefaultInstance());
    }

    public Level raiseLevel(RaiseLevelRequest request) {
        return call(MEMBERS, "RaiseLevel", request, Level.getDefaultInstance());
    }

    public JobSubmitted putJob(Job job) {
        return call(JOBS, "PutJob", job, JobSubmitted.getDefaultInstance());
    }

    public JobSubmitted scaleJob(ScaleJobRequest request) {
        return call(JOBS, "ScaleJob", request, JobSubmitted.getDefaultInstance());
    }

    public JobSubmitted revertJob(RevertJobRequest request) {
        return call(JOBS, "RevertJob", request, JobSubmitted.getDefaultInstance());
    }

    public JobSubmitted promoteJob(PromoteJobRequest request) {
        return call(JOBS, "PromoteJob", request, JobSubmitted.getDefaultInstance());
    }

    public JobSubmitted submitJob(Job job) {
        return call(JOBS, "SubmitJob", job, JobSubmitted.getDefaultInstance());
    }

    public JobList listJobs(ListJobsRequest request) {
        return call(JOBS, "ListJobs", request, JobList.getDefaultInstance());
    }

    public JobStatus getJob(GetJobRequest request) {
        return call(JOBS, "GetJob", request, JobStatus.getDefaultInstance());
    }

    public JobExplanation explainJob(ExplainJobRequest request) {
        return call(JOBS, "ExplainJob", request, JobExplanation.getDefaultInstance());
    }

    public JobStopped stopJob(StopJobRequest request) {
        return call(JOBS, "StopJob", request, JobStopped.getDefaultInstance());
    }

    public TaskList listTasks(ListTasksRequest request) {
        return call(TASKS, "ListTasks", request, TaskList.getDefaultInstance());
    }

    public Task getTask(GetTaskRequest request) {
        return call(TASKS, "GetTask", request, Task.getDefaultInstance());
    }

    public Task reportTask(ReportTaskRequest request) {
        return call(TASKS, "ReportTask", request, Task.getDefaultInstance());
    }

    public TransactionOutcome commit(TransactionRequest request) {
        return call(TRANSACTIONS, "Commit", request, TransactionOutcome.getDefaultInstance());
    }

    public SchedulerSession openSession(OpenSessionRequest request) {
        return call(SCHEDULERS, "OpenSession", request, SchedulerSession.getDefaultInstance());
    }

    public SessionClosed closeSession(CloseSessionRequest request) {
        return call(SCHEDULERS, "CloseSession", request, SessionClosed.getDefaultInstance());
    }

    public SchedulerList listSchedulers(ListSchedulersRequest request) {
        return call(SCHEDULERS, "ListSchedulers", request, SchedulerList.getDefaultInstance());
    }

    public SchedulerPause pauseScheduler(PauseSchedulerRequest request) {
        return call(SCHEDULERS, "PauseScheduler", request, SchedulerPause.getDefaultInstance());
    }

    public SchedulerPause resumeScheduler(ResumeSchedulerRequest request) {
        return call(SCHEDULERS, "ResumeScheduler", request, SchedulerPause.getDefaultInstance());
    }

    public SchedulerRights getRights(GetRightsRequest request) {
        return call(SCHEDULERS, "GetRights", request, SchedulerRights.getDefaultInstance());
    }

    public SchedulerRights putRights(PutRightsRequest request) {
        return call(SCHEDULERS, "PutRights", request, SchedulerRights.getDefaultInstance());
    }

    public PoolList listPools(ListPoolsRequest request) {
        return call(POOLS, "ListPools", request, PoolList.getDefaultInstance());
    }

    public Pool putPool(PutPoolRequest request) {
        return call(POOLS, "PutPool", request, Pool.getDefaultInstance());
    }

    public Pool getPool(GetPoolRequest request) {
        return call(POOLS, "GetPool", request, Pool.getDefaultInstance());
    }

    public PoolRemoved removePool(RemovePoolRequest request) {
        return call(POOLS, "RemovePool", request, PoolRemoved.getDefaultInstance());
    }

    public ConflictStatistics getConflicts(GetConflictsRequest request) {
        return call(CONFLICTS, "GetConflicts", request, ConflictStatistics.getDefaultInstance());
    }

    public ConflictLedger listConflicts(ListConflictsRequest request) {
        return call(CONFLICTS, "ListConflicts", request, ConflictLedger.getDefaultInstance());
    }

    public WhatIf replayConflicts(ReplayConflictsRequest request) {
        return callLong(CONFLICTS, "ReplayConflicts", request, WhatIf.getDefaultInstance());
    }

    public Timeline getTimeline(GetTimelineRequest request) {
        return call(HISTORY, "GetTimeline", request, Timeline.getDefaultInstance());
    }

    public TokenCreated createToken(CreateTokenRequest request) {
        return call(TOKENS, "CreateToken", request, TokenCreated.getDefaultInstance());
    }

    public TokenList listTokens() {
        return call(TOKENS, "ListTokens", ListTokensRequest.getDefaultInstance(), TokenList.getDefaultInstance());
    }

    public TokenRevoked revokeToken(RevokeTokenRequest request) {
        return call(TOKENS, "RevokeToken", request, TokenRevoked.getDefaultInstance());
    }

    public AuditList listAudit(ListAuditRequest request) {
        return call(TOKENS, "ListAudit", request, AuditList.getDefaultInstance());
    }

    /** The raw output of a task. It ends when the log does, or when the attempt ends if it is followed. */
    public TaskOutput taskLogs(LogsQuery query) {
        return TaskOutput.of(stream(LOGS, query, query.getFollow() ? options.silenceMax() : options.answerTimeout()));
    }

    /** The cell at one version, as a file that {@code cella cell restore} reads. */
    public InputStream backup() {
        return stream(BACKUP, ListMembersRequest.getDefaultInstance(), options.silenceMax())
                .body();
    }

    /** The changes of the cell, one event after another. It brings at least a heartbeat every 5 s. */
    public FeedEvents feed(FeedQuery query) {
        return new FeedEvents(stream(FEED, query, options.answerTimeout()).body());
    }

    private static boolean isLeaderless(Problem problem) {
        return problem.type() == ProblemType.NO_LEADER;
    }

    private <A extends Message> A call(ServiceDescriptor service, String method, Message request, A answer) {
        return call(service, method, request, answer, options.answerTimeout());
    }

    /** For a call for which a server may work long: a new member catches up, or a window of conflicts is replayed. */
    private <A extends Message> A callLong(ServiceDescriptor service, String method, Message request, A answer) {
        return call(service, method, request, answer, options.longAnswerTimeout());
    }

    private <A extends Message> A call(
            ServiceDescriptor service, String method, Message request, A answer, Duration timeout) {
        Route route = Route.of(service, method);
        return atAServer(route, new Tries<>(route, request, answer, timeout)::at);
    }

    /**
     * The tries of one call, one server after another. A server without a leader may have lost the leader's answer. So a refusal
     * of a later try may be about what an earlier one has done.
     */
    private final class Tries<A extends Message> {
        private final Route route;
        private final Message request;
        private final A answer;
        private final Duration timeout;
        private boolean mayBeDone;

        Tries(Route route, Message request, A answer, Duration timeout) {
            this.route = route;
            this.request = request;
            this.answer = answer;
            this.timeout = timeout;
        }

        A at(URI address) {
            try {
                return callAt(address, route, request, answer, timeout);
            } catch (Problem problem) {
                if (mayBeDone && (problem.type() == ProblemType.NOT_FOUND || problem.type() == ProblemType.CONFLICT)) {
                    throw problem.withHint(problem.hint()
                            .map(hint -> MAY_BE_DONE + "; " + hint)
                            .orElse(MAY_BE_DONE));
                }
                mayBeDone |= isLeaderless(problem) && !route.isRead();
                throw problem;
            }
        }
    }

    /**
     * Asks around among the servers. If it meets one that waits for a leader, and none that answers, it asks around again after
     * a pause: an election takes a second or two, and nobody should have to type a command again for it.
     */
    private <T> T atAServer(Route route, Function<URI, T> call) {
        long patienceEnds = System.nanoTime() + options.leaderPatience().toNanos();
        while (true) {
            try {
                return askAround(route, call);
            } catch (Problem problem) {
                if (!isLeaderless(problem) || System.nanoTime() - patienceEnds >= 0) {
                    throw problem;
                }
            }
            LockSupport.parkNanos(ELECTION_PAUSE_NANOS);
        }
    }

    /**
     * Asks one server, and others only if that one has certainly done nothing: nothing listens there, it does not lead and says
     * which server does, or it is too far behind to answer. A read changes nothing, so it is asked elsewhere also after other
     * failures. A server that broke off a change, or knows no leader and may wait to be a member at all, is left: the next call
     * asks the next server.
     */
    private <T> T askAround(Route route, Function<URI, T> call) {
        URI address = asked;
        Optional<Problem> noLeader = Optional.empty();
        for (int turnsLeft = turns(address); ; turnsLeft--) {
            try {
                return call.apply(address);
            } catch (CellUnreachable gone) {
                if (!gone.nothingWasAsked() && !route.isRead()) {
                    asked = addresses.after(address);
                    throw gone;
                }
                if (turnsLeft <= 1) {
                    // The leader that the others still name is the one that is gone.
                    throw noLeader.<RuntimeException>map(Function.identity()).orElse(gone);
                }
                address = addresses.after(address);
            } catch (Problem problem) {
                noLeader = Optional.of(problem).filter(HttpCell::isLeaderless);
                Optional<URI> better = betterThan(address, problem, turnsLeft);
                if (better.isEmpty()) {
                    asked = isLeaderless(problem) ? addresses.after(address) : address;
                    throw problem;
                }
                address = better.get();
            }
            asked = address;
        }
    }

    /** A leader that another server named may be none of the addresses that were given; they are asked after it. */
    private int turns(URI first) {
        return addresses.count() + (addresses.all().contains(first) ? 0 : 1);
    }

    /** Servers that are behind are asked once each: each of them waits before it says so. */
    private Optional<URI> betterThan(URI address, Problem problem, int turnsLeft) {
        return problem.type() == ProblemType.VERSION_NOT_REACHED
                ? Optional.of(addresses.after(address)).filter(next -> turnsLeft > 1)
                : problem.leader().filter(leader -> turnsLeft > 0);
    }

    private <A extends Message> A callAt(URI address, Route route, Message request, A answer, Duration timeout) {
        try (HttpCall call = http(address, route, request)) {
            call.setAnswerTimeout(timeout.plus(asked(request)));
            int status = send(address, call, route, request);
            certificateExpiresAt = call.certificateExpiresAt().orElse(null);
            if (status >= REFUSED_MIN) {
                throw problem(address, status, call, call.text());
            }
            return codec.readAnswer(answer, Source.json(call.wholeText()));
        } catch (BadInput notACell) {
            throw new CellUnreachable(address, "something else than a cell answers there", notACell);
        }
    }

    /** When the certificate of the last server expires; empty over plain HTTP. */
    public Optional<Instant> certificateExpiresAt() {
        return Optional.ofNullable(certificateExpiresAt);
    }

    private HttpCall http(URI address, Route route, Message request) {
        HttpCall call =
                new HttpCall(address, route.address(request, codec), options.connectTimeout(), addresses.access());
        call.setHeader("Accept", JSON_TYPE + ", */*");
        return call;
    }

    private int send(URI address, HttpCall call, Route route, Message request) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted before asking " + address);
        }
        return route.isRead()
                ? call.get()
                : call.send(route.verb(), JSON_TYPE, route.takesBody() ? codec.write(request) : "");
    }

    /** How long the request asks the cell to wait before answering. */
    private static Duration asked(Message request) {
        FieldDescriptor wait = request.getDescriptorForType().findFieldByName("wait");
        if (wait == null || !request.hasField(wait)) {
            return Duration.ZERO;
        }
        com.google.protobuf.Duration asked = (com.google.protobuf.Duration) request.getField(wait);
        return Duration.ofSeconds(asked.getSeconds(), asked.getNanos());
    }

    private HttpCall stream(Route route, Message query, Duration silenceMax) {
        return atAServer(route, address -> streamAt(address, route, query, silenceMax));
    }

    private HttpCall streamAt(URI address, Route route, Message query, Duration silenceMax) {
        HttpCall call = http(address, route, query);
        call.setAnswerTimeout(silenceMax);
        try {
            int status = send(address, call, route, query);
            if (status >= REFUSED_MIN) {
                throw problem(address, status, call, call.text());
            }
            return call;
        } catch (CellUnreachable | Problem failure) {
            call.close();
            throw failure;
        }
    }

    private Problem problem(URI address, int status, HttpCall call, String body) {
        Problem problem = document(body).orElseGet(() -> undocumented(address, status));
        return call.header("Retry-After")
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(seconds -> problem.withRetryAfter(Duration.ofSeconds(Long.parseLong(seconds))))
                .orElse(problem);
    }

    /** The JDK's client throws away the words of a refusal to change something without a token. */
    private static Problem undocumented(URI address, int status) {
        ProblemType type = ProblemType.ofStatus(status);
        return type == ProblemType.UNAUTHORIZED
                ? Problem.of(type, address + " got no token, or one that it does not take")
                        .withHint("--token @FILE or CELLA_TOKEN names one; cella status says what is wrong with it")
                : Problem.of(type, address + " answered with status " + status);
    }

    /** The problem in a body; empty if the body is something else, such as a proxy's answer. */
    private Optional<Problem> document(String body) {
        try {
            ProblemDetails details = codec.readAnswer(ProblemDetails.getDefaultInstance(), Source.json(body));
            return details.getType().isEmpty() ? Optional.empty() : Optional.of(Problem.fromMessage(details));
        } catch (BadInput notAProblem) {
            return Optional.empty();
        }
    }
}
