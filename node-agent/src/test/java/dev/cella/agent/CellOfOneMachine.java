package dev.cella.agent;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.ClaimKind;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A cell with one machine, in slot 0, and no server: the view of parts that only read one. */
public final class CellOfOneMachine {
    private final Cell cell = new Cell(CellLimits.STANDARD);

    public CellOfOneMachine(Amounts capacity) {
        apply(new Command.FoundCell(new CellName("c"), new Incarnation(1), EntryCodec.FEATURE_LEVEL_MAX));
        apply(new Command.PutMachine("m", capacity, new TreeMap<>(), Optional.empty(), false));
    }

    public CommandResult apply(Command command) {
        return cell.apply(new EntryHeader(1, CellTime.ZERO, 1, Incarnation.UNSAID), command);
    }

    public CellView view() {
        return cell.view();
    }

    /** Submits a job of one group. */
    public JobId submit(String name, JobType type, int count, Amounts shape) {
        JobHeader header = new JobHeader(
                name,
                type,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", count, shape, Restart.BATCH)));
        Command submit = new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE);
        return new JobId(((CommandResult.Done) apply(submit)).identity());
    }

    public TaskId claim(JobId job, int index, ClaimKind kind) {
        TaskId task = new TaskId(job, 0, index);
        apply(new Command.CommitTransaction(
                Transaction.builder(new TransactionId("t" + view().version().number()), "batch")
                        .claim(task, 1, 0)
                        .kind(kind)
                        .build()));
        return task;
    }
}
