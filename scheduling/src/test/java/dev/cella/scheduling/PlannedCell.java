package dev.cella.scheduling;

import dev.cella.scheduling.host.Surroundings;
import dev.cella.scheduling.host.TaskSet;
import dev.cella.scheduling.host.TransactionStamp;
import dev.cella.scheduling.placement.GroupPlacement;
import dev.cella.scheduling.placement.Placement;
import dev.cella.transactions.cell.Cell;
import dev.cella.transactions.cell.CellView;
import dev.cella.transactions.cell.tables.CellLimits;
import dev.cella.transactions.cell.tables.JobRow;
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
import dev.cella.transactions.model.Outcome;
import dev.cella.transactions.model.Restart;
import dev.cella.transactions.model.SessionId;
import dev.cella.transactions.model.Specification;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A cell on which a test plans one attempt at a time, without a loop, and looks at the plan. */
public final class PlannedCell {
    private static final long MEMORY_MIB = 8_192;
    private static final int CLAIMS_MAX = 100;

    private final Cell cell = new Cell(CellLimits.STANDARD);
    private final Map<JobId, Placement> placements = new HashMap<>();
    private final Surroundings surroundings;
    private final SessionId session;
    private long now = 1_000;
    private long turns;

    /** The proposals of one attempt, the unplaced tasks, and what they wait for. */
    public record Attempt(List<Proposal> proposals, List<Unplaced> unplaced, List<Wake> wakes, CellView view) {
        public int claims() {
            return machines().size();
        }

        /** The slots that were claimed, in order. */
        public List<Integer> machines() {
            return proposals.stream()
                    .map(Proposal::transaction)
                    .flatMap(each -> IntStream.range(0, each.claims()).mapToObj(each::machine))
                    .toList();
        }

        public List<String> names() {
            return machines().stream().map(view::machineName).toList();
        }

        /** The number of claims on machines with each value of the attribute. */
        public Map<String, Integer> by(String attribute) {
            Map<String, Integer> counts = new TreeMap<>();
            machines()
                    .forEach(machine ->
                            counts.merge(view.attributes(machine).getOrDefault(attribute, "none"), 1, Integer::sum));
            return counts;
        }

        /** The explanation for the only group that was not placed completely. */
        public String sentence() {
            return unplaced.get(0).sentence();
        }
    }

    public PlannedCell() {
        apply(new Command.FoundCell(new CellName("planned"), new Incarnation(1)));
        CommandResult opened = apply(new Command.OpenSession("s", "one", "batch", 10_000, Optional.empty()));
        session = new SessionId(((CommandResult.Done) opened).identity());
        surroundings = Surroundings.of(cell.view(), job -> placements.getOrDefault(job.id(), Placement.ANYWHERE));
    }

    public CellView view() {
        return cell.view();
    }

    public Surroundings surroundings() {
        return surroundings;
    }

    public CommandResult apply(Command command) {
        EntryHeader header =
                new EntryHeader(1, new CellTime(now), now, cell.view().incarnation());
        return cell.apply(header, command);
    }

    public void passMillis(long millis) {
        now += millis;
    }

    /** A machine with that much cpu, and attributes as in {@code rack=r1}. */
    public int machine(String name, long cpuMilli, String... attributes) {
        apply(new Command.PutMachine(
                name, Amounts.of(cpuMilli, MEMORY_MIB), attributes(attributes), Optional.empty(), false));
        int slot = view().findMachine(name).orElseThrow();
        surroundings.index().look(slot);
        return slot;
    }

    private static SortedMap<String, String> attributes(String... pairs) {
        SortedMap<String, String> attributes = new TreeMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            attributes.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return attributes;
    }

    public void machines(int count, long cpuMilli, String... attributes) {
        for (int machine = 0; machine < count; machine++) {
            machine("m" + view().machineSlots(), cpuMilli, attributes);
        }
    }

    public void change(String machine, Command.MachineChange change) {
        apply(new Command.ChangeMachine(view().machine(machine).orElseThrow().id(), change, false));
        surroundings.index().look(view().findMachine(machine).orElseThrow());
    }

    /** A batch job of one group. */
    public JobRow job(int count, long cpuMilli) {
        return job(new GroupHeader("main", count, Amounts.of(cpuMilli), Restart.BATCH), GroupPlacement.ANYWHERE);
    }

    public JobRow job(int count, long cpuMilli, GroupPlacement placement) {
        return job(new GroupHeader("main", count, Amounts.of(cpuMilli), Restart.BATCH), placement);
    }

    public JobRow job(GroupHeader group, GroupPlacement placement) {
        JobHeader header = new JobHeader(
                "job-" + view().version(),
                JobType.BATCH,
                "s",
                "default",
                50,
                Atomicity.INCREMENTAL,
                ConflictRule.RESOURCE,
                List.of(group));
        apply(new Command.SubmitJob(header, Specification.EMPTY, Command.SubmitMode.CREATE));
        JobRow job = view().job(header.name()).orElseThrow();
        placements.put(job.id(), new Placement(List.of(placement)));
        return job;
    }

    /** Plans the job once; nothing is committed. */
    public Attempt plan(JobPlanner planner, JobRow job, long seed) {
        return plan(planner, job, seed, 0);
    }

    /** The same after the job has waited for that long. */
    public Attempt plan(JobPlanner planner, JobRow job, long seed, long waitedMillis) {
        Scheduler<?> scheduler = planner.scheduler();
        return plan(scheduler, job, seed, waitedMillis);
    }

    private <M> Attempt plan(Scheduler<M> scheduler, JobRow job, long seed, long waitedMillis) {
        TransactionStamp stamp = new TransactionStamp("s", session, ++turns, CLAIMS_MAX);
        JobWork work = JobWork.first(job, new CellTime(now - waitedMillis));
        try (PlanningView planned = new PlanningView(view(), view().draft(), new TaskSet(), stamp, surroundings)) {
            Plan<M> plan = Planning.plan(
                    scheduler,
                    List.of(planned),
                    new Work(List.of(work), List.of()),
                    new PlanContext<>(new CellTime(now), seed, scheduler.start(), Observations.NONE));
            return new Attempt(plan.proposals(), plan.unplaced(), plan.wakes(), view());
        }
    }

    /** Commits the proposals, and returns the outcomes. */
    public List<Outcome> commit(Attempt attempt) {
        return attempt.proposals().stream()
                .map(proposal -> apply(new Command.CommitTransaction(proposal.transaction())))
                .map(result -> ((CommandResult.Decided) result).outcome())
                .toList();
    }
}
