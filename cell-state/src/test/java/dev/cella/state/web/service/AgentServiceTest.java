package dev.cella.state.web.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import dev.cella.client.Problem;
import dev.cella.client.proto.DrainMachineRequest;
import dev.cella.client.proto.RegisterRequest;
import dev.cella.client.proto.ReportAnswer;
import dev.cella.client.proto.ReportRequest;
import dev.cella.client.proto.TaskReport;
import dev.cella.client.proto.TaskState;
import dev.cella.state.core.ManualTime;
import dev.cella.state.core.Replica;
import dev.cella.state.core.ReplicaLimits;
import dev.cella.state.core.Samples;
import dev.cella.state.core.SimulatedGroup;
import dev.cella.state.core.SimulatedReplica;
import dev.cella.state.web.http.Answer;
import dev.cella.transactions.cell.RestoredFrom;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.MachineStatus;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of agents on a simulated log: a test says when an entry is decided, and when the entries in flight are lost. */
class AgentServiceTest {
    private static final String MACHINE = "m-1";
    private static final AgentIdentity AGENT = new AgentIdentity("boot-1", "http://127.0.0.1:1", 10_000);
    private static final RegisterRequest REGISTRATION = RegisterRequest.newBuilder()
            .setMachine(MACHINE)
            .setBootId(AGENT.bootId())
            .setAddress(AGENT.address())
            .putCapacity("cpuMilli", 1000)
            .putCapacity("memoryMib", 1000)
            .putAttributes("rack", "r1")
            .build();

    private SimulatedReplica simulated;
    private AgentService agents;
    private MachineService machines;

    @BeforeEach
    void found() throws Exception {
        ManualTime time = new ManualTime();
        simulated = new SimulatedReplica(new SimulatedGroup(), ReplicaLimits.defaults(), time);
        simulated.lead();
        Replica replica = simulated.replica();
        Commands commands = new Commands(replica);
        FeatureLevels levels = new FeatureLevels(replica::membership, Optional.empty());
        KnownDimensions dimensions = new KnownDimensions(replica, commands, levels);
        UsageFacts usage = new UsageFacts(time);
        WaitFacts waits = new WaitFacts(time, machine -> true);
        RestoreTurns turns = new RestoreTurns();
        agents = new AgentService(replica, commands, dimensions, usage, waits, new Disagreements(), turns);
        machines = new MachineService(
                replica, new Reads(replica), commands, new KeptPages(), dimensions, usage, waits, turns);
    }

    /** A machine as a restore leaves it: marked, and without claims until its agent registers. */
    private MachineId restored() {
        TreeMap<String, String> attributes = new TreeMap<>(Map.of("rack", "r1", RestoredFrom.ATTRIBUTE, "1@5"));
        CommandResult.Done put = (CommandResult.Done) simulated.ask(
                new Command.PutMachine(MACHINE, Amounts.of(1000, 1000), attributes, Optional.of(AGENT), false));
        MachineId machine = new MachineId(put.identity());
        simulated.ask(new Command.ChangeMachine(machine, Command.MachineChange.DRAIN, false));
        return machine;
    }

    private void register() {
        CompletableFuture<?> registered = agents.register(REGISTRATION);
        simulated.settle();
        assertThat(registered).isCompleted();
    }

    /** A registration of which that many commands are decided. */
    private CompletableFuture<?> beginToRegister(int decided) {
        CompletableFuture<?> registered = agents.register(REGISTRATION);
        for (int command = 0; command < decided; command++) {
            simulated.decideNext();
        }
        return registered;
    }

    private void registerAndBeCutOff(int decided) {
        CompletableFuture<?> cutOff = beginToRegister(decided);
        simulated.lead();
        assertThat(cutOff).isCompletedExceptionally();
    }

    private void drain() {
        CompletableFuture<?> drained =
                machines.drain(DrainMachineRequest.newBuilder().setName(MACHINE).build());
        simulated.settle();
        assertThat(drained).isCompleted();
    }

    private MachineRow row() {
        return simulated.replica().read(view -> view.machine(MACHINE).orElseThrow());
    }

    private void assertTakesClaims() {
        assertThat(row().status()).isEqualTo(MachineStatus.READY);
        assertThat(row().attributes()).containsEntry("rack", "r1").doesNotContainKey(RestoredFrom.ATTRIBUTE);
    }

