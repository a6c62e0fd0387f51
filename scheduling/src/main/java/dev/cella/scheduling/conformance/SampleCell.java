package dev.cella.scheduling.conformance;

import dev.cella.scheduling.JobPlanner;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.placement.Placement;
import dev.cella.scheduling.placement.Placements;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.cell.tables.QueueRow;
import dev.cella.transactions.cell.tables.TaskRow;
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
import dev.cella.transactions.model.Drain;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.MachineId;
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.TaskReason;
import dev.cella.transactions.model.TaskState;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * A cell in memory, for tests: machines and jobs in a line each, decided by the classes that decide a real cell. Its
 * machines have no agents. A task stays placed until its job is stopped, unless {@link #withTasksThatRun} says that
 * tasks start at once and end as time passes. Belongs to one thread.
 *
 * <pre>{@code
 * SampleCell cell = SampleCell.of(3, 4_000, 8_192);       // m0, m1, m2: cpuMilli, memoryMib
 * SamplePlan plan = cell.plan(new MyPlanner(), SampleCell.batch("j", 10, 1_000, 512));
 * assertEquals(3, plan.claimsOn("m0"));
 * }</pre>
 */
public final class SampleCell {
    /** The scheduler of the jobs of {@link #batch}. */
    public static final String SCHEDULER = "sample";

    private static final long LEASE_MILLIS = 10_000;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final List<Consumer<byte[]>> followers = new ArrayList<>();
    private final TreeMap<Long, List<TaskRow>> steps = new TreeMap<>();
    private final Map<String, TreeMap<Integer, Placement>> asked = new HashMap<>();
    private final Map<JobId, List<JobHeader>> generations = new HashMap<>();
    private Predicate<TaskRow> fails = task -> false;
    private CellTime time = new CellTime(1_000);
    private OptionalLong runMillis = OptionalLong.empty();
    private OptionalLong checkMillis = OptionalLong.empty();
    private Predicate<TaskRow> passes = task -> true;

    private SampleCell() {
        apply(new Command.FoundCell(new CellName("sample"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
    }

    /** A cell of equal machines {@code m0}, {@code m1} and so on. */
    public static SampleCell of(int machines, long cpuMilli, long memoryMib) {
        SampleCell cell = new SampleCell();
        for (int machine = 0; machine < machines; machine++) {
            cell.machine("m" + machine, cpuMilli, memoryMib);
        }
        return cell;
    }

    /** A batch job of one group with independent claims, decided by resource. */
    public static JobHeader batch(String name, int tasks, long cpuMilli, long memoryMib) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, memoryMib), Restart.BATCH);
        return new JobHeader(
                name,
                JobType.BATCH,
                SCHEDULER,
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
    }

    /**
     * From now on a task starts as soon as it is placed. A batch task ends after {@code millis}; a service task runs on.
     */
    public SampleCell withTasksThatRun(long millis) {
        runMillis = OptionalLong.of(millis);
        return this;
    }

    /** From now on a task that starts fails at once where this says so. */
    public SampleCell withTasksThatFail(Predicate<TaskRow> which) {
        fails = which;
        return this;
    }

    /** From now on a service task that starts has a check, which passes after {@code millis} where this says so. */
    public SampleCell withTasksThatAreChecked(long millis, Predicate<TaskRow> which) {
        checkMillis = OptionalLong.of(millis);
        passes = which;
        return this;
    }

    /** What the job of that name asks of machines and of its scheduler, in that generation and those after it. */
    public SampleCell asks(String job, int generation, Placement placement) {
        asked.computeIfAbsent(job, name -> new TreeMap<>()).put(generation, placement);
        return this;
    }

    /** Where a scheduler learns what jobs ask. */
    Placements placements() {
        return job -> placement(job.name(), job.generation());
    }

    private Placement placement(String job, int generation) {
        return Optional.ofNullable(asked.get(job))
                .map(known -> known.floorEntry(generation))
                .map(Map.Entry::getValue)
                .orElse(Placement.ANYWHERE);
    }

    /** The committed state. */
    public CellView view() {
        return cell.view();
    }

    public CellTime time() {
        return time;
    }

    /** Adds a machine, or changes the capacity of the machine with that name. */
    public SampleCell machine(String name, long cpuMilli, long memoryMib) {
        Amounts capacity = Amounts.of(cpuMilli, memoryMib);
        apply(new Command.PutMachine(name, capacity, new TreeMap<>(), Optional.empty(), false));
        return this;
    }

    /** Adds a machine with these attributes. */
    public SampleCell machine(String name, long cpuMilli, long memoryMib, Map<String, String> attributes) {
        Amounts capacity = Amounts.of(cpuMilli, memoryMib);
        apply(new Command.PutMachine(name, capacity, new TreeMap<>(attributes), Optional.empty(), false));
        return this;
    }

    /** Limits what the pool may use. */
    public SampleCell limit(String pool, long... limits) {
        apply(new Command.PutPool(pool, Limits.of(limits)));
        return this;
    }

    /** Sets the rights of the scheduler. */
    public SampleCell rights(String scheduler, Rights rights) {
        apply(new Command.SetRights(scheduler, rights));
        return this;
    }

    /** Has the scheduler plan nothing. */
    public SampleCell pause(String scheduler) {
        apply(new Command.PauseScheduler(scheduler, true));
        return this;
    }

    /** Has the scheduler plan again. */
    public SampleCell resume(String scheduler) {
        apply(new Command.PauseScheduler(scheduler, false));
        return this;
    }

    /** Has the machine take no more claims. */
    public SampleCell drain(String name) {
        apply(new Command.ChangeMachine(machineId(name), Command.MachineChange.DRAIN, false));
        return this;
    }

    /** Empties the machine: its tasks must have moved before the deadline. */
    public SampleCell drain(String name, long deadlineAfterMillis) {
        apply(new Command.DrainMachine(machineId(name), deadlineAfterMillis, Drain.BatchTasks.FINISH));
        return this;
    }

    /** Has the machine take claims again. */
    public SampleCell ready(String name) {
        apply(new Command.ChangeMachine(machineId(name), Command.MachineChange.READY, false));
        return this;
    }

    /** Loses the machine, with the tasks on it. */
    public SampleCell lose(String name) {
        apply(new Command.LoseMachine(machineId(name)));
        followUp();
        return this;
    }

    private MachineId machineId(String name) {
        return view().machine(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no machine " + name))
                .id();
    }

    public JobId submit(JobHeader job) {
        CommandResult submitted = apply(new Command.SubmitJob(job, Specification.EMPTY, Command.SubmitMode.CREATE));
        JobId id = new JobId(((CommandResult.Done) submitted).identity());
        generations.put(id, new ArrayList<>(List.of(job)));
        return id;
    }

    private List<JobHeader> generations(JobId job) {
        return generations.computeIfAbsent(job, unknown -> new ArrayList<>());
    }

    /** Submits another generation of an existing job. */
    public void update(JobHeader job) {
        JobId id = view().job(job.name()).orElseThrow().id();
        List<JobHeader> known = generations(id);
        known.add(job);
        Specification other = Specification.of(new byte[] {(byte) known.size()});
        apply(new Command.SubmitJob(job, other, Command.SubmitMode.CREATE_OR_UPDATE));
        followUp();
    }

    /** Gives the group at that place of the job another number of tasks. */
    public void scale(String job, int group, int count) {
        apply(new Command.ScaleGroup(view().job(job).orElseThrow().id(), group, count));
        followUp();
    }

    /** The job becomes again what it was, unless it is of another generation meanwhile. */
    void revert(JobId job, int from, int to) {
        JobRow row = view().job(job).orElseThrow();
        if (row.generation() == from) {
            asks(row.name(), from + 1, placement(row.name(), to));
            update(generations(job).get(to - 1));
        }
    }

    /** Lets another scheduler submit a job and fill machines with it, one after another. */
    public JobId fill(JobHeader other) {
        JobId job = submit(other);
        Transaction.Builder claims = Transaction.builder(new TransactionId("fill-" + job.version()), other.scheduler())
                .incarnation(view().incarnation())
                .basis(view().version());
        Draft draft = view().draft();
        draft.clear();
        Amounts shape = other.groups().get(0).shape();
        int index = 0;
        for (int machine = 0; machine < view().machineSlots(); machine++) {
            while (index < other.tasks() && view().isReady(machine) && draft.fits(machine, shape)) {
                draft.take(machine, shape);
                claims.claim(job.version(), 0, index++, 1, machine);
            }
        }
        commit(claims.build());
        return job;
    }

    /** Stops a job: what it holds is free at once. */
    public void stop(JobId job) {
        apply(new Command.StopJob(job));
        followUp();
        startHeads();
    }

    private void followUp() {
        for (List<Command> next = cell.followUps(); !next.isEmpty(); next = cell.followUps()) {
            apply(next.get(0));
        }
    }

    /** Submits the job, and returns the planner's first plan for it. */
    public SamplePlan plan(JobPlanner planner, JobHeader job) {
        return plan(planner.scheduler(), job);
    }

    /** The same for a whole scheduler. */
    public SamplePlan plan(Scheduler<?> scheduler, JobHeader job) {
        submit(job);
        return new DrivenScheduler<>(this, scheduler, job.scheduler(), 1).firstPlan();
    }

    /** Another instance of {@link #SCHEDULER} shares its jobs. It plans nothing. */
    public SampleCell beside(String instance) {
        openSession(SCHEDULER, instance);
        return this;
    }

    // ---- for drivers of a scheduler

    SessionId openSession(String scheduler, String instance) {
        Command open = new Command.OpenSession(scheduler, instance, "sample", LEASE_MILLIS, Optional.empty());
        return new SessionId(((CommandResult.Done) apply(open)).identity());
    }

    Outcome commit(Transaction transaction) {
        Outcome outcome = ((CommandResult.Decided) apply(new Command.CommitTransaction(transaction))).outcome();
        followUp();
        for (int claim = 0; claim < transaction.claims() && claim < outcome.items(); claim++) {
            if (outcome.isAccepted(claim) && transaction.kind(claim) != ClaimKind.QUEUE) {
                runMillis.ifPresent(start(transaction.task(claim)));
            }
        }
        startHeads();
        return outcome;
    }

    /** Starts the tasks at the heads of the machines' queues for which there is room, as their agents would. */
    private void startHeads() {
        for (int machine = 0; machine < view().machineSlots(); machine++) {
            boolean started = true;
            for (QueueRow row : List.copyOf(view().queueOn(machine))) {
                started = started && (!view().queueOn(machine).contains(row) || isStarted(row));
            }
        }
    }

    private boolean isStarted(QueueRow row) {
        JobRow job = row.group().job();
        TransactionId id = new TransactionId("start-" + view().version().number());
        Command start = new Command.CommitTransaction(
                Transaction.builder(id, job.header().scheduler())
                        .claim(row.task(), job.generation(), row.slot())
                        .kind(ClaimKind.START)
                        .build());
        boolean started = ((CommandResult.Decided) apply(start)).outcome().accepted() > 0;
        if (started) {
            runMillis.ifPresent(start(row.task()));
        }
        return started;
    }

    private LongConsumer start(TaskId task) {
        return millis -> {
            boolean isBatch = view().job(task.job()).orElseThrow().header().type() == JobType.BATCH;
            boolean isChecked = !isBatch && checkMillis.isPresent();
            report(task, TaskState.RUNNING, isChecked ? TaskReason.AWAITS_CHECK : TaskReason.NONE);
            TaskRow row = view().task(task).orElseThrow();
            if (fails.test(row)) {
                report(task, TaskState.FAILED, TaskReason.NONE);
            } else if (isBatch) {
                stepAfter(millis, row);
            } else if (isChecked && passes.test(row)) {
                stepAfter(checkMillis.getAsLong(), row);
            }
        };
    }

    private void stepAfter(long millis, TaskRow begun) {
        steps.computeIfAbsent(time.millis() + millis, at -> new ArrayList<>()).add(begun);
    }

    private void report(TaskId task, TaskState state, TaskReason reason) {
        TaskRow row = view().task(task).orElseThrow();
        OptionalLong now = OptionalLong.of(time.millis());
        apply(new Command.ReportTask(
                task,
                row.attempt(),
                row.placement(),
                state,
                OptionalInt.empty(),
                reason,
                state == TaskState.RUNNING ? now : row.startedAtMillis(),
                state == TaskState.RUNNING ? OptionalLong.empty() : now));
    }

    /** When the next task ends, or passes its check. */
    Optional<CellTime> nextStep() {
        return steps.isEmpty() ? Optional.empty() : Optional.of(new CellTime(steps.firstKey()));
    }

    /** Registers a receiver of all later changes. Returns the present state. */
    List<byte[]> follow(Consumer<byte[]> follower) {
        followers.add(follower);
        return cell.snapshotForReplicas();
    }

    /** Lets time pass, so that tasks end, or pass their checks. */
    void passUntil(CellTime later) {
        while (!steps.isEmpty() && steps.firstKey() <= later.millis()) {
            Map.Entry<Long, List<TaskRow>> next = steps.pollFirstEntry();
            time = new CellTime(Math.max(time.millis(), next.getKey()));
            next.getValue().forEach(this::step);
        }
        time = later.compareTo(time) > 0 ? later : time;
        startHeads();
    }

    /** The attempt may have been evicted or stopped in the meantime. */
    private void step(TaskRow begun) {
        boolean runs = view().task(begun.id())
                .filter(row -> row.attempt() == begun.attempt() && row.state() == TaskState.RUNNING)
                .isPresent();
        if (runs && begun.reason() == TaskReason.AWAITS_CHECK) {
            report(begun.id(), TaskState.RUNNING, TaskReason.CHECKED);
        } else if (runs) {
            report(begun.id(), TaskState.FINISHED, TaskReason.NONE);
        }
    }

    private CommandResult apply(Command command) {
        int level = Math.max(1, cell.view().featureLevel());
        CommandResult result = cell.apply(
                new EntryHeader(level, time, time.millis(), cell.view().incarnation()), command);
        byte[] changes = cell.takeChanges();
        if (result instanceof CommandResult.Refused refused) {
            throw new IllegalArgumentException(command + ": " + refused);
        }
        followers.forEach(follower -> follower.accept(changes));
        return result;
    }
}
