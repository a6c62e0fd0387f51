package dev.cella.state.core;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A common cell as the stress tests share it between threads: one machine of four cores, a pool that may use two of them,
 * and a job of four tasks of one core, all pending at {@link #VERSION}.
 */
final class SharedCell {
    static final Incarnation INCARNATION = new Incarnation(7);
    static final int CORES = 4;
    static final int CORES_OF_THE_POOL = 2;
    static final int VERSION = 4;
    static final int MACHINE = 0;

    private static final long CORE = 1_000;
    private static final Principal TESTER = new Principal("tester");
    private static final JobId JOB = new JobId(VERSION);
    private static final EntryHeader HEADER = new EntryHeader(1, new CellTime(1_000), 1_000, INCARNATION);

    final CommonCell cell = new CommonCell(CellLimits.STANDARD);

    SharedCell() {
        apply(new Command.FoundCell(new CellName("shared"), INCARNATION));
        apply(new Command.PutMachine("m", Amounts.of(CORES * CORE), new TreeMap<>(), Optional.empty(), false));
        apply(new Command.PutPool("p", Limits.of(CORES_OF_THE_POOL * CORE)));
        apply(new Command.SubmitJob(job(), Specification.EMPTY, Command.SubmitMode.CREATE));
    }

    private static JobHeader job() {
        GroupHeader group = new GroupHeader("main", CORES, Amounts.of(CORE), new Restart(0, 1_000, 1_000));
        return new JobHeader(
                "j", JobType.BATCH, "batch", "p", 50, Atomicity.INCREMENTAL, ConflictRule.RESOURCE, List.of(group));
    }

    private void apply(Command command) {
        apply(entry(command));
    }

    void apply(Entry entry) {
        cell.apply(entry, new ColdChanges());
    }

    private static Entry entry(Command command) {
        return new Entry(HEADER, List.of(CommandCodec.encode(TESTER, command)));
    }

    /** Claims as many cores as the pool has, with one transaction. */
    static Entry claim() {
        return entry(new Command.CommitTransaction(transaction(CORES_OF_THE_POOL)));
    }

    /** One claim for each of the first tasks. */
    static Transaction transaction(int claims) {
        Transaction.Builder transaction = Transaction.builder(new TransactionId("t"), "batch");
        for (int task = 0; task < claims; task++) {
            transaction.claim(new TaskId(JOB, 0, task), 1, MACHINE);
        }
        return transaction.build();
    }

    /** The free cores, and later the cores that tasks hold: together all cores, unless something came between. */
    static int coresAddedUp(CellView view) {
        int free = (int) (view.free(MACHINE, 0) / CORE);
        view.machine(MACHINE);
        return free + view.tasksOn(MACHINE);
    }
}