    @ParameterizedTest(name = "after {0} commands")
    @ValueSource(ints = {0, 1, 2})
    void register_afterARestore_cutOff_isDoneByTheNextRegistration(int decided) {
        restored();
        registerAndBeCutOff(decided);

        register();

        assertTakesClaims();
    }

    @Test
    void register_afterARestore_ofAMachineThatWasLostMeanwhile_takesClaims() {
        simulated.ask(new Command.LoseMachine(restored()));
        assertThat(row().status()).isEqualTo(MachineStatus.DOWN);

        register();

        assertTakesClaims();
    }

    @ParameterizedTest(name = "{0} s")
    @ValueSource(longs = {0, -1, 604_801, 315_576_000_000L, Long.MAX_VALUE})
    void register_withALeaseOutOfBounds_isRefused(long seconds) {
        RegisterRequest hostile = REGISTRATION.toBuilder()
                .setLease(Duration.newBuilder().setSeconds(seconds))
                .build();
        assertThatThrownBy(() -> agents.register(hostile))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.errors())
                                .singleElement()
                                .satisfies(fault -> assertThat(fault.path()).isEqualTo("lease")));
    }

    private void assertIsDrained() {
        assertThat(row().status()).isEqualTo(MachineStatus.DRAINED);
        assertThat(row().attributes()).isEqualTo(Map.of("rack", "r1"));
    }

    @ParameterizedTest(name = "after {0} commands")
    @ValueSource(ints = {0, 1, 2})
    void drain_betweenARegistrationThatWasCutOffAndTheNextOne_stays(int decided) {
        restored();
        registerAndBeCutOff(decided);
        drain();

        register();

        assertIsDrained();
    }

    @ParameterizedTest(name = "after {0} commands")
    @ValueSource(ints = {0, 1, 2, 3})
    void drain_duringARegistration_stays(int decided) {
        restored();
        CompletableFuture<?> registered = beginToRegister(decided);

        drain();

        assertThat(registered).isCompleted();
        assertIsDrained();
    }

    /** A report of the first attempt of the only task of a job. */
    private static TaskReport.Builder report(JobId job, CommandResult.Decided placed) {
        return TaskReport.newBuilder()
                .setJobVersion(job.version())
                .setAttempt(1)
                .setPlacementVersion(placed.version().number());
    }

    private ReportAnswer report(TaskReport.Builder report) {
        CompletableFuture<Answer<ReportAnswer>> answer =
                agents.report(ReportRequest.newBuilder().addReports(report).build());
        simulated.settle();
        return answer.join().message();
    }

    @Test
    void report_ofAReasonThatOnlyTheCellGives_isRefused_unlessTheTaskWasToldToStopForIt() {
        register();
        JobId job = new JobId(((CommandResult.Done) simulated.ask(Samples.emptyJob("j", 1))).identity());
        TaskId task = new TaskId(job, 0, 0);
        CommandResult.Decided placed = (CommandResult.Decided)
                simulated.ask(new Command.CommitTransaction(Transaction.builder(new TransactionId("t"), "batch")
                        .claim(task, 1, 0)
                        .build()));
        TaskReport.Builder failed =
                report(job, placed).setState(TaskState.TASK_STATE_FAILED).setReason("COPY");
        assertThatThrownBy(() -> report(failed))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.errors())
                                .singleElement()
                                .satisfies(fault -> assertThat(fault.path()).isEqualTo("reports.reason")));

        simulated.ask(new Command.DrainMachine(row().id(), 0, Drain.BatchTasks.MOVE));
        simulated.ask(new Command.ContinueDrain(row().id()));
        TaskReport.Builder killed =
                report(job, placed).setState(TaskState.TASK_STATE_KILLED).setReason("DRAINED");
        assertThat(report(killed).getResults(0).getAccepted()).isTrue();
        TaskReason reason =
                simulated.replica().read(view -> view.task(task).orElseThrow().reason());
        assertThat(reason).isEqualTo(TaskReason.DRAINED);
    }

    @Test
    void register_withoutARestore_isOneCommand() {
        long before = simulated.replica().version().number();
        register();
        assertThat(simulated.replica().version().number()).isEqualTo(before + 1);
        assertTakesClaims();
    }
}
