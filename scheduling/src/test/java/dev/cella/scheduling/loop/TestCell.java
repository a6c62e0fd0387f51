package dev.cella.scheduling.loop;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
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

/** A common copy of a cell, with the few commands that tests of a loop need. */
final class TestCell {
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private CellTime time = new CellTime(1_000);

    TestCell() {
        apply(new Command.FoundCell(new CellName("test"), new Incarnation(7)));
    }

    CellView view() {
        return cell.view();
    }

    CellTime time() {
        return time;
    }

    void passMillis(long millis) {
        time = time.plusMillis(millis);
    }

    byte[] takeChanges() {
        return cell.takeChanges();
    }

    List<byte[]> snapshot() {
        return cell.snapshotForReplicas();
    }

    CommandResult apply(Command command) {
        CommandResult result =
                cell.apply(new EntryHeader(1, time, time.millis(), cell.view().incarnation()), command);
        if (result instanceof CommandResult.Refused refused) {
            throw new IllegalArgumentException(command + ": " + refused);
        }
        return result;
    }

    SessionId openSession(String scheduler) {
        return openSession(scheduler, "one");
    }

    SessionId openSession(String scheduler, String instance) {
        CommandResult opened = apply(new Command.OpenSession(scheduler, instance, "batch", 10_000, Optional.empty()));
        return new SessionId(((CommandResult.Done) opened).identity());
    }

    /** A session that takes part in offers. */
    SessionId openOfferedSession(String scheduler, String instance) {
        Optional<Participation> offers = Optional.of(new Participation(scheduler, 1, Amounts.NONE));
        CommandResult opened =
                apply(new Command.OpenSession(scheduler, instance, "batch", 10_000, Optional.empty(), offers));
        return new SessionId(((CommandResult.Done) opened).identity());
    }

    void closeSession(SessionId session) {
        apply(new Command.CloseSession(session));
    }

    void putMachine(String name, long cpuMilli) {
        apply(new Command.PutMachine(name, Amounts.of(cpuMilli), new TreeMap<>(), Optional.empty(), false));
    }

    void changeMachine(String name, Command.MachineChange change) {
        apply(new Command.ChangeMachine(machine(name), change, false));
    }

    void loseMachine(String name) {
        apply(new Command.LoseMachine(machine(name)));
    }

    private MachineId machine(String name) {
        return cell.view().machine(name).orElseThrow().id();
    }

    JobId submit(JobHeader header) {
        CommandResult submitted = apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        return new JobId(((CommandResult.Done) submitted).identity());
    }

    void update(JobHeader header) {
        apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE_OR_UPDATE));
    }

    void scale(JobId job, int count) {
        apply(new Command.ScaleGroup(job, 0, count));
    }

    void limit(Limits limits) {
        apply(new Command.PutPool("default", limits));
    }

    void pause(String scheduler, boolean paused) {
        apply(new Command.PauseScheduler(scheduler, paused));
    }

    void stop(JobId job) {
        apply(new Command.StopJob(job));
    }

    Outcome commit(Transaction transaction) {
        return ((CommandResult.Decided) apply(new Command.CommitTransaction(transaction))).outcome();
    }

    /** Its scheduler replaces the task, for example by one of a newer generation. */
    void replace(String scheduler, TaskId task) {
        int attempt = cell.view().task(task).orElseThrow().attempt();
        commit(Transaction.builder(new TransactionId("replace-" + cell.view().version()), scheduler)
                .step(new Step(Step.Kind.REPLACE, task, attempt))
                .build());
    }

    void report(TaskId task, TaskState state) {
        TaskRow row = cell.view().task(task).orElseThrow();
        apply(new Command.ReportTask(
                task,
                row.attempt(),
                Optional.empty(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                state == TaskState.RUNNING ? OptionalLong.of(time.millis()) : row.startedAtMillis(),
                OptionalLong.empty()));
    }
}
