package dev.cella.scheduler.batch.fair;

import dev.cella.scheduler.batch.Racks;
import dev.cella.scheduling.JobKey;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.FullMachines;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.GroupInputs;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.Draft;
import dev.cella.transactions.cell.tables.GroupRow;
import dev.cella.transactions.cell.tables.JobRow;
import dev.cella.transactions.codec.EntryCodec;
import dev.cella.transactions.codec.EntryHeader;
import dev.cella.transactions.model.Amounts;
import dev.cella.transactions.model.Atomicity;
import dev.cella.transactions.model.CellName;
import dev.cella.transactions.model.CellTime;
import dev.cella.transactions.model.Command;
import dev.cella.transactions.model.CommandResult;
import dev.cella.transactions.model.ConflictRule;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.JobType;
import dev.cella.transactions.model.Limits;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.PoolPolicy;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.Rights;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A small cell with a single fair scheduler: each plan covers all its jobs and is committed at once. */
final class FairCell {
    static final String SCHEDULER = "fair";
    private static final long LEASE_MILLIS = 10_000;

    private final FairScheduler scheduler = new FairScheduler(1_000);
    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Map<String, GroupInputs> inputs = new HashMap<>();
    private final Optional<FullMachines> full;
    private final SessionId session;

    /** Since when each job waits. */
    private final Map<JobId, CellTime> waits = new HashMap<>();

    private FairMemory memory = scheduler.start();
    private CellTime now = new CellTime(1_000);
    private long turns;
    private Plan<FairMemory> last = Plan.of(List.of(), List.of(), memory);

    FairCell() {
        this(Optional.empty());
    }

