package dev.cella.chaos.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.chaos.check.Checker.Evidence;
import dev.cella.chaos.check.Checker.Violation;
import dev.cella.chaos.check.Checkers;
import dev.cella.chaos.check.Checkers.Verdict;
import dev.cella.chaos.history.History;
import dev.cella.chaos.history.Replay;
import dev.cella.chaos.history.UserCall;
import dev.cella.state.core.LogPosition;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The logs of three replicas, joined into one, and what users and agents saw beside it. */
class RunEvidenceTest {
    private final History history = new History(CellLimits.STANDARD);
    private final ReplicaLog r1 = new ReplicaLog("r1");
    private final ReplicaLog r2 = new ReplicaLog("r2");
    private final ReplicaLog r3 = new ReplicaLog("r3");

    @Test
    void takeLogs_oneBeganWithACheckpoint_theOthersHaveTheFirstEntries() {
        write(r1, 0, 1, 2, 3);
        write(r2, 0, 1, 2, 3);
        r3.beginAfter(1);
        write(r3, 2, 3);
        take();
        assertThat(history.logDivergences).isEmpty();
        assertThat(history.log).hasSize(4);
    }

    @Test
    void takeLogs_allArePurged_saysSo() {
        r1.beginAfter(1);
        write(r1, 2);
        r2.beginAfter(1);
        write(r2, 2);
        r3.beginAfter(1);
        write(r3, 2);
        take();
        assertThat(history.logDivergences).containsExactly("no replica has the first entries of the log");
    }

    @Test
    void takeLogs_entryOfAMinority_isNotCommitted() {
        write(r1, 0, 1, 2);
        write(r2, 0, 1);
        write(r3, 0, 1);
        take();
        assertThat(history.log).hasSize(2);
    }

    @Test
    void takeLogs_otherEntryAtTheSamePlace_hasSplit() {
        write(r1, 0, 1);
        write(r2, 0, 1);
        write(r3, 0);
        var unused = r3.committed(new LogPosition(1, 1), entry(77));
        take();
        assertThat(history.logDivergences).containsExactly("r3 has another entry 1 than a replica before it");
    }

    // ---- what users saw

    @Test
    void takeCalls_answersOfTheirOwn_hold() {
        takeCommands(submit("job-3"), submit("job-7"), new Command.StopJob(new JobId(3)));
        takeCalls(
                told(UserCall.Order.SUBMIT, "job-3", 2, 1),
                told(UserCall.Order.SUBMIT, "job-7", 3, 1),
                told(UserCall.Order.STOP, "job-7", 4, 0));
        assertThat(violations("C4")).isEmpty();
        assertThat(verdict("C4").judged()).isTrue();
    }

    @Test
    void takeCalls_twoSubmissionsGotEachOthersAnswers_failsC4() {
        takeCommands(submit("job-3"), submit("job-7"));
        takeCalls(told(UserCall.Order.SUBMIT, "job-3", 3, 1), told(UserCall.Order.SUBMIT, "job-7", 2, 1));
        assertThat(violations("C4")).hasSize(2);
    }

    @Test
    void takeCalls_anotherJobWasStopped_failsC4() {
        takeCommands(submit("job-3"), submit("job-7"), new Command.StopJob(new JobId(2)));
        takeCalls(told(UserCall.Order.STOP, "job-7", 4, 0));
        assertThat(violations("C4")).hasSize(1);
    }

    @Test
    void takeCalls_acknowledgedJobIsNotInTheLog_failsC4() {
        takeCommands(submit("job-3"));
        takeCalls(told(UserCall.Order.SUBMIT, "job-7", 50, 1));
        assertThat(violations("C4")).hasSize(1);
    }

    @Test
    void takeCalls_laterVersionWasAnsweredBefore_failsC6() {
        takeCommands(submit("job-3"), submit("job-7"));
        takeCalls(
                new UserCall(UserCall.Order.SUBMIT, "job-7", 10, new UserCall.Done(20, "job-7", 3, 1)),
                new UserCall(UserCall.Order.SUBMIT, "job-3", 30, new UserCall.Done(40, "job-3", 2, 1)));
        assertThat(violations("C6")).hasSize(1);
    }

    @Test
    void takeCalls_noAnswerAfterTheHealing_failsC13() {
        history.healed(0);
        history.ended(60_000_000_000L);
        takeCalls(
                new UserCall(UserCall.Order.SUBMIT, "job-3", 10, new UserCall.Unanswered()),
                new UserCall(UserCall.Order.STOP, "job-2", 10, new UserCall.Failed(20, "The server failed")));
        assertThat(violations("C13")).hasSize(2);
        history.healed(55_000_000_000L);
        assertThat(violations("C13")).isEmpty();
    }

    // ---- agents

    @Test
    void takeAgents_agentNeverRegisteredAgain_failsC11() {
        takeCommands(machine("m1"));
        takeAgents("m1", "m2");
        assertThat(history.capacities).containsEntry("m1", Amounts.of(1_000, 1_000));
        assertThat(violations("C11")).hasSize(1);
    }

