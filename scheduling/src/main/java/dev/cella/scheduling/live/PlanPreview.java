package dev.cella.scheduling.live;

import dev.cella.client.proto.Group;
import dev.cella.client.proto.GroupPlan;
import dev.cella.client.proto.Job;
import dev.cella.client.proto.JobPlan;
import dev.cella.client.proto.JobType;
import dev.cella.client.proto.Machine;
import dev.cella.client.proto.MachineStatus;
import dev.cella.scheduling.JobWork;
import dev.cella.scheduling.Observations;
import dev.cella.scheduling.Plan;
import dev.cella.scheduling.PlanContext;
import dev.cella.scheduling.Planning;
import dev.cella.scheduling.PlanningView;
import dev.cella.scheduling.Proposal;
import dev.cella.scheduling.Scheduler;
import dev.cella.scheduling.Unplaced;
import dev.cella.scheduling.Work;
import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
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
import dev.cella.transactions.model.Dimension;
import dev.cella.transactions.model.Dimensions;
import dev.cella.transactions.model.Gang;
import dev.cella.transactions.model.GroupHeader;
import dev.cella.transactions.model.Incarnation;
import dev.cella.transactions.model.JobHeader;
import dev.cella.transactions.model.JobId;
import dev.cella.transactions.model.MemberSet;
import dev.cella.transactions.model.Members;
import dev.cella.transactions.model.OnLost;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import dev.cella.transactions.model.TaskId;
import dev.cella.transactions.model.Transaction;
import dev.cella.transactions.model.TransactionId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The plan of a scheduler for a job if it were submitted now. The same planner runs on a cell in this process, made from the
 * real cell's machines, so nothing there changes. Other schedulers may be faster before the job is submitted. Belongs to one
 * thread.
 */
public final class PlanPreview {
    private static final CellTime NOW = new CellTime(1_000);
    private static final long LEASE_MILLIS = 10_000;
    private static final String OTHERS = "others";

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final SessionId session;
    private int others;

    private PlanPreview(List<Machine> machines, Job job) {
        done(new Command.FoundCell(new CellName("preview"), new Incarnation(1)));
        session = new SessionId(
                done(new Command.OpenSession(job.getScheduler(), "preview", "preview", LEASE_MILLIS, Optional.empty()))
                        .identity());
        addDimensions(machines, job);
        machines.forEach(this::add);
    }

    /**
     * The plan for a job with that many tasks per group to place.
     *
     * @param machines all machines of the cell, as listed
     * @param complete the job with its defaults filled in
     * @param tasks how many tasks are not on a machine already, by group
     */
    public static JobPlan plan(
            List<Machine> machines, Job complete, Map<String, Integer> tasks, Scheduler<?> scheduler, long seed) {
        return new PlanPreview(machines, complete).plan(complete, tasks, scheduler, seed);
    }

    // ---- the present cell

    /** Adds the dimensions of the machines, and those that only the job asks for: no machine has any of these. */
    private void addDimensions(List<Machine> machines, Job job) {
        done(new Command.RaiseFeatureLevel(EntryCodec.FEATURE_LEVEL_MAX));
        Map<String, Dimension.Kind> kinds = new TreeMap<>();
        for (Machine machine : machines) {
            machine.getCapacityMap().keySet().forEach(name -> kinds.putIfAbsent(name, Dimension.Kind.COUNT));
            machine.getMembersMap().keySet().forEach(name -> kinds.put(name, Dimension.Kind.SET));
        }
        for (Group group : job.getGroupsList()) {
            group.getResourcesMap().keySet().forEach(name -> kinds.putIfAbsent(name, Dimension.Kind.COUNT));
            group.getMembersMap().keySet().forEach(name -> kinds.putIfAbsent(name, Dimension.Kind.SET));
        }
        Dimensions.FOUNDING.list().forEach(dimension -> kinds.remove(dimension.name()));
        kinds.forEach((name, kind) -> done(new Command.AddDimension(new Dimension(name, kind))));
    }

    private void add(Machine machine) {
        Amounts capacity = amounts(machine.getCapacityMap(), machine.getMembersMap());
        Command.PutMachine put = new Command.PutMachine(
                machine.getName(), capacity, new TreeMap<>(machine.getAttributesMap()), Optional.empty(), false);
        done(put);
        Amounts used = capacity.minus(
                amounts(machine.getFreeMap(), machine.getFreeMembersMap()).min(capacity));
        int slot = cell.view().findMachine(machine.getName()).orElseThrow();
        if (!used.isNone()) {
            use(slot, used);
        }
        if (machine.getStatus() != MachineStatus.MACHINE_STATUS_READY) {
            done(new Command.ChangeMachine(cell.view().machineId(slot), Command.MachineChange.DRAIN, false));
        }
    }

    private Amounts amounts(Map<String, Long> named, Map<String, String> membersNamed) {
        Dimensions dimensions = cell.view().dimensions();
        long[] counted = new long[dimensions.size()];
        named.forEach((name, amount) -> counted[dimensions.find(name)] = amount);
        Members members = Members.NONE;
        for (Map.Entry<String, String> each : membersNamed.entrySet()) {
            members = members.with(dimensions.find(each.getKey()), MemberSet.parse(each.getValue()));
        }
        return Amounts.of(counted).naming(members);
    }

