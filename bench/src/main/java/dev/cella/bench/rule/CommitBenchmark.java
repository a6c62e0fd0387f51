package dev.cella.bench.rule;

import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.CommandCodec;
import dev.cella.transactions.codec.Entry;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.AgentIdentity;
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
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Claims and releases per second on one thread, with all the work of a commit: decoding from the log's bytes, rule, quota,
 * stamps, digests, changes, the kept outcome. Each invocation gets a fresh cell that the collector has already moved to the
 * old generation, because a server's cell is not copied either. {@link BareArrays} is the bound beside it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 10, time = 2)
@Fork(1)
public class CommitBenchmark {
    /** The content of the log. One operation is always one claim, or the end of one task. */
    public enum Work {
        /** Single claims on random machines; all fit. */
        CLAIMS,
        /** All or nothing: two of five transactions have a claim that aborts them. */
        ALL_OR_NOTHING,
        /** Under rule MACHINE with a basis before all of them: most are conflicts. */
        MACHINE_STALE,
        /** The end of each task as a separate command, in the order of the indexes. */
        RELEASES,
        /** The same in random order, like tasks of many jobs. */
        RELEASES_ANY_ORDER,
        /** Stops of jobs with tasks on machines without agents: they end at once, as many as a command may end. */
        STOPS,
        /** Losses of machines with all their tasks, one command each. */
        LOSSES
    }

    private static final int TRANSACTIONS = 4_000;
    static final int CLAIMS = 50;

    /** Commands that waited for the leader when it made an entry. */
    private static final int ENTRY = 64;

    private static final int TASKS_A_JOB = 50_000;
    static final int PLACED = TRANSACTIONS * CLAIMS;
    private static final EntryHeader HEADER = new EntryHeader(1, new CellTime(1), 1, Incarnation.UNSAID);
    private static final Principal PRINCIPAL = new Principal("bench");
    private static final Optional<AgentIdentity> AGENT = Optional.of(new AgentIdentity("boot", "127.0.0.1:1", 10_000));

    /** How many machines the cell has. */
    @Param({"10000", "50000"})
    public int machines;

    @Param
    public Work work = Work.CLAIMS;

    private Cell cell = new Cell(CellLimits.STANDARD);
    private List<byte[]> transactions = List.of();
    private List<byte[]> reports = List.of();
    private List<byte[]> asked = List.of();
    private BareArrays bare = new BareArrays(1);
    private ByteBuffer bareClaims = ByteBuffer.allocate(0);

    /** A new cell, and the entries to commit to it, as in the log. */
    @Setup(Level.Invocation)
    public void fill() {
        cell = cellOf(machines, work == Work.STOPS ? Optional.empty() : AGENT);
        transactions = new ArrayList<>();
        reports = new ArrayList<>();
        Random random = new Random(1);
        for (int job = 0; job < PLACED / TASKS_A_JOB; job++) {
            cell.apply(HEADER, job("j" + job));
            encode(cell.view().job("j" + job).orElseThrow().id(), random);
        }
        asked = asked();
        cell.takeChanges();
        bare = new BareArrays(machines);
        bareClaims = BareArrays.claims(PLACED, machines);
        System.gc();
    }

    /** The commands to measure. To measure ends of tasks, the tasks are placed first. */
    private List<byte[]> asked() {
        return switch (work) {
            case CLAIMS, ALL_OR_NOTHING, MACHINE_STALE -> transactions;
            case RELEASES -> placed(reports);
            case RELEASES_ANY_ORDER -> placed(shuffled(reports));
            case STOPS -> placed(stops());
            case LOSSES -> placed(losses());
        };
    }

    private List<byte[]> placed(List<byte[]> ends) {
        applyAll(transactions);
        return ends;
    }

    /** Copies, so that the bytes are adjacent again. */
    private static List<byte[]> shuffled(List<byte[]> commands) {
        List<byte[]> shuffled = new ArrayList<>(commands);
        Collections.shuffle(shuffled, new Random(2));
        shuffled.replaceAll(byte[]::clone);
        return shuffled;
    }

    private List<byte[]> stops() {
        List<byte[]> stops = new ArrayList<>();
        for (int number = 0; number < PLACED / TASKS_A_JOB; number++) {
            JobId job = cell.view().job("j" + number).orElseThrow().id();
            stops.add(CommandCodec.encode(PRINCIPAL, new Command.StopJob(job)));
            for (int ended = cell.limits().rowsMax();
                    ended < TASKS_A_JOB;
                    ended += cell.limits().rowsMax()) {
                stops.add(CommandCodec.encode(PRINCIPAL, new Command.ContinueStop(job)));
            }
        }
        return stops;
    }

