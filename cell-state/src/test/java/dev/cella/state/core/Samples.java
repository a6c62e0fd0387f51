package dev.cella.state.core;

import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.model.AgentIdentity;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Principal;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/** Commands for tests: small ones by name, and a random stream in which enough commands make sense. */
public final class Samples {
    public static final Principal TEST = new Principal("test");
    static final long LEASE_MILLIS = 10_000;

    private static final Amounts TASK = Amounts.of(500, 256);
    private static final int NAMES = 12;

    private final Random random;
    private int transactions;

    public Samples(long seed) {
        random = new Random(seed);
    }

    public static Command machine(String name) {
        return machine(name, Optional.empty());
    }

    static Command machineWithAgent(String name) {
        return machineWithAgent(name, LEASE_MILLIS);
    }

    static Command machineWithAgent(String name, long leaseMillis) {
        return machine(name, Optional.of(new AgentIdentity("boot-1", "http://127.0.0.1:1", leaseMillis)));
    }

    private static Command machine(String name, Optional<AgentIdentity> agent) {
        return new Command.PutMachine(name, Amounts.of(4000, 16_384), new TreeMap<>(), agent, false);
    }

    public static Command job(String name, int tasks) {
        return job(name, tasks, specification(name));
    }

    /** A job whose specification says nothing. */
    public static Command emptyJob(String name, int tasks) {
        return job(name, tasks, Specification.of(new byte[0]));
    }

    /** A job with a specification of that size. */
    public static Command jobOfBytes(String name, int bytes) {
        return job(name, 1, Specification.of(new byte[bytes]));
    }

    private static Command job(String name, int tasks, Specification specification) {
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(new GroupHeader("main", tasks, TASK, Restart.BATCH)));
        return new Command.SubmitJob(header, specification, Command.SubmitMode.CREATE);
    }

    public static Specification specification(String job) {
        return Specification.of(("specification of " + job).getBytes(StandardCharsets.UTF_8));
    }

    static Command session(String scheduler, String instance) {
        return new Command.OpenSession(scheduler, instance, "batch", LEASE_MILLIS, Optional.empty());
    }

    /** Claims every task of a job's first group on the machine, pending or not. */
    public static Command claimAll(CellView view, String id, JobRow job, int machine) {
        Transaction.Builder transaction =
                Transaction.builder(new TransactionId(id), "batch").basis(view.version());
        int tasks = job.group(0).header().count();
        for (int index = 0; index < tasks; index++) {
            transaction.claim(job.id().version(), 0, index, job.generation(), machine);
        }
        return new Command.CommitTransaction(transaction.build());
    }

    /** A command that this cell might get next, including some that it refuses. */
    Command next(CellView view) {
        String machine = "m-" + random.nextInt(NAMES);
        String job = "j-" + random.nextInt(NAMES);
        return switch (random.nextInt(8)) {
            case 0 -> machine(machine);
            case 1 -> machineWithAgent(machine);
            case 2 -> session("batch", "i-" + random.nextInt(3));
            case 3, 4 -> job(job, 1 + random.nextInt(6));
            case 5 ->
                view.job(job).<Command>map(row -> new Command.StopJob(row.id())).orElseGet(() -> job(job, 1));
            case 6 -> lose(view, machine);
            default -> claim(view, job);
        };
    }

    private static Command lose(CellView view, String machine) {
        OptionalInt slot = view.findMachine(machine);
        return slot.isPresent() ? new Command.LoseMachine(view.machineId(slot.getAsInt())) : machine(machine);
    }

    private Command claim(CellView view, String name) {
        Optional<JobRow> job = view.job(name);
        if (job.isEmpty() || view.machineSlots() == 0) {
            return job(name, 3);
        }
        transactions++;
        return claimAll(view, "t-" + transactions, job.get(), random.nextInt(view.machineSlots()));
    }
}
