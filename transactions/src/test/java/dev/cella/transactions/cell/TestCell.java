package dev.cella.transactions.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.MachineRow;
import dev.cella.transactions.cell.tables.Tables;
import dev.cella.transactions.cell.tables.TaskRow;
import dev.cella.transactions.codec.AskedCommand;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.AgentIdentity;
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
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Outcome;
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

/**
 * A founded cell with a private replica that follows it. Each command goes through its bytes. After each one the replica has
 * the same digests and the truths hold.
 */
public final class TestCell {
    public static final Incarnation INCARNATION = new Incarnation(0xCE11A);
    public static final Principal TESTER = new Principal("tester");

    public final Cell cell;
    public final CellReplica replica = new CellReplica();
    private final WholeOutcomes outcomes = new WholeOutcomes();
    private final boolean checksTruths;
    private long cellTimeMillis = 1_000;

    public TestCell() {
        this(CellLimits.STANDARD, true);
    }

    public TestCell(CellLimits limits, boolean checksTruths) {
        this.cell = new Cell(limits);
        this.checksTruths = checksTruths;
        apply(new Command.FoundCell(new CellName("test"), INCARNATION));
    }

    public CellView view() {
        return cell.view();
    }

    public Tables tables() {
        return CellTables.of(cell.view());
    }

    public CellVersion version() {
        return cell.view().version();
    }

    public void advance(long millis) {
        cellTimeMillis += millis;
    }

    public EntryHeader header() {
        return new EntryHeader(1, new CellTime(cellTimeMillis), 1_700_000_000_000L + cellTimeMillis, INCARNATION);
    }

    public CommandResult apply(Command command) {
        AskedCommand decoded = CommandCodec.decode(CommandCodec.encode(TESTER, command));
        assertThat(CommandCodec.encode(TESTER, decoded.command())).isEqualTo(CommandCodec.encode(TESTER, command));
        CommandResult result = outcomes.whole(cell.apply(header(), decoded.command()));
        replica.applyChanges(cell.takeChanges());
        assertThat(replica.view().digests()).isEqualTo(cell.view().digests());
        if (checksTruths) {
            cell.view().checkTruths();
        }
        return result;
    }

    /** A cell loaded from this one's snapshot. */
    public Cell reloaded() {
        Cell loaded = new Cell(cell.limits());
        loaded.load(cell.snapshot());
        assertThat(loaded.view().digests()).isEqualTo(cell.view().digests());
        assertThat(loaded.outcomesDigest()).isEqualTo(cell.outcomesDigest());
        return loaded;
    }

    // ---- frequent commands

    public CommandResult machine(String name, long cpuMilli, long memoryMib) {
        return apply(new Command.PutMachine(
                name, Amounts.of(cpuMilli, memoryMib), new TreeMap<>(), Optional.empty(), false));
    }

    public CommandResult machineWithAgent(String name, long cpuMilli, long memoryMib, String bootId) {
        return apply(new Command.PutMachine(
                name,
                Amounts.of(cpuMilli, memoryMib),
                new TreeMap<>(),
                Optional.of(new AgentIdentity(bootId, "127.0.0.1:1", 10_000)),
                false));
    }

    public CommandResult change(String machine, Command.MachineChange change, boolean force) {
        return apply(new Command.ChangeMachine(machineId(machine), change, force));
    }

    public CommandResult job(String name, int count, long cpuMilli, long memoryMib) {
        return apply(submit(name, "batch", count, cpuMilli, memoryMib, Command.SubmitMode.CREATE));
    }

    public static Command submit(
            String name, String scheduler, int count, long cpuMilli, long memoryMib, Command.SubmitMode mode) {
        return new Command.SubmitJob(header(name, scheduler, count, cpuMilli, memoryMib), Specification.EMPTY, mode);
    }

    public static JobHeader header(String name, String scheduler, int count, long cpuMilli, long memoryMib) {
        return new JobHeader(
                name,
                JobType.BATCH,
                scheduler,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader(
                        "main", count, Amounts.of(cpuMilli, memoryMib), new Restart(2, 1_000, 60_000))));
    }

    public Transaction.Builder transaction(String id) {
        return Transaction.builder(new TransactionId(id), "batch").basis(version());
    }

    public Outcome commit(Transaction.Builder transaction) {
        return ((CommandResult.Decided) apply(new Command.CommitTransaction(transaction.build()))).outcome();
    }

    /** Places the task on the machine, which must work. */
    public void place(String job, int index, String machine) {
        Outcome outcome =
                commit(transaction("place-" + version()).claim(task(job, index), generation(job), slot(machine)));
        assertThat(outcome.accepted()).isEqualTo(1);
    }

    public CommandResult report(String job, int index, TaskState state) {
        TaskRow row = row(job, index);
        return apply(report(row.id(), row.attempt(), state));
    }

    public static Command.ReportTask report(TaskId task, int attempt, TaskState state) {
        return new Command.ReportTask(
                task,
                attempt,
                Optional.empty(),
                state,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    public JobRow jobRow(String name) {
        return view().job(name).orElseThrow();
    }

    public TaskRow row(String job, int index) {
        return view().task(task(job, index)).orElseThrow();
    }

    public TaskId task(String job, int index) {
        return new TaskId(jobRow(job).id(), 0, index);
    }

    public int generation(String job) {
        return jobRow(job).generation();
    }

    public int slot(String machine) {
        return view().findMachine(machine).orElseThrow();
    }

    public MachineRow machineRow(String machine) {
        return view().machine(machine).orElseThrow();
    }

    public MachineId machineId(String machine) {
        return machineRow(machine).id();
    }
}