    @Test
    void takeJournals_machineRunsMoreThanItHas_failsC12() {
        takePlacements();
        new RunEvidence(history, 0)
                .takeJournals(
                        List.of(
                                attempt("m1", 3, 100, OptionalLong.empty()),
                                attempt("m1", 4, 200, OptionalLong.empty())),
                        Replay.of(history));
        assertThat(violations("C12")).hasSize(1);
    }

    /** The kernel counts its ticks, and the file system has another clock. */
    @Test
    void takeJournals_shortProcessSeemsToEndFirst_itsRoomIsFreeAgain() {
        takePlacements();
        new RunEvidence(history, 0)
                .takeJournals(
                        List.of(
                                attempt("m1", 3, 100, OptionalLong.of(95)),
                                attempt("m1", 4, 200, OptionalLong.empty())),
                        Replay.of(history));
        assertThat(violations("C12")).isEmpty();
    }

    @Test
    void takeJournals_anotherMachineRanIt_failsC24() {
        takePlacements();
        new RunEvidence(history, 0)
                .takeJournals(List.of(attempt("m2", 3, 100, OptionalLong.empty())), Replay.of(history));
        assertThat(violations("C24")).hasSize(1);
    }

    /** Each of two jobs has a task on a machine that has room for one, and the first of them has ended by then. */
    private void takePlacements() {
        takeCommands(
                machine("m1"),
                submit("first"),
                submit("second"),
                claim(3),
                report(TaskState.RUNNING),
                report(TaskState.FINISHED),
                claim(4));
        takeAgents("m1");
        assertThat(Replay.of(history).steps())
                .allSatisfy(step -> assertThat(step.result()).isNotInstanceOf(CommandResult.Refused.class));
    }

    /** Version 1 founds the cell. */
    private void takeCommands(Command... commands) {
        takeCommand(new Command.FoundCell(new CellName("test"), new Incarnation(1)));
        List.of(commands).forEach(this::takeCommand);
    }

    private void takeCommand(Command command) {
        EntryHeader header = new EntryHeader(1, CellTime.ZERO, 0, new Incarnation(1));
        List<byte[]> commands = List.of(CommandCodec.encode(new Principal("test"), command));
        history.log.add(new History.LogEntry(0, EntryCodec.encode(header, commands)));
    }

    private void takeCalls(UserCall... calls) {
        new RunEvidence(history, 0).takeCalls(List.of(calls), List.of());
    }

    private void takeAgents(String... machines) {
        new RunEvidence(history, 0).takeAgents(List.of(machines), Replay.of(history));
    }

    private List<Violation> violations(String checker) {
        return verdict(checker).violations();
    }

    private Verdict verdict(String checker) {
        return Checkers.check(Evidence.of(history)).stream()
                .filter(verdict -> verdict.checker().equals(checker))
                .findFirst()
                .orElseThrow();
    }

    private static UserCall told(UserCall.Order order, String job, long version, long generation) {
        return new UserCall(order, job, 0, new UserCall.Done(1, job, version, generation));
    }

    private static Command machine(String name) {
        return new Command.PutMachine(name, Amounts.of(1_000, 1_000), new TreeMap<>(), Optional.empty(), false);
    }

    private static Command submit(String name) {
        GroupHeader group = new GroupHeader("main", 1, Amounts.of(600, 16), Restart.NEVER);
        return new Command.SubmitJob(
                new JobHeader(
                        name,
                        JobType.BATCH,
                        "batch",
                        "default",
                        50,
                        Atomicity.INCREMENTAL,
                        ConflictRule.RESOURCE,
                        List.of(group)),
                Specification.EMPTY,
                Command.SubmitMode.CREATE);
    }

    private static Command claim(long job) {
        return new Command.CommitTransaction(Transaction.builder(new TransactionId("claim-" + job), "batch")
                .claim(new TaskId(new JobId(job), 0, 0), 1, 0)
                .build());
    }

    private static Command report(TaskState state) {
        return new Command.ReportTask(
                new TaskId(new JobId(3), 0, 0),
                1,
                Optional.empty(),
                state,
                state == TaskState.FINISHED ? OptionalInt.of(0) : OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    private static AgentJournal.Attempt attempt(
            String machine, long job, long startedMillis, OptionalLong endedMillis) {
        return new AgentJournal.Attempt(machine, job, 0, 0, 1, startedMillis, endedMillis);
    }

    // ---- logs

    private void take() {
        new RunEvidence(history, 0).takeLogs(List.of(r1, r2, r3));
    }

    private static void write(ReplicaLog log, long... indexes) {
        for (long index : indexes) {
            var unused = log.committed(new LogPosition(1, index), entry(index));
        }
    }

    private static byte[] entry(long millis) {
        return EntryCodec.encode(new EntryHeader(1, new CellTime(millis), millis, new Incarnation(1)), List.of());
    }
}
