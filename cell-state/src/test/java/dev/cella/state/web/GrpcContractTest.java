package dev.cella.state.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import dev.cella.client.Problem;
import dev.cella.client.ProblemType;
import dev.cella.client.live.ProblemStatus;
import dev.cella.client.proto.AgentServiceGrpc.AgentServiceBlockingStub;
import dev.cella.client.proto.AttemptUsage;
import dev.cella.client.proto.CommitFrame;
import dev.cella.client.proto.FeedFrame;
import dev.cella.client.proto.FeedServiceGrpc.FeedServiceBlockingStub;
import dev.cella.client.proto.GetJobRequest;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobServiceGrpc.JobServiceBlockingStub;
import dev.cella.client.proto.MachineWaits;
import dev.cella.client.proto.OpenSessionRequest;
import dev.cella.client.proto.OutcomeFrame;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.Registration;
import dev.cella.client.proto.RenewAnswer;
import dev.cella.client.proto.RenewRequest;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.ReportResult;
import dev.cella.client.proto.ReportedWaits;
import dev.cella.client.proto.ScaleJobRequest;
import dev.cella.client.proto.SchedulerReport;
import dev.cella.client.proto.SchedulerServiceGrpc.SchedulerServiceBlockingStub;
import dev.cella.client.proto.SpecificationRequest;
import dev.cella.client.proto.StopJobRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.client.proto.TaskState;
import dev.cella.client.proto.TaskUsage;
import dev.cella.client.proto.TransactionServiceGrpc.TransactionServiceStub;
import dev.cella.client.proto.WaitRow;
import dev.cella.client.proto.WatchRequest;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.OutcomeCodec;
import dev.cella.transactions.codec.TransactionCodec;
import dev.cella.transactions.model.Claim;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import dev.cella.transactions.model.Verdict;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The calls of schedulers and agents. */
@Timeout(180)
class GrpcContractTest {
    @RegisterExtension
    static final RunningCell CELL = new RunningCell();

    @Test
    void unaryCall_isTheOneOfHttp() {
        CELL.submit("both", 1);
        JobServiceBlockingStub jobs = client(JobServiceBlockingStub.class);

        assertThat(jobs.getJob(GetJobRequest.newBuilder().setName("both").build())
                        .getSpecification()
                        .getName())
                .isEqualTo("both");
        assertThat(problem(() -> jobs.getJob(
                                GetJobRequest.newBuilder().setName("nosuch").build()))
                        .type())
                .isEqualTo(ProblemType.NOT_FOUND);
        assertThat(problem(() -> jobs.submitJob(
                                Job.newBuilder().setName("Bad Name").build()))
                        .errors())
                .extracting("path")
                .contains("name", "type");
        assertThat(problem(() -> jobs.stopJob(StopJobRequest.newBuilder()
                                .setName("both")
                                .setGrace(Duration.newBuilder().setSeconds(-5))
                                .build()))
                        .errors())
                .extracting("path")
                .containsExactly("grace");
        assertThat(problem(() -> jobs.scaleJob(ScaleJobRequest.newBuilder()
                                .setName("both")
                                .setCount(5 - (1L << 32))
                                .build()))
                        .errors())
                .extracting("path")
                .containsExactly("count");
    }