    private FairCell(Optional<FullMachines> full) {
        this.full = full;
        apply(new Command.FoundCell(new CellName("fair"), new Incarnation(1)));
        apply(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        session =
                new SessionId(done(new Command.OpenSession(SCHEDULER, "one", "fair", LEASE_MILLIS, Optional.empty())));
    }

    /** A cell whose plans know which machines were full before. */
    static FairCell knowingFullMachines() {
        return new FairCell(Optional.of(new FullMachines()));
    }

    // ---- what it has

    FairCell machine(String name, String rack, long cpuMilli, long memoryMib) {
        TreeMap<String, String> attributes = new TreeMap<>(Map.of(Racks.ATTRIBUTE, rack));
        apply(new Command.PutMachine(name, Amounts.of(cpuMilli, memoryMib), attributes, Optional.empty(), false));
        return this;
    }

    /** Machines m0, m1 and so on with one slot for a task each, grouped into racks of equal size. */
    FairCell slots(int machines, int perRack) {
        for (int machine = 0; machine < machines; machine++) {
            machine("m" + machine, "r" + machine / perRack, 1, 1);
        }
        return this;
    }

    FairCell pool(String path, PoolPolicy policy) {
        apply(new Command.DefinePool(path, policy));
        return this;
    }

    FairCell evicting(Rights.Evicts evicts) {
        apply(new Command.SetRights(SCHEDULER, new Rights(JobHeader.PRIORITY_MAX, List.of(), true, evicts)));
        return this;
    }

    static PoolPolicy weighing(int weight) {
        return new PoolPolicy(weight, Amounts.NONE, Limits.NONE, PoolPolicy.Order.FAIR, 0, 0);
    }

    JobId job(String name, String pool, int tasks, long cpuMilli, long memoryMib) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(cpuMilli, memoryMib), Restart.BATCH);
        return job(name, pool, Atomicity.INCREMENTAL, group);
    }

    /** A job of small tasks with a largest number of them that run at once. */
    JobId jobWithRunningMax(String name, String pool, int tasks, int runningMax) {
        GroupHeader group = new GroupHeader(
                "main", tasks, Amounts.of(1, 1), Restart.BATCH, runningMax, 0, OnLost.REPLACE, Optional.empty());
        return job(name, pool, Atomicity.INCREMENTAL, group);
    }

    /** A job of small tasks that are wanted all at once, or not at all. */
    JobId jobAtOnce(String name, String pool, int tasks) {
        GroupHeader group = new GroupHeader("main", tasks, Amounts.of(1, 1), Restart.BATCH);
        return job(name, pool, Atomicity.ALL_OR_NOTHING, group);
    }

    /** A job whose small tasks start only together. */
    JobId gang(String name, String pool, int tasks) {
        Gang gang = new Gang(tasks, 0, Gang.Restarts.ALL);
        GroupHeader group = new GroupHeader(
                "main", tasks, Amounts.of(1, 1), Restart.BATCH, 0, 0, OnLost.REPLACE, Optional.of(gang));
        return job(name, pool, Atomicity.INCREMENTAL, group);
    }

    JobId gang(String name, String pool, int tasks, GroupInputs where) {
        inputs.put(name, where);
        return gang(name, pool, tasks);
    }

    JobId jobAtOnce(String name, String pool, int tasks, GroupInputs where) {
        inputs.put(name, where);
        return jobAtOnce(name, pool, tasks);
    }

    private JobId job(String name, String pool, Atomicity atomicity, GroupHeader group) {
        JobHeader header = new JobHeader(
                name, JobType.BATCH, SCHEDULER, pool, 50, atomicity, ConflictRule.RESOURCE, List.of(group));
        return new JobId(done(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE)));
    }

    JobId job(String name, String pool, int tasks, GroupInputs where) {
        inputs.put(name, where);
        return job(name, pool, tasks, 1, 1);
    }

    // ---- what happens

    /** One plan for all jobs that have tasks to place, and its commit. */
    FairCell plan() {
        List<JobWork> jobs = new ArrayList<>();
        for (JobRow row : cell.view().pendingJobs(SCHEDULER)) {
            jobs.add(new JobWork(
                    JobKey.of(row.id()),
                    row.header(),
                    row.generation(),
                    1,
                    List.of(),
                    waits.computeIfAbsent(row.id(), job -> now)));
        }
        if (jobs.isEmpty()) {
            return this;
        }
        TransactionStamp stamp = new TransactionStamp(SCHEDULER, session, ++turns, 10_000);
        Draft draft = cell.view().draft();
        draft.clear();
        PlanningView view = new PlanningView(
                cell.view(),
                draft,
                new TaskSet(),
                stamp,
                Surroundings.of(cell.view(), this::placement).with(full));
        PlanContext<FairMemory> context = new PlanContext<>(now, turns, memory, Observations.NONE);
        last = Planning.plan(scheduler, List.of(view), new Work(jobs, List.of()), context);
        memory = last.memory();
        for (Proposal proposal : last.proposals()) {
            apply(new Command.CommitTransaction(proposal.transaction()));
        }
        return this;
    }

    private Placement placement(JobRow job) {
        return new Placement(List.of(), List.of(inputs.getOrDefault(job.name(), GroupInputs.NONE)));
    }

    FairCell pass(long millis) {
        now = now.plusMillis(millis);
        return this;
    }

    FairCell stop(String job) {
        full.ifPresent(known -> slotsOf(job).filter(slot -> slot >= 0).forEach(known::gained));
        apply(new Command.StopJob(id(job)));
        while (!cell.followUps().isEmpty()) {
            apply(cell.followUps().get(0));
        }
        return this;
    }

    // ---- what it shows

    int placed(String job) {
        return cell.view().job(job).orElseThrow().counts().of(TaskState.PLACED);
    }

    List<String> machinesOf(String job) {
        return slotsOf(job)
                .mapToObj(slot -> slot < 0 ? "-" : cell.view().machineName(slot))
                .toList();
    }

    /** Where its tasks are; negative for those that are on no machine. */
    private IntStream slotsOf(String job) {
        GroupRow group = cell.view().job(job).orElseThrow().group(0);
        return IntStream.range(0, group.header().count())
                .map(index -> cell.view().machineOf(group, index));
    }

    Plan<FairMemory> lastPlan() {
        return last;
    }

    CellTime now() {
        return now;
    }

    private JobId id(String job) {
        return cell.view().job(job).orElseThrow().id();
    }

    private long done(Command command) {
        return ((CommandResult.Done) apply(command)).identity();
    }

    private CommandResult apply(Command command) {
        EntryHeader header = new EntryHeader(
                Math.max(1, cell.view().featureLevel()),
                now,
                now.millis(),
                cell.view().incarnation());
        CommandResult result = cell.apply(header, command);
        cell.takeChanges();
        if (result instanceof CommandResult.Refused refused) {
            throw new IllegalArgumentException(command + ": " + refused);
        }
        return result;
    }
}
