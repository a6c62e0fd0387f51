package dev.cella.client.live;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellDigests;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.CellVersion;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** A real cell with one large machine and one job, without a log around it, and its outcomes. Guarded by its own monitor. */
final class TestCell {
    static final int TASKS = 500;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Incarnation incarnation;
    private final JobId job;
    private final Map<CellVersion, Outcome> outcomes = new HashMap<>();
    private int machines;

    TestCell(long incarnation) {
        this.incarnation = new Incarnation(incarnation);
        apply(new Command.FoundCell(new CellName("test"), this.incarnation));
        putMachine();
        apply(new Command.SubmitJob(header(), Specification.EMPTY, Command.SubmitMode.CREATE));
        this.job = new JobId(version().number());
        cell.takeChanges();
    }

    private static JobHeader header() {
        GroupHeader group = new GroupHeader("main", TASKS, Amounts.of(1, 1), Restart.BATCH);
        return new JobHeader(
                "job",
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }

    private CommandResult apply(Command command) {
        long now = cell.view().version().number() + 1;
        return cell.apply(new EntryHeader(1, new CellTime(now), now, incarnation), command);
    }

    /** One version more: the changes that it made. */
    synchronized byte[] putMachine() {
        apply(new Command.PutMachine(
                "m-" + machines++, Amounts.of(1_000_000, 1_000_000), new TreeMap<>(), Optional.empty(), false));
        return cell.takeChanges();
    }

    /** A transaction that claims the task at that index. */
    synchronized Transaction claim(int index) {
        return Transaction.builder(new TransactionId("t-" + index), "batch")
                .incarnation(incarnation)
                .basis(version())
                .claim(new TaskId(job, 0, index), 1, 0)
                .build();
    }

    synchronized Outcome decide(Transaction transaction) {
        CommandResult result = apply(new Command.CommitTransaction(transaction));
        if (result instanceof CommandResult.Decided decided) {
            outcomes.put(decided.version(), decided.outcome());
            return decided.outcome();
        }
        return Objects.requireNonNull(outcomes.get(((CommandResult.Repeated) result).first()));
    }

    synchronized CellVersion version() {
        return cell.view().version();
    }

    Incarnation incarnation() {
        return incarnation;
    }

    synchronized long digest() {
        return cell.view().digest();
    }

    synchronized CellDigests digests() {
        return cell.view().digests();
    }

    synchronized List<byte[]> snapshot() {
        return cell.snapshotForReplicas();
    }

    synchronized int placed() {
        return cell.view().tasksOn(0);
    }
}
