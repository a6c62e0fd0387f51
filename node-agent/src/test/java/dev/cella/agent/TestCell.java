package dev.cella.agent;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.cella.client.Problem;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceImplBase;
import dev.cella.client.proto.Changes;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceImplBase;
import dev.cella.client.proto.Heartbeat;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobServiceGrpc.JobServiceImplBase;
import dev.cella.client.proto.JobStopped;
import dev.cella.client.proto.QueuedTask;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewAnswer;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.Renewal;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportResult;
import dev.cella.client.proto.SnapshotChunk;
import dev.cella.client.proto.SpecificationRequest;
import dev.cella.client.proto.StartAnswer;
import dev.cella.client.proto.StartRequest;
import dev.cella.client.proto.StartResult;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Eviction;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.ItemResult;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.PlacementId;
import dev.cella.transactions.model.Reason;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The common copy of a cell behind a real port, without a log: what an agent talks to. Every command is applied at once,
 * under one lock, and its changes go to all watchers.
 */
public final class TestCell implements AutoCloseable {
    private static final Incarnation INCARNATION = new Incarnation(0xCE11A);
    private static final int HEARTBEAT_EVERY_SECONDS = 2;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final List<StreamObserver<FeedFrame>> watchers = new ArrayList<>();
    private final Map<Long, Job> specifications = new HashMap<>();
    private final ScheduledExecutorService feed = Executors.newSingleThreadScheduledExecutor();
    private final Server server;
    private Optional<Problem> registrationRefusal = Optional.empty();
    private boolean forgets;
    private int reportsToLose;
    private int stopsToRefuse;
    private int checksReported;
    private final List<String> stopped = new ArrayList<>();

    public TestCell() {
        apply(
                new Command.FoundCell(new CellName("test"), INCARNATION, EntryCodec.FEATURE_LEVEL_MAX),
                Incarnation.UNSAID);
        server = Server.builder()
                .http(0)
                .service(GrpcService.builder()
                        .addService(new Agents())
                        .addService(new Feed())
                        .addService(new Jobs())
                        .build())
                .requestTimeoutMillis(0)
                .build();
        server.start().join();
        var unused = feed.scheduleWithFixedDelay(
                this::beat, HEARTBEAT_EVERY_SECONDS, HEARTBEAT_EVERY_SECONDS, TimeUnit.SECONDS);
    }