    @Test
    void agent_registersRenewsReportsAndReadsSpecifications() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class);
        Registration registered = agents.register(register("m-agent", "boot-1"));
        CELL.submit("agent", 1);
        CELL.place("agent-1", "agent/main/0", "m-agent");
        CellReplica replica = snapshot();
        JobRow job = replica.view().job("agent").orElseThrow();
        TaskReport report = TaskReport.newBuilder()
                .setJobVersion(job.id().version())
                .setAttempt(1)
                .setPlacementVersion(placement(replica, job))
                .setState(TaskState.TASK_STATE_RUNNING)
                .setRegisteredVersion(registered.getRegisteredVersion())
                .build();

        assertThat(registered.getCell()).isEqualTo("cell");
        assertThat(renew(agents, registered)).isTrue();
        List<ReportResult> results = agents.report(ReportRequest.newBuilder()
                        .setIncarnation(registered.getIncarnation())
                        .addReports(report)
                        .addReports(report.toBuilder().setPlacementVersion(1))
                        .build())
                .getResultsList();
        assertThat(results)
                .as("one command, so one version")
                .extracting(ReportResult::getVersion)
                .hasSize(2)
                .containsOnly(results.get(0).getVersion());
        assertThat(results.get(0).getAccepted()).isTrue();
        assertThat(results.get(1).getStopIt()).isTrue();
        assertThat(results.get(1).getReason()).isEqualTo("NOT_CURRENT");
        assertThat(agents.getSpecification(SpecificationRequest.newBuilder()
                                .setJobVersion(job.id().version())
                                .setGeneration(1)
                                .setIncarnation(registered.getIncarnation())
                                .build())
                        .getGroups(0)
                        .getName())
                .isEqualTo("main");
    }

    @Test
    void agent_saysWhatTasksUse_withItsRenewals() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class);
        Registration registered = agents.register(register("m-usage", "boot-1"));
        CELL.submit("usage", 1);
        CELL.place("usage-1", "usage/main/0", "m-usage");
        AttemptUsage usage = AttemptUsage.newBuilder()
                .setJobVersion(snapshot().view().job("usage").orElseThrow().id().version())
                .setAttempt(1)
                .setUsage(TaskUsage.newBuilder()
                        .setCpuMilli(40)
                        .setCpuMilliMean(30)
                        .setMemoryMib(12))
                .build();

        agents.renew(RenewRequest.newBuilder()
                .setIncarnation(registered.getIncarnation())
                .addRegisteredVersions(registered.getRegisteredVersion())
                .addUsage(usage)
                .addUsage(usage.toBuilder().setIndex(7))
                .build());

        assertThat(CELL.get("/v1/tasks/usage/main/0")
                        .json()
                        .get("usage")
                        .get("cpuMilliMean")
                        .asLong())
                .isEqualTo(30);
        for (String path : List.of("/v1/jobs/usage", "/v1/machines/m-usage", "/v1/cell")) {
            JsonNode total = CELL.get(path).json().get("usage");
            assertThat(total.get("tasks").asLong()).as(path).isEqualTo(1);
            assertThat(total.get("used").get("cpuMilli").asLong()).as(path).isEqualTo(40);
            assertThat(total.get("cpuMilliAsked").asLong()).as(path).isGreaterThan(0);
        }
    }

    @Test
    void agent_reportsWaits_thatTheMachineShowsAndSchedulersAskFor() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class);
        SchedulerServiceBlockingStub schedulers = client(SchedulerServiceBlockingStub.class);
        Registration registered = agents.register(register("m-waits", "boot-1"));
        MachineWaits waits = MachineWaits.newBuilder()
                .addCpuMilli(2_000)
                .addMemoryMib(1_024)
                .addMemoryMib(4_096)
                .addRows(WaitRow.newBuilder().addWaits(Durations.fromMillis(1_500)))
                .build();
        RenewRequest renewal = RenewRequest.newBuilder()
                .setIncarnation(registered.getIncarnation())
                .addRegisteredVersions(registered.getRegisteredVersion())
                .addWaits(ReportedWaits.newBuilder()
                        .setRegisteredVersion(registered.getRegisteredVersion())
                        .setWaits(waits))
                .build();
        long session = schedulers
                .openSession(OpenSessionRequest.newBuilder()
                        .setName("waiter")
                        .setInstance("one")
                        .build())
                .getSession();
        SchedulerReport report = SchedulerReport.newBuilder()
                .setName("waiter")
                .setInstance("one")
                .setSession(session)
                .build();

        RenewAnswer answer = agents.renew(renewal);
        assertThat(schedulers.reportScheduler(report).getWaitsCount())
                .as("not asked for")
                .isZero();
        assertThat(answer.getWaitsWanted()).isFalse();
        JsonNode shown = CELL.get("/v1/machines/m-waits").json().get("waits");
        assertThat(shown.at("/rows/0/waits/0").asText()).isEqualTo("1s500ms");
        assertThat(shown.at("/rows/0/waits").size()).isEqualTo(1);
        assertThat(shown.at("/memoryMib/1").asLong()).isEqualTo(4_096);

        SchedulerReport asking =
                report.toBuilder().setWaitsWithin(Durations.fromSeconds(60)).build();
        assertThat(schedulers.reportScheduler(asking).getWaitsList())
                .extracting(MachineWaits::getMachine)
                .containsExactly("m-waits");
        assertThat(agents.renew(renewal).getWaitsWanted()).isTrue();

        RenewAnswer lied = agents.renew(renewal.toBuilder()
                .setWaits(
                        0,
                        renewal.getWaits(0).toBuilder()
                                .setWaits(waits.toBuilder().clearRows()))
                .build());
        assertThat(lied.getRenewals(0).getKnown()).isTrue();
        assertThat(lied.getRenewals(0).getWaitsRefused()).contains("as many rows");
        assertThat(CELL.get("/v1/machines/m-waits").json().has("waits")).isFalse();
    }

    @Test
    void agent_thatCameBackWithAnotherBoot_endsTheRegistrationBefore() {
        AgentServiceBlockingStub agents = client(AgentServiceBlockingStub.class);
        Registration before = agents.register(register("m-boot", "boot-1"));
        Registration same = agents.register(register("m-boot", "boot-1"));
        Registration after = agents.register(register("m-boot", "boot-2"));

        assertThat(same.getRegisteredVersion()).isEqualTo(before.getRegisteredVersion());
        assertThat(after.getRegisteredVersion()).isGreaterThan(before.getRegisteredVersion());
        assertThat(renew(agents, before)).isFalse();
        assertThat(renew(agents, after)).isTrue();
        assertThat(renew(agents, after.toBuilder().setIncarnation(1).build())).isFalse();
        assertThat(problem(() -> agents.report(
                                ReportRequest.newBuilder().setIncarnation(1).build()))
                        .detail())
                .contains("OTHER_INCARNATION");
    }

    @Test
    void watch_afterASnapshot_bringsEveryChange() {
        Iterator<FeedFrame> frames = client(FeedServiceBlockingStub.class).watch(WatchRequest.getDefaultInstance());
        CellReplica replica = load(frames);
        CELL.submit("watch", 1);
        while (replica.view().job("watch").isEmpty()) {
            replica.applyChanges(frames.next().getChanges().getData().toByteArray());
        }
        assertThat(replica.view().version().number())
                .isEqualTo(CELL.get("/v1/cell").version());
    }

    @Test
    void watch_fromAVersion_resumes_andFromAnotherHistory_resyncs() {
        CellReplica replica = snapshot();
        CELL.submit("resume", 1);
        WatchRequest request = WatchRequest.newBuilder()
                .setIncarnation(replica.view().incarnation().number())
                .setFromVersion(replica.view().version().number())
                .build();
        FeedServiceBlockingStub feed = client(FeedServiceBlockingStub.class);
        replica.applyChanges(feed.watch(request).next().getChanges().getData().toByteArray());

        assertThat(replica.view().job("resume")).isPresent();
        assertThat(feed.watch(request.toBuilder().setIncarnation(1).build())
                        .next()
                        .hasResync())
                .isTrue();
    }

    /**
     * The watcher asks for one frame and takes no other until a hundred commands have been answered. It still misses nothing.
     */
    @Test
    void watch_byOneThatReadsNothing_holdsUpNobody() {
        CellReplica replica = snapshot();
        WatchRequest fromHere = WatchRequest.newBuilder()
                .setIncarnation(replica.view().incarnation().number())
                .setFromVersion(replica.view().version().number())
                .build();
        PausedWatcher watcher = PausedWatcher.of(CELL, fromHere, frame -> {
            replica.applyChanges(frame.getChanges().getData().toByteArray());
            return replica.view().machine("m-idle-99").isPresent();
        });
        for (int number = 0; number < 100; number++) {
            assertThat(CELL.putMachine("m-idle-" + number, 1000, 1024).status()).isEqualTo(200);
        }

        assertThat(watcher.frames()).isLessThanOrEqualTo(1);
        watcher.readOn();

        watcher.awaitLast();
    }

    @Test
    void commitStream_manyFrames_areAnsweredInOrder() {
        CELL.putMachine("m-stream", 100_000, 100_000);
        CELL.submit("stream", 100);
        CellReplica replica = snapshot();
        Answers answers = new Answers();
        StreamObserver<CommitFrame> transactions =
                client(TransactionServiceStub.class).commitStream(answers);
        for (int index = 0; index < 100; index += 2) {
            transactions.onNext(CommitFrame.newBuilder()
                    .addTransactions(claim(replica, "stream", index))
                    .addTransactions(claim(replica, "stream", index + 1))
                    .build());
        }
        transactions.onCompleted();

        List<Outcome> outcomes = answers.all.join();
        assertThat(outcomes).hasSize(100).allMatch(outcome -> outcome.verdict() == Verdict.COMMITTED);
        for (int index = 0; index < 100; index++) {
            assertThat(outcomes.get(index).id().text()).isEqualTo("stream-" + index);
        }
        assertThat(outcomes).isSortedAccordingTo((one, other) -> one.version().compareTo(other.version()));
    }

    @Test
    void commitStream_bytesThatAreNoTransaction_endIt() {
        Answers answers = new Answers();
        StreamObserver<CommitFrame> transactions =
                client(TransactionServiceStub.class).commitStream(answers);
        transactions.onNext(CommitFrame.newBuilder()
                .addTransactions(ByteString.copyFromUtf8("no transaction"))
                .build());

        Throwable failure = answers.all.handle((outcomes, ended) -> ended).join();
        assertThat(ProblemStatus.fromException(failure).type()).isEqualTo(ProblemType.BAD_REQUEST);
    }

    @Test
    void commitStream_claimOnATaskThatCannotBe_endsIt() {
        Problem problem = refusedClaims(builder().claim(77L, 0, JobHeader.TASKS_MAX, 1, 0));
        assertThat(problem.type()).isEqualTo(ProblemType.BAD_REQUEST);
        assertThat(problem.getMessage()).contains("no cell has a task 77/0/100000");
    }

    @Test
    void commitStream_claimWithTooManyAlternates_endsIt() {
        Transaction.Builder claims = builder().claim(77L, 0, 0, 1, 0);
        for (int alternate = 1; alternate <= Claim.ALTERNATES_MAX + 1; alternate++) {
            claims.alternate(alternate);
        }
        assertThat(refusedClaims(claims).getMessage()).contains("at most 16 alternates, not 17");
    }

    private static Transaction.Builder builder() {
        return Transaction.builder(new TransactionId("unchecked"), "batch");
    }

    private static Problem refusedClaims(Transaction.Builder claims) {
        Answers answers = new Answers();
        StreamObserver<CommitFrame> transactions =
                client(TransactionServiceStub.class).commitStream(answers);
        transactions.onNext(CommitFrame.newBuilder()
                .addTransactions(ByteString.copyFrom(TransactionCodec.encode(claims.build())))
                .build());
        return ProblemStatus.fromException(
                answers.all.handle((outcomes, ended) -> ended).join());
    }

    @Test
    void commitStream_behindOneThatCannotBeSubmitted_nothingIs() {
        CELL.putMachine("m-behind", 100_000, 100_000);
        CELL.submit("behind", 2);
        CellReplica replica = snapshot();
        Answers answers = new Answers();
        StreamObserver<CommitFrame> transactions =
                client(TransactionServiceStub.class).commitStream(answers);
        transactions.onNext(CommitFrame.newBuilder()
                .addTransactions(ByteString.copyFromUtf8("no transaction"))
                .addTransactions(claim(replica, "behind", 0))
                .build());
        transactions.onNext(CommitFrame.newBuilder()
                .addTransactions(claim(replica, "behind", 1))
                .build());
        assertThat(answers.all.handle((outcomes, ended) -> ended != null).join())
                .isTrue();

        // The log decides in order, so earlier submissions are decided by now.
        CELL.putMachine("m-behind", 100_000, 100_001);
        assertThat(CELL.get("/v1/jobs/behind").json().at("/tasks/pending").asInt())
                .isEqualTo(2);
    }

    private static <S> S client(Class<S> stub) {
        return Stubs.of(CELL.address(), stub);
    }

    private static Problem problem(Runnable call) {
        return ProblemStatus.fromException(catchThrowable(call::run));
    }

    private static RegisterRequest register(String machine, String bootId) {
        return RegisterRequest.newBuilder()
                .setMachine(machine)
                .setBootId(bootId)
                .setAddress("http://127.0.0.1:1")
                .putCapacity("cpuMilli", 4000)
                .putCapacity("memoryMib", 4096)
                .setLease(Durations.fromSeconds(3600))
                .build();
    }

    private static boolean renew(AgentServiceBlockingStub agents, Registration registration) {
        return agents.renew(RenewRequest.newBuilder()
                        .setIncarnation(registration.getIncarnation())
                        .addRegisteredVersions(registration.getRegisteredVersion())
                        .build())
                .getRenewals(0)
                .getKnown();
    }

    private static CellReplica snapshot() {
        return load(client(FeedServiceBlockingStub.class).watch(WatchRequest.getDefaultInstance()));
    }

    private static CellReplica load(Iterator<FeedFrame> frames) {
        List<byte[]> chunks = new ArrayList<>();
        FeedFrame frame;
        do {
            frame = frames.next();
            chunks.add(frame.getSnapshot().getData().toByteArray());
        } while (!frame.getSnapshot().getLast());
        CellReplica replica = new CellReplica();
        replica.load(chunks);
        return replica;
    }

    private static long placement(CellReplica replica, JobRow job) {
        return replica.view()
                .task(new TaskId(job.id(), 0, 0))
                .orElseThrow()
                .placement()
                .orElseThrow()
                .version();
    }

    private static ByteString claim(CellReplica replica, String name, int index) {
        JobRow job = replica.view().job(name).orElseThrow();
        Transaction transaction = Transaction.builder(new TransactionId(name + "-" + index), "batch")
                .basis(replica.view().version())
                .claim(
                        new TaskId(job.id(), 0, index),
                        1,
                        replica.view().findMachine("m-" + name).orElseThrow())
                .build();
        return ByteString.copyFrom(TransactionCodec.encode(transaction));
    }

    private static final class Answers implements StreamObserver<OutcomeFrame> {
        private final List<Outcome> outcomes = new ArrayList<>();
        final CompletableFuture<List<Outcome>> all = new CompletableFuture<>();

        @Override
        public void onNext(OutcomeFrame frame) {
            frame.getOutcomesList().forEach(outcome -> outcomes.add(OutcomeCodec.decode(outcome.toByteArray())));
        }

        @Override
        public void onError(Throwable failure) {
            all.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            all.complete(outcomes);
        }
    }
}
