package dev.cella.bench.conflicts;

import dev.cella.state.conflicts.ConflictLog;
import dev.cella.state.conflicts.LedgerFilter;
import dev.cella.state.history.CellHistory;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.codec.EntryCodec;
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
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the complete record of conflicts costs: the processor time of applying claims, with the record and without it, in turns;
 * how many of a million lost claims are kept; and how long "who beat me" takes among them.
 */
public final class RecordBench {
    private static final int MACHINES = 1_000;
    private static final int CLAIMS = 10;
    private static final int LOST_CLAIMS = 1_000_000;
    private static final int LOST_AT_ONCE = 1_000;
    private static final int JOBS = 20;
    private static final int TASKS = 50_000;
    private static final int QUESTIONS = 200;
    private static final long BYTES_MAX = 128L << 20;
    private static final Incarnation INCARNATION = new Incarnation(1);

    private RecordBench() {}

    /**
     * The figures; times of claims are processor time of the one thread that does it all.
     *
     * @param cellMicros a placed claim, without the record
     * @param recordedMicros the same with the record
     * @param lost how many claims were lost
     * @param kept how many of them the ledger has
     * @param lostMicros a lost claim, with the record
     * @param askedP50Millis a question about one of them
     */
    public record Report(
            double cellMicros,
            double recordedMicros,
            long lost,
            long kept,
            double lostMicros,
            double askedP50Millis,
            double askedMaxMillis) {}

    /**
     * Measures all of it.
     *
     * @param placements how many claims each turn places
     */
    public static Report run(int placements, int turns) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        place(placements, true);
        for (int turn = 0; turn < turns; turn++) {
            without.add(place(placements, false));
            with.add(place(placements, true));
        }
        Recorded cell = new Recorded(true);
        double lostMicros = lose(cell);
        double[] asked = ask(cell);
        return new Report(
                median(without),
                median(with),
                LOST_CLAIMS,
                cell.conflicts.ledgerLength(),
                lostMicros,
                asked[asked.length / 2],
                asked[asked.length - 1]);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /** The processor time of one placed claim in microseconds. */
    private static double place(int placements, boolean isRecorded) {
        Recorded cell = new Recorded(isRecorded);
        List<JobId> jobs = cell.jobs("winner", placements / TASKS + 1);
        long begin = cpuNanos();
        for (int first = 0; first < placements; first += CLAIMS) {
            Transaction.Builder claims = cell.begin("winner");
            for (int claim = first; claim < first + CLAIMS; claim++) {
                claims.claim(jobs.get(claim / TASKS).version(), 0, claim % TASKS, 1, claim % MACHINES);
            }
            cell.apply(new Command.CommitTransaction(claims.build()));
        }
        cell.catchUp();
        return (cpuNanos() - begin) / 1e3 / placements;
    }

    /** Claims by machine against a basis that everything is newer than: all of them are lost. */
    private static double lose(Recorded cell) {
        List<JobId> jobs = cell.jobs("loser", JOBS);
        CellVersion basis = cell.view().version();
        Transaction.Builder winner = cell.begin("winner");
        JobId won = cell.jobs("winner", 1).get(0);
        for (int machine = 0; machine < MACHINES; machine++) {
            winner.claim(won.version(), 0, machine, 1, machine);
        }
        cell.apply(new Command.CommitTransaction(winner.build()));
        long begin = cpuNanos();
        for (int first = 0; first < LOST_CLAIMS; first += LOST_AT_ONCE) {
            Transaction.Builder claims = cell.begin("loser").basis(basis).conflictRule(ConflictRule.MACHINE);
            for (int claim = first; claim < first + LOST_AT_ONCE; claim++) {
                claims.claim(jobs.get(claim / TASKS).version(), 0, claim % TASKS, 1, claim % MACHINES);
            }
            cell.apply(new Command.CommitTransaction(claims.build()));
        }
        cell.catchUp();
        return (cpuNanos() - begin) / 1e3 / LOST_CLAIMS;
    }

    private static double[] ask(Recorded cell) {
        double[] millis = new double[QUESTIONS];
        for (int question = 0; question < QUESTIONS; question++) {
            String task = "job-" + question % JOBS + "/main/" + question * 211 % TASKS;
            long begin = System.nanoTime();
            int found = cell.conflicts
                    .ledger(LedgerFilter.ALL.ofTask(Optional.of(task)), Long.MAX_VALUE, 100)
                    .claims()
                    .size();
            millis[question] = (System.nanoTime() - begin) / 1e6;
            if (found != 1) {
                throw new IllegalStateException("the ledger has " + found + " lost claims of " + task + ", not 1; "
                        + cell.conflicts.ledgerLength() + " are kept");
            }
        }
        Arrays.sort(millis);
        return millis;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** A cell, and the record beside it as a replica keeps it, or without one. */
    private static final class Recorded {
        private final Cell cell = new Cell(CellLimits.STANDARD);
        private final ConflictLog conflicts = new ConflictLog(this::read, BYTES_MAX);
        private final CellHistory history = new CellHistory(this::read, BYTES_MAX / 2);
        private final boolean isRecorded;
        private long jobs;
        private long transactions;

        Recorded(boolean isRecorded) {
            this.isRecorded = isRecorded;
            apply(new Command.FoundCell(new CellName("record"), INCARNATION));
            apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
            for (int machine = 0; machine < MACHINES; machine++) {
                apply(new Command.PutMachine(
                        "m-" + machine, Amounts.of(1L << 40, 1L << 40), new TreeMap<>(), Optional.empty(), false));
            }
        }

        private <T> T read(Function<? super CellView, ? extends T> question) {
            return question.apply(cell.view());
        }

        CellView view() {
            return cell.view();
        }

        List<JobId> jobs(String scheduler, int count) {
            List<JobId> made = new ArrayList<>();
            for (int job = 0; job < count; job++) {
                JobHeader header = new JobHeader(
                        "job-" + jobs++,
                        JobType.BATCH,
                        scheduler,
                        "default",
                        50,
                        Atomicity.INCREMENTAL,
                        ConflictRule.RESOURCE,
                        List.of(new GroupHeader("main", TASKS, Amounts.of(1, 1), Restart.BATCH)));
                CommandResult result =
                        apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
                if (result instanceof CommandResult.Done done) {
                    made.add(new JobId(done.identity()));
                }
            }
            return made;
        }

        Transaction.Builder begin(String scheduler) {
            return Transaction.builder(new TransactionId("record-" + transactions++), scheduler);
        }

        CommandResult apply(Command command) {
            CellTime now = new CellTime(transactions);
            int level = Math.max(1, cell.view().featureLevel());
            CommandResult result = cell.apply(new EntryHeader(level, now, now.millis(), INCARNATION), command);
            byte[] changes = cell.takeChanges();
            if (isRecorded) {
                conflicts.entryApplied(changes, List.of(result));
                history.entryApplied(changes);
            }
            return result;
        }

        void catchUp() {
            conflicts.catchUp();
            history.catchUp();
        }
    }
}