    /** As a real cell: without it, a watcher counts the stream as dead, and a new snapshot would hide a change that it missed. */
    private void beat() {
        FeedFrame heartbeat = FeedFrame.newBuilder()
                .setHeartbeat(Heartbeat.newBuilder()
                        .setVersion(read(view -> view.version().number())))
                .build();
        watchers.forEach(watcher -> watcher.onNext(heartbeat));
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.activeLocalPort());
    }

    synchronized <T> T read(Function<CellView, T> reading) {
        return reading.apply(cell.view());
    }

    public synchronized CommandResult apply(Command command) {
        return apply(command, INCARNATION);
    }

    private synchronized CommandResult apply(Command command, Incarnation incarnation) {
        EntryHeader header = new EntryHeader(1, new CellTime(0), System.currentTimeMillis(), incarnation);
        CommandResult result = cell.apply(header, command);
        FeedFrame frame = FeedFrame.newBuilder()
                .setChanges(Changes.newBuilder()
                        .setLastVersion(cell.view().version().number())
                        .setData(ByteString.copyFrom(cell.takeChanges())))
                .build();
        tell(frame);
        return result;
    }

    /** In order, which onNext keeps only if it is always called on one thread. */
    private void tell(FeedFrame frame) {
        feed.execute(() -> watchers.forEach(watcher -> watcher.onNext(frame)));
    }

    /** Submits a job of one group. */
    synchronized JobId submit(Job job, int count) {
        return submit(job, count, Restart.BATCH);
    }

    public synchronized JobId submit(Job job, int count, Restart restart) {
        JobHeader header = new JobHeader(
                job.getName(),
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", count, Amounts.of(100, 10), restart)));
        CommandResult result =
                apply(new Command.SubmitJob(header, Specification.of(job.toByteArray()), Command.SubmitMode.CREATE));
        JobId id = new JobId(((CommandResult.Done) result).identity());
        specifications.put(id.version(), job);
        return id;
    }

    /** Claims a task of the job on the machine. */
    public synchronized void place(JobId job, int index, String machine) {
        int slot = cell.view().findMachine(machine).orElseThrow();
        commit(transaction("t").claim(new TaskId(job, 0, index), 1, slot));
    }

    /** Evicts the current attempt of the task. */
    synchronized void evict(JobId job, int index) {
        TaskId task = new TaskId(job, 0, index);
        commit(transaction("e").evict(new Eviction(task, task(job, index).attempt(), OptionalInt.empty())));
    }

    /** A new attempt of a task whose attempt has ended: it may be placed. */
    synchronized void again(JobId job, int index) {
        TaskId task = new TaskId(job, 0, index);
        commit(transaction("a")
                .step(new Step(Step.Kind.AGAIN, task, task(job, index).attempt())));
    }

    private Transaction.Builder transaction(String name) {
        return Transaction.builder(
                        new TransactionId(name + cell.view().version().number()), "batch")
                .incarnation(INCARNATION)
                .basis(cell.view().version());
    }

    private void commit(Transaction.Builder transaction) {
        CommandResult.Decided decided =
                (CommandResult.Decided) apply(new Command.CommitTransaction(transaction.build()));
        if (!decided.outcome().results().stream().allMatch(ItemResult::accepted)) {
            throw new AssertionError("refused: " + decided.outcome());
        }
    }

    /** Puts the tasks of the job into the machine's queue, from the first on. */
    synchronized void queue(JobId job, int count, String machine) {
        CellView view = cell.view();
        Transaction.Builder transaction = Transaction.builder(
                        new TransactionId("q" + view.version().number()), "batch")
                .incarnation(INCARNATION)
                .basis(view.version());
        for (int index = 0; index < count; index++) {
            transaction.claim(
                    new TaskId(job, 0, index), 1, view.findMachine(machine).orElseThrow());
            transaction.kind(ClaimKind.QUEUE);
        }
        CommandResult.Decided decided =
                (CommandResult.Decided) apply(new Command.CommitTransaction(transaction.build()));
        if (decided.outcome().accepted() < count) {
            throw new AssertionError("not queued: " + decided.outcome());
        }
    }

    /** How many queue rows there are. */
    synchronized int queued() {
        return cell.view().queued();
    }

    TaskRow task(JobId job, int index) {
        return read(view -> view.task(new TaskId(job, 0, index)).orElseThrow());
    }

    TaskState state(JobId job, int index) {
        return task(job, index).state();
    }

    boolean isReady(String machine) {
        return read(view -> view.machine(machine)
                .filter(row -> row.status() == MachineStatus.READY)
                .isPresent());
    }

    MachineId machineId(String machine) {
        return read(view -> view.machine(machine).orElseThrow().id());
    }

    /** From now on no registration is known to the renewals until it is made again. */
    synchronized void loseMachine(String machine) {
        apply(new Command.LoseMachine(machineId(machine)));
        forgets = true;
    }

    /** From now on each registration is refused so. */
    synchronized void refuseRegistrations(Problem problem) {
        registrationRefusal = Optional.of(problem);
    }

    private synchronized Optional<Problem> registrationRefusal() {
        return registrationRefusal;
    }

    /** Takes the next reports in, and does not answer. */
    synchronized void loseAnswers(int reports) {
        reportsToLose = reports;
    }

    /** How many reports said that a check has passed, with those whose answers were lost. */
    synchronized int checksReported() {
        return checksReported;
    }

    /** Answers the next stops of jobs as a cell that cannot do it now. */
    public synchronized void refuseStops(int stops) {
        stopsToRefuse = stops;
    }

    /** The names of the jobs that it was told to stop, also if it refused. */
    public synchronized List<String> stopped() {
        return List.copyOf(stopped);
    }

    private final class Jobs extends JobServiceImplBase {
        @Override
        public void stopJob(StopJobRequest request, StreamObserver<JobStopped> answer) {
            synchronized (TestCell.this) {
                stopped.add(request.getName());
                if (stopsToRefuse > 0) {
                    stopsToRefuse--;
                    answer.onError(ProblemStatus.toException(Problem.overloaded("it can stop nothing now")));
                    return;
                }
            }
            JobId job = read(view -> view.job(request.getName()).orElseThrow().id());
            CommandResult result = apply(new Command.StopJob(job));
            answer.onNext(JobStopped.newBuilder()
                    .setVersion(result.version().number())
                    .build());
            answer.onCompleted();
        }
    }

    private final class Agents extends AgentServiceImplBase {
        @Override
        public void register(RegisterRequest request, StreamObserver<Registration> answer) {
            Optional<Problem> refusal = registrationRefusal();
            if (refusal.isPresent()) {
                answer.onError(ProblemStatus.toException(refusal.get()));
                return;
            }
            Command.PutMachine put = new Command.PutMachine(
                    request.getMachine(),
                    Amounts.of(
                            request.getCapacityOrDefault("cpuMilli", 0), request.getCapacityOrDefault("memoryMib", 0)),
                    new TreeMap<>(request.getAttributesMap()),
                    Optional.of(new AgentIdentity(request.getBootId(), request.getAddress(), 10_000)),
                    false);
            CommandResult result = apply(put);
            synchronized (TestCell.this) {
                forgets = false;
            }
            Registration registration = Registration.newBuilder()
                    .setIncarnation(INCARNATION.number())
                    .setRegisteredVersion(((CommandResult.Done) result).identity())
                    .setCell("test")
                    .setVersion(result.version().number())
                    .build();
            answer(answer, registration);
        }

        @Override
        public void renew(RenewRequest request, StreamObserver<RenewAnswer> answer) {
            RenewAnswer.Builder renewals = RenewAnswer.newBuilder();
            synchronized (TestCell.this) {
                request.getRegisteredVersionsList()
                        .forEach(version -> renewals.addRenewals(Renewal.newBuilder()
                                .setKnown(!forgets
                                        && cell.view()
                                                .findMachine(new MachineId(version))
                                                .isPresent())));
            }
            answer(answer, renewals.build());
        }

        @Override
        public void report(ReportRequest request, StreamObserver<ReportAnswer> answer) {
            ReportAnswer.Builder results = ReportAnswer.newBuilder();
            request.getReportsList().forEach(report -> results.addResults(result(apply(command(report)))));
            synchronized (TestCell.this) {
                checksReported += (int) request.getReportsList().stream()
                        .filter(TaskReport::getChecked)
                        .count();
                if (reportsToLose > 0) {
                    reportsToLose--;
                    answer.onError(Status.UNAVAILABLE.asRuntimeException());
                    return;
                }
            }
            answer(answer, results.build());
        }

        /** Starts as the tasks' scheduler, one command each. */
        @Override
        public void start(StartRequest request, StreamObserver<StartAnswer> answer) {
            StartAnswer.Builder results = StartAnswer.newBuilder();
            for (int place = 0; place < request.getTasksCount(); place++) {
                CommandResult.Decided decided =
                        (CommandResult.Decided) apply(start(request.getTasks(place), request.getId() + "." + place));
                StartResult.Builder result = StartResult.newBuilder()
                        .setVersion(decided.version().number())
                        .setAccepted(decided.outcome().isAccepted(0));
                decided.outcome().result(0).reason().ifPresent(reason -> result.setReason(reason.name()));
                results.addResults(result);
            }
            answer(answer, results.build());
        }

        private Command start(QueuedTask task, String id) {
            TaskId asked = new TaskId(new JobId(task.getJobVersion()), task.getGroup(), task.getIndex());
            int slot = read(view ->
                    view.findMachine(new MachineId(task.getRegisteredVersion())).orElseThrow());
            return new Command.CommitTransaction(Transaction.builder(new TransactionId(id), "batch")
                    .claim(asked, task.getGeneration(), slot)
                    .kind(ClaimKind.START)
                    .build());
        }

        @Override
        public void getSpecification(SpecificationRequest request, StreamObserver<Job> answer) {
            synchronized (TestCell.this) {
                Job job = specifications.get(request.getJobVersion());
                if (job == null) {
                    answer.onError(Status.NOT_FOUND.asRuntimeException());
                } else {
                    answer(answer, job);
                }
            }
        }

        private static <A> void answer(StreamObserver<A> observer, A message) {
            observer.onNext(message);
            observer.onCompleted();
        }

        private static Command.ReportTask command(TaskReport report) {
            return new Command.ReportTask(
                    new TaskId(new JobId(report.getJobVersion()), report.getGroup(), report.getIndex()),
                    report.getAttempt(),
                    Optional.of(new PlacementId(report.getPlacementVersion(), report.getPlacementOrdinal())),
                    TaskState.valueOf(report.getState().name().substring("TASK_STATE_".length())),
                    report.hasExitCode() ? OptionalInt.of(report.getExitCode()) : OptionalInt.empty(),
                    reason(report),
                    OptionalLong.empty(),
                    OptionalLong.empty());
        }

        private static TaskReason reason(TaskReport report) {
            if (report.hasChecked()) {
                return report.getChecked() ? TaskReason.CHECKED : TaskReason.AWAITS_CHECK;
            }
            return report.hasReason() ? TaskReason.valueOf(report.getReason()) : TaskReason.NONE;
        }

        private static ReportResult result(CommandResult result) {
            if (result instanceof CommandResult.Refused refused) {
                return ReportResult.newBuilder()
                        .setStopIt(refused.reason() == Reason.NOT_CURRENT)
                        .setReason(refused.reason().name())
                        .build();
            }
            return ReportResult.newBuilder().setAccepted(true).build();
        }
    }

    private final class Feed extends FeedServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<FeedFrame> watcher) {
            ServerCallStreamObserver<FeedFrame> stream = (ServerCallStreamObserver<FeedFrame>) watcher;
            stream.setOnCancelHandler(() -> feed.execute(() -> watchers.remove(watcher)));
            synchronized (TestCell.this) {
                long version = cell.view().version().number();
                List<byte[]> chunks = cell.snapshotForReplicas();
                feed.execute(() -> join(watcher, version, chunks));
            }
        }

        private void join(StreamObserver<FeedFrame> watcher, long version, List<byte[]> chunks) {
            for (int chunk = 0; chunk < chunks.size(); chunk++) {
                watcher.onNext(FeedFrame.newBuilder()
                        .setSnapshot(SnapshotChunk.newBuilder()
                                .setIncarnation(INCARNATION.number())
                                .setVersion(version)
                                .setData(ByteString.copyFrom(chunks.get(chunk)))
                                .setLast(chunk == chunks.size() - 1))
                        .build());
            }
            watchers.add(watcher);
        }
    }

    @Override
    public void close() {
        var unused = server.stop();
        feed.shutdownNow();
    }
}