    /** Adds one task of another scheduler that takes everything that is not free. */
    private void use(int slot, Amounts used) {
        String name = OTHERS + "-" + others++;
        GroupHeader group = new GroupHeader("main", 1, used, Restart.BATCH);
        JobId job = submit(header(name, OTHERS, Atomicity.INCREMENTAL, List.of(group)), Specification.EMPTY);
        apply(new Command.CommitTransaction(Transaction.builder(new TransactionId(name), OTHERS)
                .basis(cell.view().version())
                .claim(new TaskId(job, 0, 0), 1, slot)
                .build()));
    }

    private JobId submit(JobHeader header, Specification specification) {
        return new JobId(done(new Command.SubmitJob(header, specification, Command.SubmitMode.CREATE))
                .identity());
    }

    private CommandResult apply(Command command) {
        return cell.apply(new EntryHeader(1, NOW, NOW.millis(), cell.view().incarnation()), command);
    }

    private CommandResult.Done done(Command command) {
        return (CommandResult.Done) apply(command);
    }

    // ---- the job

    private JobPlan plan(Job complete, Map<String, Integer> tasks, Scheduler<?> scheduler, long seed) {
        List<GroupHeader> groups = complete.getGroupsList().stream()
                .map(group -> group(group, tasks.getOrDefault(group.getName(), group.getCount())))
                .toList();
        if (groups.stream().allMatch(group -> group.count() == 0)) {
            return describe(complete, groups, new Plan<>(List.of(), List.of(), List.of(), scheduler.start()));
        }
        JobHeader header = header(previewed(complete.getName()), complete.getScheduler(), atomicity(complete), groups);
        JobId id = submit(header, Specification.of(complete.toByteArray()));
        return describe(complete, groups, plan(id, scheduler, seed));
    }

    /** The name must not clash with another scheduler's. */
    private static String previewed(String name) {
        return name.startsWith(OTHERS) ? "previewed" : name;
    }

    private static Atomicity atomicity(Job job) {
        return job.getAtomicity() == dev.cella.client.proto.Atomicity.ATOMICITY_ALL_OR_NOTHING
                ? Atomicity.ALL_OR_NOTHING
                : Atomicity.INCREMENTAL;
    }

    private static JobHeader header(String name, String scheduler, Atomicity atomicity, List<GroupHeader> groups) {
        return new JobHeader(
                name,
                dev.cella.transactions.model.JobType.BATCH,
                scheduler,
                "default",
                JobHeader.PRIORITY_MAX,
                atomicity,
                ConflictRule.RESOURCE,
                groups);
    }

    private GroupHeader group(Group group, int tasks) {
        Optional<Gang> gang = group.hasGang() && group.getGang().getMin() <= tasks
                ? Optional.of(new Gang(group.getGang().getMin(), 0, Gang.Restarts.ALL))
                : Optional.empty();
        return new GroupHeader(
                group.getName(),
                tasks,
                amounts(group.getResourcesMap(), group.getMembersMap()),
                Restart.BATCH,
                group.getRunningMax(),
                0,
                OnLost.REPLACE,
                gang.filter(each -> group.getRunningMax() == 0 || each.min() <= group.getRunningMax()));
    }

    private <M> Plan<M> plan(JobId id, Scheduler<M> scheduler, long seed) {
        CellView view = cell.view();
        JobRow row = view.job(id).orElseThrow();
        Work work = new Work(List.of(JobWork.first(row, NOW)), List.of());
        TransactionStamp stamp = new TransactionStamp(row.header().scheduler(), session, 1, Transaction.CLAIMS_MAX);
        Surroundings surroundings = Surroundings.of(view, new SpecifiedPlacements());
        try (PlanningView cells = new PlanningView(view, view.draft(), new TaskSet(), stamp, surroundings)) {
            return Planning.plan(
                    scheduler,
                    List.of(cells),
                    work,
                    new PlanContext<>(NOW, seed, scheduler.start(), Observations.NONE));
        }
    }

    // ---- as an answer

    private JobPlan describe(Job job, List<GroupHeader> groups, Plan<?> plan) {
        JobPlan.Builder answer = JobPlan.newBuilder().setJob(job.getName());
        for (int place = 0; place < groups.size(); place++) {
            answer.addGroups(describe(groups.get(place), place, plan));
        }
        return answer.build();
    }

    private GroupPlan describe(GroupHeader group, int place, Plan<?> plan) {
        GroupPlan.Builder answer = GroupPlan.newBuilder().setGroup(group.name()).setTasks(group.count());
        Set<TaskId> placed = new HashSet<>();
        for (Proposal proposal : plan.proposals()) {
            Transaction transaction = proposal.transaction();
            for (int claim = 0; claim < transaction.claims(); claim++) {
                if (transaction.task(claim).group() == place && placed.add(transaction.task(claim))) {
                    String machine = cell.view().machineName(transaction.machine(claim));
                    answer.setPlaced(answer.getPlaced() + 1)
                            .putMachines(machine, answer.getMachinesOrDefault(machine, 0) + 1);
                }
            }
        }
        plan.unplaced().stream()
                .filter(unplaced -> unplaced.group() == place)
                .findFirst()
                .ifPresent(unplaced -> explain(unplaced, answer));
        return answer.build();
    }

    private static void explain(Unplaced unplaced, GroupPlan.Builder answer) {
        answer.setReason(unplaced.sentence()).setNeverPlaceable(unplaced.neverPlaceable());
    }

    /** The type of the job's scheduler, if its name is not the name of a known type. */
    public static String typeOf(Job job) {
        return job.getType() == JobType.JOB_TYPE_SERVICE ? "service" : "batch";
    }
}
