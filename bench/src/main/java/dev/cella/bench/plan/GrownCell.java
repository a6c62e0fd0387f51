package dev.cella.bench.plan;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellReplica;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
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
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A cell of that many machines, with room, on which that many tasks run. Belongs to one thread. */
final class GrownCell {
    private static final Amounts SHAPE = Amounts.of(1, 1);
    private static final Amounts CAPACITY = Amounts.of(1L << 40, 1L << 40);
    private static final String SCHEDULER = "batch";
    private static final Principal PRINCIPAL = new Principal("bench");
    private static final EntryHeader HEADER = new EntryHeader(1, new CellTime(1), 1, Incarnation.UNSAID);

    private final SplittableRandom random = new SplittableRandom(1);
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final int machines;
    private final List<byte[]> submissions = new ArrayList<>();
    private int jobs;
    private int transactions;
    private long job;
    private int taken = JobHeader.TASKS_MAX;

    GrownCell(int machines, int tasks) {
        this.machines = machines;
        apply(new Command.FoundCell(new CellName("bench"), new Incarnation(1)));
        for (int machine = 0; machine < machines; machine++) {
            apply(new Command.PutMachine("m" + machine, CAPACITY, new TreeMap<>(), Optional.empty(), false));
        }
        for (int placed = 0; placed < tasks; placed += Transaction.CLAIMS_MAX) {
            cell.apply(HEADER, next(Math.min(Transaction.CLAIMS_MAX, tasks - placed)));
            cell.takeChanges();
        }
    }

    /** The command that places the next tasks, each on any machine. */
    private Command next(int claims) {
        if (taken + claims > JobHeader.TASKS_MAX) {
            job = submit("job-" + jobs++);
            taken = 0;
        }
        Transaction.Builder builder = Transaction.builder(new TransactionId("t" + transactions++), SCHEDULER);
        for (int claim = 0; claim < claims; claim++) {
            builder.claim(job, 0, taken++, 1, random.nextInt(machines));
        }
        return new Command.CommitTransaction(builder.build());
    }

    private long submit(String name) {
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                SCHEDULER,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", JobHeader.TASKS_MAX, SHAPE, Restart.BATCH)));
        submissions.add(apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE)));
        return cell.view().job(name).orElseThrow().id().version();
    }

    private byte[] apply(Command command) {
        CommandResult result = cell.apply(HEADER, command);
        byte[] changes = cell.takeChanges();
        if (result instanceof CommandResult.Refused refused) {
            throw new IllegalStateException(command + ": " + refused);
        }
        return changes;
    }

    /** A log entry with that many transactions. A new job is submitted here if it is needed. */
    Entry entry(int transactionsInIt, int claims) {
        List<byte[]> commands = new ArrayList<>();
        for (int transaction = 0; transaction < transactionsInIt; transaction++) {
            commands.add(CommandCodec.encode(PRINCIPAL, next(claims)));
        }
        return new Entry(HEADER, commands);
    }

    /** Commits an entry, with all the work of a commit. Returns what the feed brings to private copies. */
    byte[] commit(Entry entry) {
        cell.apply(entry);
        return cell.takeChanges();
    }

    /** What the feed brings to private copies about the jobs that were submitted since the last call, or since the last copy. */
    List<byte[]> takeSubmissions() {
        List<byte[]> taken = List.copyOf(submissions);
        submissions.clear();
        return taken;
    }

    /** A private copy of the cell as it is now. */
    CellReplica privateCopy() {
        submissions.clear();
        CellReplica copy = new CellReplica();
        copy.load(cell.snapshotForReplicas());
        return copy;
    }

    /** What a list of all machines and one of all tasks take from commits. Returns how many dimensions and jobs they have. */
    int copyForLists() {
        int dimensions = cell.copyMachines().dimensions().size();
        return dimensions + cell.copyTasks(cell.view().jobs()).jobs().size();
    }

    /** The bytes of a checkpoint. */
    List<byte[]> checkpoint() {
        return List.copyOf(cell.snapshot());
    }

    static Cell restart(List<byte[]> checkpoint) {
        Cell restarted = new Cell(CellLimits.STANDARD);
        restarted.load(checkpoint);
        return restarted;
    }
}
