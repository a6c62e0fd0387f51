package dev.cella.simulator.replicated;

import dev.cella.simulator.engine.EventHeap;
import dev.cella.simulator.engine.Geometry;
import dev.cella.simulator.workload.SimulatedJob;
import dev.cella.simulator.workload.StandingJob;
import dev.cella.simulator.workload.VirtualTime;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.ChangedRows;
import dev.cella.transactions.cell.TouchedRows;
import dev.cella.transactions.cell.tables.CellLimits;
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
import dev.cella.transactions.model.OfferId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Participation;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.Step;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntFunction;

/**
 * The common cell state: the live system's {@link Cell}, with commands given directly and time from the event heap.
 *
 * <p>Machines have no agents, so a stopped task ends at once: nobody in a simulation looks at how a task ran, and the tasks of
 * an attempt that end together end in one command. Owned by the thread that runs the simulation.
 */
final class CommonState {
    private static final Incarnation INCARNATION = new Incarnation(1);
    static final String POOL = SimulatedJob.POOL;
    static final int PRIORITY = 50;
    private static final String STANDING = "standing";
    private static final long LEASE_MILLIS = 10_000;
    private static final int FEATURE_LEVEL = 1;

    /** A stop ends all tasks of a job at once; outcomes are kept for longer than any decision takes. */
    private static final CellLimits LIMITS = new CellLimits(50_000, 24 * 3_600_000L, JobHeader.TASKS_MAX);

    private final EventHeap heap;
    private final Cell cell;
    private final Optional<Runnable> afterChange;
    private final List<TouchedRows> followers = new ArrayList<>();
    private long transactions;

    /**
     * @param attributes what each machine says of itself
     * @param afterChange called after each command; without it the cell has no followers, which is faster
     */
    CommonState(
            Geometry geometry,
            EventHeap heap,
            IntFunction<SortedMap<String, String>> attributes,
            Optional<Runnable> afterChange) {
        this.heap = heap;
        this.afterChange = afterChange;
        this.cell = afterChange.isPresent() ? new Cell(LIMITS) : Cell.unfollowed(LIMITS);
        apply(new Command.FoundCell(new CellName("simulated"), INCARNATION));
        Amounts capacity = Amounts.of(geometry.machineCpuMilli(), geometry.machineMemoryMib());
        for (int machine = 0; machine < geometry.machines(); machine++) {
            apply(new Command.PutMachine(
                    machineName(machine), capacity, attributes.apply(machine), Optional.empty(), false));
        }
    }

    static String machineName(int machine) {
        return "m-" + machine;
    }

    /** Says what a scheduler may do. */
    void setRights(String scheduler, Rights rights) {
        apply(new Command.RaiseFeatureLevel(EntryCodec.POLICY_LEVEL));
        done(new Command.SetRights(scheduler, rights));
    }

    /** Says what the pool is due. */
    void definePool(String path, PoolPolicy policy) {
        apply(new Command.RaiseFeatureLevel(EntryCodec.POLICY_LEVEL));
        done(new Command.DefinePool(path, policy));
    }

    CellView view() {
        return cell.view();
    }

    /** The cell's clock, which counts milliseconds. */
    CellTime time() {
        return new CellTime(heap.nowNanos() / VirtualTime.NANOS_PER_MILLI);
    }

    SessionId openSession(String scheduler, String type) {
        return openSession(scheduler, type, Optional.empty());
    }

    /** Opens a session that takes part in offers, if it says how. */
    SessionId openSession(String scheduler, String type, Optional<Participation> offers) {
        if (offers.isPresent()) {
            apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        }
        return new SessionId(
                done(new Command.OpenSession(scheduler, scheduler, type, LEASE_MILLIS, Optional.empty(), offers)));
    }

    /** From now on the rows that a command touches are named to it. */
    void follow(TouchedRows rows) {
        cell.takeChanges();
        followers.add(rows);
    }

    /** A scheduler gives an offer back, which may have ended in the meantime. */
    void endOffer(OfferId offer, long refuseMillis) {
        apply(new Command.EndOffer(offer, refuseMillis));
    }