    private List<byte[]> losses() {
        List<byte[]> losses = new ArrayList<>();
        for (int slot = 0; slot < machines; slot++) {
            losses.add(CommandCodec.encode(
                    PRINCIPAL, new Command.LoseMachine(cell.view().machine(slot).id())));
        }
        return losses;
    }

    static Cell cellOf(int count) {
        return cellOf(count, AGENT);
    }

    private static Cell cellOf(int count, Optional<AgentIdentity> agent) {
        Cell cell = new Cell(CellLimits.STANDARD);
        cell.apply(HEADER, new Command.FoundCell(new CellName("bench"), new Incarnation(1)));
        cell.apply(HEADER, new Command.PutPool("default", Limits.of(Amounts.AMOUNT_MAX)));
        for (int machine = 0; machine < count; machine++) {
            cell.apply(HEADER, machine("m" + machine, agent));
        }
        cell.takeChanges();
        return cell;
    }

    /** Places that many tasks, machine after machine. */
    static void place(Cell cell, int tasks, int machines) {
        for (int first = 0; first < tasks; first += CLAIMS) {
            if (first % TASKS_A_JOB == 0) {
                cell.apply(HEADER, job("j" + first));
            }
            JobId job = cell.view()
                    .job("j" + first / TASKS_A_JOB * TASKS_A_JOB)
                    .orElseThrow()
                    .id();
            Transaction.Builder claims = Transaction.builder(new TransactionId("t-" + first), "batch");
            for (int index = first; index < first + CLAIMS; index++) {
                claims.claim(job.version(), 0, index % TASKS_A_JOB, 1, index % machines);
            }
            cell.apply(HEADER, new Command.CommitTransaction(claims.build()));
            cell.takeChanges();
        }
    }

    private static Command machine(String name, Optional<AgentIdentity> agent) {
        return new Command.PutMachine(name, Amounts.of(64_000, 256_000), new TreeMap<>(), agent, false);
    }

    private static Command job(String name) {
        GroupHeader group = new GroupHeader("main", TASKS_A_JOB, Amounts.of(1_000, 1_024), Restart.BATCH);
        JobHeader header = new JobHeader(
                name,
                JobType.BATCH,
                "batch",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
        return new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE);
    }

    private void encode(JobId job, Random random) {
        for (int first = 0; first < TASKS_A_JOB; first += CLAIMS) {
            boolean felled = work == Work.ALL_OR_NOTHING && transactions.size() % 5 < 2;
            Transaction.Builder builder = begin(job + "-" + first);
            for (int index = first; index < first + CLAIMS; index++) {
                boolean fells = felled && index == first + CLAIMS / 2;
                builder.claim(job.version(), 0, index, 1, fells ? machines : random.nextInt(machines));
                reports.add(CommandCodec.encode(PRINCIPAL, lost(new TaskId(job, 0, index))));
            }
            transactions.add(CommandCodec.encode(PRINCIPAL, new Command.CommitTransaction(builder.build())));
        }
    }

    private Transaction.Builder begin(String id) {
        return Transaction.builder(new TransactionId(id), "batch")
                .basis(cell.view().version())
                .atomicity(work == Work.ALL_OR_NOTHING ? Atomicity.ALL_OR_NOTHING : Atomicity.INCREMENTAL)
                .conflictRule(work == Work.MACHINE_STALE ? ConflictRule.MACHINE : ConflictRule.RESOURCE);
    }

    private static Command lost(TaskId task) {
        return new Command.ReportTask(
                task,
                1,
                Optional.empty(),
                TaskState.LOST,
                OptionalInt.empty(),
                TaskReason.NONE,
                OptionalLong.empty(),
                OptionalLong.empty());
    }

    @Benchmark
    @OperationsPerInvocation(PLACED)
    public int commit() {
        return applyAll(asked);
    }

    /** The same number of claims, and nothing else. */
    @Benchmark
    @OperationsPerInvocation(PLACED)
    public int bareArrays() {
        return bare.apply(bareClaims, CLAIMS);
    }

    int tasksOnMachines() {
        return cell.view().taskCounts().onMachines();
    }

    /**
     * The leader proposes the next part of a stop when it has applied the one before, so each part is an entry of its
     * own.
     */
    private int commandsAnEntry() {
        return work == Work.STOPS ? 1 : ENTRY;
    }

    private int applyAll(List<byte[]> commands) {
        int bytes = 0;
        int entry = commandsAnEntry();
        for (int from = 0; from < commands.size(); from += entry) {
            cell.apply(new Entry(HEADER, commands.subList(from, Math.min(commands.size(), from + entry))));
            bytes += cell.takeChanges().length;
        }
        return bytes;
    }
}