    void wantOffers(String scheduler, boolean wanted) {
        apply(new Command.WantOffers(scheduler, wanted));
    }

    JobId submit(JobHeader header) {
        return new JobId(done(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE)));
    }

    Outcome commit(Transaction transaction) {
        CommandResult result = apply(new Command.CommitTransaction(transaction));
        if (result instanceof CommandResult.Decided decided) {
            return decided.outcome();
        }
        throw new IllegalStateException("a transaction was not decided: " + result);
    }

    /**
     * Ends the rest of the job, placed or not, and forgets the job. A live cell forgets it a day later; by then a run of many
     * days would not fit in memory.
     */
    void end(JobId job) {
        done(new Command.StopJob(job));
        done(new Command.ForgetJob(job));
    }

    /** Ends these tasks of the job's only group, placed or not; {@code attempt} is 0 if they never were placed. */
    void stopTasks(JobId job, String scheduler, int[] tasks, int attempt) {
        for (int from = 0; from < tasks.length; from += Transaction.CLAIMS_MAX) {
            Transaction.Builder stops = begin(scheduler);
            for (int i = from; i < Math.min(tasks.length, from + Transaction.CLAIMS_MAX); i++) {
                stops.step(new Step(Step.Kind.STOP, new TaskId(job, 0, tasks[i]), attempt));
            }
            commitWhole(stops.build());
        }
    }

    /** The one group of a simulated job: its tasks are equal. */
    static List<GroupHeader> group(int tasks, Amounts shape) {
        return List.of(new GroupHeader("main", tasks, shape, Restart.BATCH));
    }

    /** Places a standing job on its machines, and returns the jobs that represent it: none if it holds nothing. */
    List<JobId> place(StandingJob standing, int[] places) {
        List<JobId> jobs = new ArrayList<>();
        Amounts shape = Amounts.of(standing.cpuMilli(), standing.memoryMib());
        if (shape.isNone()) {
            return jobs;
        }
        for (int from = 0; from < places.length; from += JobHeader.TASKS_MAX) {
            int tasks = Math.min(JobHeader.TASKS_MAX, places.length - from);
            JobId job = submit(new JobHeader(
                    STANDING + "-" + transactions,
                    JobType.BATCH,
                    STANDING,
                    POOL,
                    PRIORITY,
                    Atomicity.INCREMENTAL,
                    ConflictRule.RESOURCE,
                    group(tasks, shape)));
            place(job, places, from, tasks);
            jobs.add(job);
        }
        return jobs;
    }

    private void place(JobId job, int[] places, int first, int tasks) {
        for (int from = 0; from < tasks; from += Transaction.CLAIMS_MAX) {
            Transaction.Builder claims = begin(STANDING);
            for (int task = from; task < Math.min(tasks, from + Transaction.CLAIMS_MAX); task++) {
                claims.claim(job.version(), 0, task, 1, places[first + task]);
            }
            commitWhole(claims.build());
        }
    }

    private Transaction.Builder begin(String scheduler) {
        return Transaction.builder(new TransactionId("simulated-" + transactions++), scheduler);
    }

    private void commitWhole(Transaction transaction) {
        Outcome outcome = commit(transaction);
        if (outcome.results().stream().anyMatch(result -> !result.accepted())) {
            throw new IllegalStateException("the simulation's own transaction was refused: " + outcome);
        }
    }

    private long done(Command command) {
        CommandResult result = apply(command);
        if (result instanceof CommandResult.Done done) {
            return done.identity();
        }
        throw new IllegalStateException("the cell refused " + command + ": " + result);
    }

    private CommandResult apply(Command command) {
        CellTime now = time();
        int level = Math.max(FEATURE_LEVEL, cell.view().featureLevel());
        CommandResult result = cell.apply(new EntryHeader(level, now, now.millis(), INCARNATION), command);
        if (afterChange.isPresent()) {
            tellFollowers(afterChange.get());
        }
        return result;
    }

    private void tellFollowers(Runnable after) {
        byte[] frames = cell.takeChanges();
        followers.forEach(rows -> ChangedRows.tell(frames, view(), rows));
        after.run();
    }
}
